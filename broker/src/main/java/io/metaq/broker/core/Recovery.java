package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;

/** From a snapshot to a living core, and the marks of a clean end. */
final class Recovery {
  private final Destinations destinations;
  private final Producers producers;
  private final Bodies bodies;
  private final Expiry expiry;
  private final DelayedMessages delayed;
  private final IdClock ids;
  private final Moment moment;
  private final Recorder recorder;
  private final TransactionSink transactions;

  Recovery(
      Destinations destinations,
      Producers producers,
      Bodies bodies,
      Expiry expiry,
      DelayedMessages delayed,
      IdClock ids,
      Moment moment,
      Recorder recorder,
      TransactionSink transactions) {
    this.destinations = destinations;
    this.producers = producers;
    this.bodies = bodies;
    this.expiry = expiry;
    this.delayed = delayed;
    this.ids = ids;
    this.moment = moment;
    this.recorder = recorder;
    this.transactions = transactions;
  }

  void restore(SnapshotUnit unit) {
    switch (unit.kind()) {
      case DIRECTORY -> ids.seen(destinations.restoreDirectory(unit));
      case DESTINATION -> {
        Destination destination = destinations.restore(unit);
        ids.seen(destination.id);
        expiry.index(destination);
        for (Partition partition : destination.partitions) {
          holdBodies(partition);
        }
        if (destination.delayed != null) {
          holdBodies(destination.delayed);
        }
      }
      case PRODUCERS -> producers.restore(unit);
      case OUTCOMES, BRANCH, EXTENTS -> transactions.restore(unit);
    }
  }

  private void holdBodies(Partition partition) {
    if (partition.large != null) {
      partition.large.values().forEach(bodies::hold);
    }
  }

  /** Nobody is connected; what was out when the broker ended may have been seen. */
  void run() {
    producers.allGone(moment.now());
    for (Destination destination : destinations.all()) {
      for (Subscription subscription : destination.subscriptions) {
        for (int i = 0; i < destination.partitions.length; i++) {
          LaneState lane = subscription.lane(i);
          lane.suspectBelow = lane.marked;
        }
      }
      if (destination.kind.isQueue()) {
        estimate(destination);
      }
    }
    delayed.recovered();
    transactions.recovered();
    for (Destination destination : destinations.all()) {
      for (Subscription subscription : destination.subscriptions) {
        for (int i = 0; i < destination.partitions.length; i++) {
          subscription.lane(i).countWhatWasOut();
        }
      }
    }
  }

  private static void estimate(Destination destination) {
    destination.waitingMessages = destination.depth();
    destination.waitingBytes = destination.waitingMessages * destination.averageSize();
  }

  /** Everything that was seen is counted: nothing is suspect. */
  void markClean() {
    for (Destination destination : destinations.all()) {
      for (Subscription subscription : destination.subscriptions) {
        for (int i = 0; i < destination.partitions.length; i++) {
          Subscription.LaneState lane = subscription.lane(i);
          if (subscription.isJournaled(i) && lane.marked != lane.suspectBelow) {
            // What an earlier, unclean end left in doubt stays in doubt.
            recorder.record(
                new Entry.Dispatched(destination.id, subscription.id, i, lane.suspectBelow), false);
          }
        }
      }
    }
  }
}
