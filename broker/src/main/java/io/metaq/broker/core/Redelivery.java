package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.Attempts;
import io.metaq.broker.core.Subscription.LaneState;

/**
 * What becomes of messages that come back: those nobody has seen at once and in their place, the
 * others counted, perhaps after a rest, and in the end to the dead-letter queue.
 */
final class Redelivery {
  private final Dispatcher dispatcher;
  private final Timers timers;
  private final Moment moment;
  private final DeadLetters deadLetters;
  private Recorder recorder;

  Redelivery(Dispatcher dispatcher, Timers timers, Moment moment, DeadLetters deadLetters) {
    this.dispatcher = dispatcher;
    this.timers = timers;
    this.moment = moment;
    this.deadLetters = deadLetters;
  }

  void connect(Recorder entries) {
    this.recorder = entries;
  }

  /** Takes a delivery from its consumer; false if it is not out any more. */
  private static boolean takeBack(Delivery delivery) {
    LaneState lane = delivery.subscription.lane(delivery.lane);
    if (lane.out.get(delivery.sequence) != delivery) {
      return false;
    }
    lane.out.remove(delivery.sequence);
    if (delivery.session != null) {
      delivery.session.remove(delivery);
    }
    delivery.consumer = null;
    MessageGroups.settled(delivery);
    return !delivery.subscription.deleted;
  }

  /** The application has not seen it. */
  void unseen(Delivery delivery) {
    if (takeBack(delivery)) {
      LaneState lane = delivery.subscription.lane(delivery.lane);
      if (lane.isKnownOut(delivery.sequence)) {
        recorder.record(Dispatcher.count(delivery, lane.handed(delivery.sequence), 0), false);
      }
      free(delivery);
    }
  }

  /** The application was handed it. */
  void seen(Delivery delivery) {
    if (!takeBack(delivery)) {
      return;
    }
    Subscription subscription = delivery.subscription;
    LaneState lane = subscription.lane(delivery.lane);
    int count = lane.handed(delivery.sequence) + 1;
    DestinationSettings.Redelivery policy = subscription.destination.settings.redelivery();
    long delay = delay(policy, count, delivery.sequence);
    long notBefore = delay > 0 ? moment.now() + delay : 0;
    if (subscription.isJournaled(delivery.lane)) {
      recorder.record(Dispatcher.count(delivery, count, notBefore), false);
    } else {
      lane.attempts.put(delivery.sequence, new Attempts(count, notBefore));
    }
    if (policy.maxDeliveries() > 0
        && count >= policy.maxDeliveries()
        && deadLetters.takes(delivery)) {
      deadLetters.bury(delivery, count, this::free);
    } else if (delay > 0) {
      rest(delivery, notBefore);
    } else {
      free(delivery);
    }
  }

  /** Comes back when its time has come. */
  void rest(Delivery delivery, long until) {
    timers.at(
        until,
        () -> {
          if (!delivery.subscription.deleted
              && delivery.subscription.lane(delivery.lane).isFree(delivery.sequence)) {
            free(delivery);
          }
        });
  }

  private void free(Delivery delivery) {
    Subscription subscription = delivery.subscription;
    for (Scan scan : subscription.scans.values()) {
      scan.giveBack(delivery);
    }
    dispatcher.ready(subscription);
  }

  /**
   * Grows with the count; the jitter comes from the message's place, so that a replay makes the
   * same.
   */
  static long delay(DestinationSettings.Redelivery policy, int count, long sequence) {
    if (policy.delayMillis() <= 0) {
      return 0;
    }
    double grown = policy.delayMillis() * Math.pow(Math.max(1, policy.multiplier()), count - 1);
    double bounded =
        policy.maxDelayMillis() > 0
            ? Math.min(grown, policy.maxDelayMillis())
            : Math.min(grown, 1L << 50);
    if (policy.jitterPercent() > 0) {
      long mixed = (sequence * 31 + count) * 0x9e3779b97f4a7c15L;
      double unit = (mixed >>> 11) / (double) (1L << 53);
      bounded *= 1 + (2 * unit - 1) * policy.jitterPercent() / 100.0;
    }
    return Math.max(1, (long) bounded);
  }
}
