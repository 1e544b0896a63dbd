package io.metaq.broker.core;

import io.metaq.broker.core.Destinations.SubscriptionKey;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.util.Objects;

/**
 * Which subscription stands behind a consumer; for those that are durable {@link
 * DurableSubscriptions} knows.
 */
final class Subscriptions {
  private final Destinations destinations;
  private final Lookup lookup;
  private final IdClock ids;
  private final Moment moment;
  private final DurableSubscriptions durables;

  Subscriptions(
      Destinations destinations,
      Lookup lookup,
      IdClock ids,
      Moment moment,
      DurableSubscriptions durables) {
    this.destinations = destinations;
    this.lookup = lookup;
    this.ids = ids;
    this.moment = moment;
    this.durables = durables;
  }

  /** The subscription that a consumer is to get, created if need be. */
  Subscription of(Connection connection, Consume consume, String selector) {
    SubscriptionKind kind = consume.kind();
    DestinationKind destinationKind = consume.destinationKind();
    boolean queue = kind == SubscriptionKind.QUEUE || kind == SubscriptionKind.BROWSER;
    if (queue != destinationKind.isQueue()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "a subscription of kind "
              + kind
              + " on the "
              + destinationKind
              + " "
              + consume.destination());
    }
    Destination destination =
        lookup.resolveToConsume(connection, destinationKind, consume.destination());
    if (queue) {
      return destination.queue();
    }
    if (kind == SubscriptionKind.NON_DURABLE) {
      return transientSubscription(
          destination, false, connection.clientId, null, selector, consume.noLocal());
    }
    checkName(consume.subscriptionName());
    if (kind.isDurable()) {
      return durables.onTopic(connection, consume, destination, selector);
    }
    return sharedNonDurable(connection, consume.subscriptionName(), destination, selector);
  }

  /** The durable subscription on a pattern that a consumer is to get, created if need be. */
  DurablePattern durablePattern(Connection connection, Consume consume, String selector) {
    checkName(consume.subscriptionName());
    return durables.onPattern(connection, consume, selector);
  }

  /** The part of a pattern's consumer that is on this topic. */
  Subscription matching(Consumer consumer, Consume consume, Destination topic) {
    Connection connection = consumer.session.connection;
    if (consumer.pattern != null) {
      return durables.partOn(consumer.pattern, topic);
    }
    if (consume.kind().isShared()) {
      String name = consume.subscriptionName() + " of " + consume.destination() + " " + topic.name;
      return sharedNonDurable(connection, name, topic, consumer.selector);
    }
    return transientSubscription(
        topic, false, connection.clientId, null, consumer.selector, consume.noLocal());
  }

  static void checkName(String name) {
    boolean fits =
        name != null
            && !name.isEmpty()
            && name.length() <= 1024
            && name.chars().noneMatch(Character::isISOControl);
    if (!fits) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "a subscription name has 1 to 1024 characters, none of them a control character");
    }
  }

  /** One that lives as long as its consumers. */
  Subscription transientSubscription(
      Destination destination,
      boolean shared,
      String clientId,
      String name,
      String selector,
      boolean noLocal) {
    Subscription subscription =
        new Subscription(
            ids.next(moment.now()),
            destination,
            0,
            false,
            shared,
            clientId,
            name,
            selector,
            noLocal);
    destinations.add(subscription);
    return subscription;
  }

  Subscription sharedNonDurable(
      Connection connection, String name, Destination destination, String selector) {
    SubscriptionKey key = new SubscriptionKey(false, connection.clientId, name);
    Subscription found = destinations.subscription(key);
    if (found == null) {
      return transientSubscription(destination, true, connection.clientId, name, selector, false);
    }
    if (found.destination != destination || !Objects.equals(found.selector, selector)) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "the shared subscription "
              + name
              + " is active on "
              + found.destination
              + " with selector "
              + found.selector);
    }
    return found;
  }
}
