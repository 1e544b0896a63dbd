package io.metaq.jms;

import io.metaq.wire.DestinationKind;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;

/**
 * What a consumer was asked to be; from it the consumer is made again after a reconnect.
 *
 * @param subscriptionName null where the subscription has no name
 * @param selector null for none
 */
record ConsumerSpec(
    SubscriptionKind kind,
    MetaqDestination destination,
    String subscriptionName,
    String selector,
    boolean noLocal,
    boolean exclusive,
    int priority) {

  Consume frame(int consumerId, int sessionId) {
    DestinationKind kindOfDestination = destination.kind();
    return new Consume(
        consumerId,
        sessionId,
        kind,
        kindOfDestination,
        destination.name(),
        subscriptionName,
        selector,
        noLocal,
        exclusive,
        priority);
  }

  String doing() {
    String what =
        switch (kind) {
          case BROWSER -> "Browsing ";
          case QUEUE -> "Consuming from ";
          default -> "Subscribing to ";
        };
    return what + destination + (subscriptionName == null ? "" : " as " + subscriptionName);
  }
}
