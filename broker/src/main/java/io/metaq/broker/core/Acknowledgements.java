package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.MessageFrames.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * Acknowledges ranges of messages. What a client repeats after a reconnect is taken too, though it
 * is out with nobody or somebody else then; what a transaction holds is not. One who waits for the
 * answer is told when a message has come to another connection meanwhile, and it is not taken then:
 * nobody may see a message after its former holder was told that it is done with.
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

  /**
   * Returns whether all of it is acknowledged, or was; false if another one has part of it.
   *
   * @param from whose deliveries these have to be if they are out; null = anybody's
   */
  boolean acknowledge(Connection from, List<Range> ranges, boolean force) {
    if (ranges.size() == 1) {
      Range range = ranges.get(0);
      if (range.first() == range.last()) {
        return acknowledge(from, range.subscriptionId(), range.lane(), range.first(), force);
      }
    }
    List<Entry> entries = new ArrayList<>();
    boolean all = true;
    for (Range range : ranges) {
      all &= collect(from, range, entries);
    }
    if (!entries.isEmpty()) {
      recorder.record(entries.size() == 1 ? entries.get(0) : new Entry.Group(entries), force);
    }
    return all;
  }

  /** A message that is out with nobody is done with. */
  void done(long subscriptionId, int lane, long sequence) {
    acknowledge(null, subscriptionId, lane, sequence, false);
  }

  private boolean acknowledge(
      Connection from, long subscriptionId, int laneNumber, long sequence, boolean force) {
    Subscription subscription = destinations.subscription(subscriptionId);
    LaneState lane = subscription == null ? null : subscription.lane(laneNumber);
    if (lane == null
        || sequence < 0
        || sequence >= subscription.destination.lane(laneNumber).next
        || lane.acked.contains(sequence)) {
      return true;
    }
    if (isTaken(from, lane, sequence)) {
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

  /** A transaction holds it, or another connection has it. */
  private static boolean isTaken(Connection from, LaneState lane, long sequence) {
    Delivery delivery = lane.out.get(sequence);
    return delivery != null
        && (delivery.holder != null
            || from != null && delivery.session != null && delivery.session.connection != from);
  }

  /** Settles what needs no journal, collects entries for the rest; false if part of it is taken. */
  private boolean collect(Connection from, Range range, List<Entry> entries) {
    Subscription subscription = destinations.subscription(range.subscriptionId());
    LaneState lane = subscription == null ? null : subscription.lane(range.lane());
    if (lane == null) {
      return true;
    }
    boolean all = true;
    long end = Math.min(range.last(), subscription.destination.lane(range.lane()).next - 1);
    long first = lane.acked.nextAbsent(Math.max(0, range.first()));
    while (first <= end) {
      long last = lastBeforeTaken(from, lane, first, end);
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
      while (first <= end && isTaken(from, lane, first)) {
        all = false;
        first++;
      }
    }
    return all;
  }

  private static long lastBeforeTaken(Connection from, LaneState lane, long first, long end) {
    if (lane.out.isEmpty()) {
      return end;
    }
    for (long sequence = first; sequence <= end; sequence++) {
      if (isTaken(from, lane, sequence)) {
        return sequence - 1;
      }
    }
    return end;
  }
}
