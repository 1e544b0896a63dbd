package io.metaq.ra.inbound;

import io.metaq.jms.MetaqDestination;
import io.metaq.ra.BrokerSettings;
import io.metaq.ra.outbound.RaConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import jakarta.resource.ResourceException;
import javax.naming.InitialContext;
import javax.naming.NamingException;

/**
 * The JNDI look-ups of an activation, made on the container's thread inside {@code
 * endpointActivation} (Connectors 14.4.4). Of what is found only kind and name are kept.
 */
record JndiLookups(String name, boolean topic, BrokerSettings factorySettings) {

  static JndiLookups of(MetaqActivationSpec spec) throws ResourceException {
    BrokerSettings factory = factory(spec.getConnectionFactoryLookup());
    String lookup = spec.getDestinationLookup();
    if (lookup != null && !lookup.isBlank()) {
      return found(lookup, find(lookup), spec, factory);
    }
    String name = spec.getDestination();
    if (name.startsWith("java:")) {
      return found(name, find(name), spec, factory);
    }
    Object bound = findIfBound(name);
    return bound instanceof Queue || bound instanceof Topic
        ? found(name, bound, spec, factory)
        : new JndiLookups(name, spec.isTopicType(), factory);
  }

  private static BrokerSettings factory(String lookup) throws ResourceException {
    if (lookup == null || lookup.isBlank()) {
      return BrokerSettings.NONE;
    }
    Object found = find(lookup);
    if (found instanceof RaConnectionFactory factory) {
      return factory.settings();
    }
    throw new ResourceException(
        "connectionFactoryLookup "
            + lookup
            + " is a "
            + found.getClass().getName()
            + ", not a factory of this resource adapter");
  }

  private static JndiLookups found(
      String lookup, Object found, MetaqActivationSpec spec, BrokerSettings factory)
      throws ResourceException {
    if (!(found instanceof Queue) && !(found instanceof Topic)) {
      throw new ResourceException(
          lookup + " is a " + found.getClass().getName() + ", not a Queue or Topic");
    }
    boolean topic = found instanceof Topic && !(found instanceof Queue && !spec.isTopicType());
    if (topic ? spec.isQueueType() : spec.isTopicType()) {
      throw new ResourceException(
          lookup
              + " is a "
              + (topic ? "Topic" : "Queue")
              + ", but destinationType says "
              + spec.getDestinationType());
    }
    if (!topic && spec.isDurable()) {
      throw new ResourceException(
          lookup + " is a Queue, but subscriptionDurability Durable goes with a Topic only");
    }
    try {
      return new JndiLookups(name(found, topic), topic, factory);
    } catch (JMSException e) {
      throw new ResourceException("The destination " + lookup + " has no name", e);
    }
  }

  private static String name(Object found, boolean topic) throws JMSException {
    if (found instanceof MetaqDestination ours) {
      return ours.nameWithOptions();
    }
    return topic ? ((Topic) found).getTopicName() : ((Queue) found).getQueueName();
  }

  @SuppressWarnings("BanJNDI") // the names come from the deployed bean, not from messages
  private static Object find(String name) throws ResourceException {
    try {
      Object found = new InitialContext().lookup(name);
      if (found == null) {
        throw new ResourceException("Nothing is bound to " + name + " in the bean's namespace");
      }
      return found;
    } catch (NamingException e) {
      throw new ResourceException(
          "Nothing is bound to " + name + " in the bean's namespace: " + e.getMessage(), e);
    }
  }

  /** Of a destination that may be a JNDI name or a plain one. */
  @SuppressWarnings("BanJNDI") // as above
  private static Object findIfBound(String name) {
    try {
      return new InitialContext().lookup(name);
    } catch (NamingException e) {
      return "not bound: " + e.getMessage();
    }
  }
}
