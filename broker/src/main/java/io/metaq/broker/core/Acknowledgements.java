package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.MessageFrames.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * Acknowledges ranges of messages, and only what the consumer that they name was handed. What a
 * client repeats one-way after a reconnect is taken too, though it is out with nobody or somebody
 * else then; what a transaction holds is not. One who waits for the answer is told when a message
 * has come to somebody else meanwhile, and it is not taken then: nobody may see a message after its
 * former holder was told that it is done with.
 */
final class Acknowledgements {
  private final Destinations destinations;
  private final Settlement settlement;
  private Recorder recorder;

  Acknowledgements(Destinations destinations, Settlement settlement) {
    this.destinations = destinations;
    this.settlement = settlement;
  }

  void connect(Recorder entries) {
    this.recorder = entries;
  }

  /** Who acknowledges. */
  private record By(Connection connection, int consumerId, boolean awaited) {
    boolean mayAcknowledge(Delivery delivery) {
      boolean its = delivery.session.connection == connection && delivery.consumer.id == consumerId;
      return its || !awaited && isRepeated();
    }

    /** It was handed over on an earlier socket. */
    private boolean isRepeated() {
      return consumerId < connection.firstConsumer;
    }
  }

  /**
   * Returns whether all of it is acknowledged, or was; false if another one has part of it.
   *
   * @param awaited whether the client hears what has become of it
   */
  boolean acknowledge(Connection from, boolean awaited, List<Range> ranges, boolean force) {
    if (ranges.size() == 1) {
      Range range = ranges.get(0);
      if (range.first() == range.last()) {
        return acknowledge(range, new By(from, range.consumerId(), awaited), force);
      }
    }
    List<Entry> entries = new ArrayList<>();
    boolean all = true;
    for (Range range : ranges) {
      all &= collect(range, new By(from, range.consumerId(), awaited), entries);
    }
    if (!entries.isEmpty()) {
      recorder.record(entries.size() == 1 ? entries.get(0) : new Entry.Group(entries), force);
    }
    return all;
  }

  /** A message that is out with nobody is done with. */
  void done(long subscriptionId, int lane, long sequence) {
    acknowledge(new Range(0, subscriptionId, lane, sequence, sequence), null, false);
  }

  private boolean acknowledge(Range single, By by, boolean force) {
    int laneNumber = single.lane();
    long sequence = single.first();
    Subscription subscription = destinations.subscription(single.subscriptionId());
    LaneState lane = subscription == null ? null : subscription.lane(laneNumber);
    if (lane == null
        || sequence < 0
        || sequence >= subscription.destination.lane(laneNumber).next
        || lane.acked.contains(sequence)) {
      return true;
    }
    if (isTaken(by, lane, sequence)) {
      return false;
    }
    if (!subscription.isJournaled(laneNumber)) {
      settlement.acknowledged(subscription, laneNumber, sequence, sequence);
      return true;
    }
    recorder.record(
        new Entry.Acked(
            subscription.destination.id, subscription.id, laneNumber, sequence, sequence),
        force);
    return true;
  }

  /** A transaction holds it, or another consumer has it. */
  private static boolean isTaken(By by, LaneState lane, long sequence) {
    Delivery delivery = lane.out.get(sequence);
    return delivery != null
        && (delivery.holder != null
            || by != null && delivery.session != null && !by.mayAcknowledge(delivery));
  }

  /** Settles what needs no journal, collects entries for the rest; false if part of it is taken. */
  private boolean collect(Range range, By by, List<Entry> entries) {
    Subscription subscription = destinations.subscription(range.subscriptionId());
    LaneState lane = subscription == null ? null : subscription.lane(range.lane());
    if (lane == null) {
      return true;
    }
    boolean all = true;
    long end = Math.min(range.last(), subscription.destination.lane(range.lane()).next - 1);
    long first = lane.acked.nextAbsent(Math.max(0, range.first()));
    while (first <= end) {
      long last = lastBeforeTaken(by, lane, first, end);
      if (last >= first) {
        if (subscription.isJournaled(range.lane())) {
          entries.add(
              new Entry.Acked(
                  subscription.destination.id, subscription.id, range.lane(), first, last));
        } else {
          settlement.acknowledged(subscription, range.lane(), first, last);
        }
      }
      first = lane.acked.nextAbsent(Math.max(first, last + 1));
      while (first <= end && isTaken(by, lane, first)) {
        all = false;
        first++;
      }
    }
    return all;
  }

  private static long lastBeforeTaken(By by, LaneState lane, long first, long end) {
    if (lane.out.isEmpty()) {
      return end;
    }
    for (long sequence = first; sequence <= end; sequence++) {
      if (isTaken(by, lane, sequence)) {
        return sequence - 1;
      }
    }
    return end;
  }
}
