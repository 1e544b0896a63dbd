package io.metaq.ra.inbound;

import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.UUID;

/**
 * What a bean consumes, and with which kind of subscription, so that each message reaches the bean
 * once however many sessions serve it: several sessions of a topic share one subscription.
 *
 * @param sharedName name under which the sessions of a non-durable subscription without a name of
 *     its own share it
 */
record InboundDestination(
    String name,
    boolean topic,
    MetaqActivationSpec spec,
    boolean clientIdKnown,
    String sharedName) {

  InboundDestination(String name, boolean topic, MetaqActivationSpec spec, boolean clientIdKnown) {
    this(name, topic, spec, clientIdKnown, "bean-" + UUID.randomUUID());
  }

  /** An unshared durable subscription admits one consumer; everything else as many as wanted. */
  int sessions(int wanted) {
    return topic && spec.isDurable() && !isShared() ? 1 : wanted;
  }

  private boolean isShared() {
    return !clientIdKnown || spec.getShareSubscriptions();
  }

  MessageConsumer createConsumer(Session session) throws JMSException {
    String selector = spec.getMessageSelector();
    if (!topic) {
      return session.createConsumer(session.createQueue(name), selector);
    }
    Topic from = session.createTopic(name);
    String subscription = spec.getSubscriptionName();
    if (spec.isDurable()) {
      return isShared()
          ? session.createSharedDurableConsumer(from, subscription, selector)
          : session.createDurableConsumer(from, subscription, selector, false);
    }
    boolean named = subscription != null && !subscription.isBlank();
    return session.createSharedConsumer(from, named ? subscription : sharedName, selector);
  }

  @Override
  public String toString() {
    return (topic ? "topic " : "queue ") + name;
  }
}
