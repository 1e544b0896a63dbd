package io.metaq.broker.core;

/**
 * What a durable subscription is bound to: with another topic, selector or noLocal it is another
 * one (Jakarta Messaging 3.1, 8.3.3).
 *
 * @param topics name of a topic, or a pattern
 * @param selector null for none
 */
record DurableTerms(String topics, boolean shared, String selector, boolean noLocal) {
  @Override
  public String toString() {
    return topics
        + (selector == null ? " without selector" : " with selector " + selector)
        + (noLocal ? ", noLocal" : "");
  }
}
