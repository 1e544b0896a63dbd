package io.metaq.jms;

import io.metaq.selector.Selector;
import io.metaq.selector.SelectorSyntaxException;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.JMSException;

/**
 * What the specification demands of the arguments of a consumer before the broker is asked; makes
 * the specs of consumers.
 */
final class SubscriptionRules {
  private static final int LONGEST_NAME = 128;

  private final ConnectionCore connection;

  SubscriptionRules(ConnectionCore connection) {
    this.connection = connection;
  }

  ConsumerSpec consumer(Destination destination, String selector, boolean noLocal)
      throws JMSException {
    MetaqDestination target = consumable(destination);
    ClientOptions options = connection.options();
    boolean queue = target.kind().isQueue();
    return new ConsumerSpec(
        queue ? SubscriptionKind.QUEUE : SubscriptionKind.NON_DURABLE,
        target,
        null,
        checked(selector),
        !queue && noLocal,
        queue && target.consumerOptions().exclusiveOr(options.exclusiveConsumers()),
        target.consumerOptions().priorityOr(options.consumerPriority()));
  }

  ConsumerSpec browser(Destination destination, String selector) throws JMSException {
    MetaqDestination target = consumable(destination);
    return new ConsumerSpec(
        SubscriptionKind.BROWSER, target, null, checked(selector), false, false, 0);
  }

  ConsumerSpec subscription(
      SubscriptionKind kind, Destination topic, String name, String selector, boolean noLocal)
      throws JMSException {
    MetaqDestination target = consumable(topic);
    if (target.kind().isQueue()) {
      throw new InvalidDestinationException(target + " is a queue; only topics have subscriptions");
    }
    requireName(name);
    if (kind.isDurable() && target.kind().isTemporary()) {
      throw new InvalidDestinationException(
          "A temporary topic such as " + target + " has no durable subscriptions");
    }
    if (kind == SubscriptionKind.DURABLE && connection.clientId() == null) {
      throw new IllegalStateException(
          "An unshared durable subscription ("
              + name
              + ") needs a client id; set one, or use a shared one");
    }
    return new ConsumerSpec(
        kind,
        target,
        name,
        checked(selector),
        noLocal,
        false,
        target.consumerOptions().priorityOr(connection.options().consumerPriority()));
  }

  private MetaqDestination consumable(Destination destination) throws JMSException {
    MetaqDestination target = Destinations.ours(destination);
    if (target.kind().isTemporary() && !connection.destinations().owns(target)) {
      throw new InvalidDestinationException(
          target
              + " is temporary: only the connection that created it, and only until it is deleted,"
              + " can consume from it");
    }
    return target;
  }

  private static void requireName(String name) throws JMSException {
    if (name == null || name.isEmpty() || name.length() > LONGEST_NAME) {
      throw new JMSException("The name of a subscription has 1 to " + LONGEST_NAME + " characters");
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isISOControl(c)) {
        throw new JMSException(
            "The name of a subscription has a control character at position " + i);
      }
    }
  }

  /** Null for one that selects everything. Names a fault before it reaches the wire. */
  private static String checked(String selector) throws InvalidSelectorException {
    try {
      return Selector.parse(selector).matchesAll() ? null : selector;
    } catch (SelectorSyntaxException e) {
      InvalidSelectorException invalid = new InvalidSelectorException(e.getMessage());
      invalid.initCause(e);
      throw invalid;
    }
  }
}
