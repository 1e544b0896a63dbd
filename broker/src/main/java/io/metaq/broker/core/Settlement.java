package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.RecordFormat;
import java.nio.ByteBuffer;

/**
 * What follows on the state when a message is in, when a subscription has done with it, and when an
 * object ends: the bookkeeping that live operation and recovery share.
 */
final class Settlement {
  private final Dispatcher dispatcher;
  private final Bodies bodies;
  private final Expiry expiry;

  Settlement(Dispatcher dispatcher, Bodies bodies, Expiry expiry) {
    this.dispatcher = dispatcher;
    this.bodies = bodies;
    this.expiry = expiry;
  }

  /** A message is in a partition. */
  void appended(Destination destination, Partition partition, Entry.Appended entry) {
    ByteBuffer record = entry.record();
    destination.waitingMessages++;
    destination.waitingBytes += record.remaining();
    if (RecordFormat.isLarge(record)) {
      bodies.named(partition, entry.sequence(), record);
    }
    expiry.add(destination, partition, entry.sequence(), record);
    for (Subscription subscription : destination.subscriptions) {
      if (entry.notFor() != 0 && subscription.id >= entry.notFor()) {
        subscription.lane(partition.number).acked.add(entry.sequence(), entry.sequence());
      } else {
        dispatcher.arrived(subscription);
      }
    }
  }

  /** Both ends included; what is acknowledged already is passed over. */
  void acknowledged(Subscription subscription, int laneNumber, long first, long last) {
    LaneState state = subscription.lane(laneNumber);
    Lane lane = subscription.destination.lane(laneNumber);
    long end = Math.min(last, lane.next - 1);
    for (long sequence = state.acked.nextAbsent(Math.max(first, 0)); sequence <= end; ) {
      settle(subscription, state, lane, sequence);
      sequence = state.acked.nextAbsent(sequence + 1);
    }
    if (!subscription.destination.blocked.isEmpty()) {
      dispatcher.room(subscription.destination);
    }
  }

  private void settle(Subscription subscription, LaneState state, Lane lane, long sequence) {
    Delivery delivery = state.out.remove(sequence);
    if (delivery != null) {
      if (delivery.session != null) {
        delivery.session.remove(delivery);
      }
      if (MessageGroups.settled(delivery)) {
        dispatcher.ready(subscription);
      }
    }
    if (!state.attempts.isEmpty()) {
      state.attempts.remove(sequence);
    }
    state.acked.add(sequence, sequence);
    Destination destination = subscription.destination;
    if (lane.isDurable()) {
      settleDurable(destination, (Partition) lane, sequence, delivery);
    } else {
      doneInMemory(lane, sequence);
    }
  }

  /** Lets go of its large body too, if it was the last that needed it. */
  private void doneInMemory(Lane lane, long sequence) {
    ByteBuffer record = lane.record(sequence);
    lane.done(sequence);
    if (record != null && lane.record(sequence) == null) {
      bodies.releaseBody(record);
    }
  }

  private void settleDurable(
      Destination destination, Partition partition, long sequence, Delivery delivery) {
    if (destination.kind.isQueue()) {
      long size = delivery != null ? delivery.size : averageSize(destination);
      destination.waitingMessages--;
      destination.waitingBytes -= size;
      if (destination.waitingMessages <= 0) {
        destination.waitingMessages = 0;
        destination.waitingBytes = 0;
      }
      partition.done(sequence);
      partition.correlations.dropBelow(
          destination.queue().lane(partition.number).acked.watermark());
    } else if (destination.subscriptions.size() == 1) {
      partition.done(sequence);
    }
    if (partition.large != null) {
      bodies.settled(destination, partition, sequence);
    }
  }

  private static long averageSize(Destination destination) {
    return destination.waitingMessages <= 0
        ? 0
        : destination.waitingBytes / destination.waitingMessages;
  }

  /** A subscription ends: what it still held of the in-memory lane is done with. */
  void deleted(Subscription subscription) {
    dispatcher.ended(subscription);
    Destination destination = subscription.destination;
    for (int i = -1; i < destination.partitions.length; i++) {
      LaneState state = subscription.lane(i);
      state.out.forEach(
          (delivery, sequence) -> {
            if (delivery.session != null) {
              delivery.session.remove(delivery);
            }
          });
      state.out.clear();
      Lane lane = destination.lane(i);
      if (!lane.isDurable()) {
        for (long sequence = state.acked.nextAbsent(lane.first); sequence < lane.next; ) {
          doneInMemory(lane, sequence);
          sequence = state.acked.nextAbsent(sequence + 1);
        }
      } else if (((Partition) lane).large != null) {
        state.acked.add(0, lane.next - 1);
        bodies.settledAll(destination, (Partition) lane);
      }
    }
  }

  /** A destination ends with all its subscriptions. */
  void deleted(Destination destination) {
    for (Subscription subscription : java.util.List.copyOf(destination.subscriptions)) {
      deleted(subscription);
    }
    for (Partition partition : destination.partitions) {
      bodies.forget(partition);
    }
    dispatcher.room(destination);
  }
}
