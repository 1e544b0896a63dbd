package io.metaq.broker.core;

import io.metaq.broker.core.Destinations.SubscriptionKey;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Which subscription stands behind a consumer. Identity is (durable or not, client id or none,
 * name); an identity is bound to one topic, selector and noLocal, and changing them creates it anew
 * while nobody uses it.
 */
final class Subscriptions {
  private final Destinations destinations;
  private final Lookup lookup;
  private final IdClock ids;
  private final Moment moment;
  private final Recorder recorder;

  Subscriptions(
      Destinations destinations, Lookup lookup, IdClock ids, Moment moment, Recorder recorder) {
    this.destinations = destinations;
    this.lookup = lookup;
    this.ids = ids;
    this.moment = moment;
    this.recorder = recorder;
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
      return durable(connection, consume, destination, selector);
    }
    return sharedNonDurable(connection, consume.subscriptionName(), destination, selector);
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
            ids.next(moment.now()), destination, false, shared, clientId, name, selector, noLocal);
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

  private Subscription durable(
      Connection connection, Consume consume, Destination destination, String selector) {
    boolean shared = consume.kind().isShared();
    if (destination.kind.isTemporary()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, "a durable subscription on the temporary " + destination);
    }
    if (!shared && connection.clientId == null) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE, "an unshared durable subscription needs a client id");
    }
    String name = consume.subscriptionName();
    boolean noLocal = !shared && consume.noLocal();
    Subscription found =
        destinations.subscription(new SubscriptionKey(true, connection.clientId, name));
    if (found != null) {
      boolean same =
          found.shared == shared
              && found.destination == destination
              && Objects.equals(found.selector, selector)
              && found.noLocal == noLocal;
      if (found.hasConsumers() && (!shared || !same)) {
        throw new CoreException(
            ErrorCode.IN_USE,
            "the durable subscription "
                + name
                + " on "
                + found.destination
                + " has an active consumer");
      }
      if (same) {
        return found;
      }
      if (found.shared != shared) {
        throw new CoreException(
            ErrorCode.IN_USE,
            "the durable subscription "
                + name
                + " exists as "
                + (found.shared ? "a shared" : "an unshared")
                + " one; unsubscribe it first");
      }
      deleteDurable(found);
    }
    List<Long> from = new ArrayList<>();
    for (Partition partition : destination.partitions) {
      from.add(partition.next);
    }
    long id = ids.next(moment.now());
    recorder.record(
        new Entry.SubscriptionCreated(
            destination.id, id, shared, connection.clientId, name, selector, noLocal, from),
        true);
    return destinations.subscription(id);
  }

  private void deleteDurable(Subscription subscription) {
    if (subscription.hasConsumers()) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "the durable subscription "
              + subscription.name
              + " has an active consumer; close it first");
    }
    if (subscription.inFlight() > 0) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "messages of the durable subscription "
              + subscription.name
              + " are delivered and not acknowledged; acknowledge them first");
    }
    if (subscription.pins > 0 || subscription.held > 0) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "a transaction holds messages of the durable subscription "
              + subscription.name
              + "; complete it first");
    }
    recorder.record(
        new Entry.SubscriptionDeleted(subscription.destination.id, subscription.id), true);
  }

  void unsubscribe(Connection connection, String name) {
    delete(connection.clientId, name);
  }

  /** {@code clientId} null for none. */
  void delete(String clientId, String name) {
    Subscription found = destinations.subscription(new SubscriptionKey(true, clientId, name));
    if (found == null) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "there is no durable subscription "
              + name
              + (clientId == null ? " without client id" : " of client id " + clientId));
    }
    deleteDurable(found);
  }
}
