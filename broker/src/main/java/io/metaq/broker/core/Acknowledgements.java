package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.MessageFrames.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * Acknowledges ranges of messages. What a client repeats after a reconnect is taken too, though it
 * is out with nobody then; what a transaction holds is not.
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

  /** Returns whether anything durable was changed. */
  boolean acknowledge(List<Range> ranges, boolean force) {
    if (ranges.size() == 1) {
      Range range = ranges.get(0);
      if (range.first() == range.last()) {
        return acknowledge(range.subscriptionId(), range.lane(), range.first(), force);
      }
    }
    List<Entry> entries = new ArrayList<>();
    for (Range range : ranges) {
      collect(range, entries);
    }
    if (entries.isEmpty()) {
      return false;
    }
    recorder.record(entries.size() == 1 ? entries.get(0) : new Entry.Group(entries), force);
    return true;
  }

  private boolean acknowledge(long subscriptionId, int laneNumber, long sequence, boolean force) {
    Subscription subscription = destinations.subscription(subscriptionId);
    LaneState lane = subscription == null ? null : subscription.lane(laneNumber);
    if (lane == null
        || sequence < 0
        || sequence >= subscription.destination.lane(laneNumber).next
        || lane.acked.contains(sequence)
        || isHeld(lane, sequence)) {
      return false;
    }
    if (!subscription.isJournaled(laneNumber)) {
      settlement.acknowledged(subscription, laneNumber, sequence, sequence);
      return false;
    }
    recorder.record(
        new Entry.Acked(
            subscription.destination.id, subscription.id, laneNumber, sequence, sequence),
        force);
    return true;
  }

  private static boolean isHeld(LaneState lane, long sequence) {
    Delivery delivery = lane.out.get(sequence);
    return delivery != null && delivery.holder != null;
  }

  /** Settles what needs no journal, collects entries for the rest. */
  private void collect(Range range, List<Entry> entries) {
    Subscription subscription = destinations.subscription(range.subscriptionId());
    LaneState lane = subscription == null ? null : subscription.lane(range.lane());
    if (lane == null) {
      return;
    }
    long end = Math.min(range.last(), subscription.destination.lane(range.lane()).next - 1);
    long first = lane.acked.nextAbsent(Math.max(0, range.first()));
    while (first <= end) {
      long last = subscription.held == 0 ? end : lastBeforeHeld(lane, first, end);
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
      while (first <= end && isHeld(lane, first)) {
        first++;
      }
    }
  }

  private static long lastBeforeHeld(LaneState lane, long first, long end) {
    for (long sequence = first; sequence <= end; sequence++) {
      if (isHeld(lane, sequence)) {
        return sequence - 1;
      }
    }
    return end;
  }
}
