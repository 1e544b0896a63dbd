package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends messages that nobody holds: all of them for an operator, or the oldest ones to make room.
 */
final class Purge {
  private static final int LARGEST_GROUP = 10_000;

  private final Recorder recorder;
  private final Settlement settlement;

  Purge(Recorder recorder, Settlement settlement) {
    this.recorder = recorder;
    this.settlement = settlement;
  }

  /** All that is not out with a consumer or a transaction; returns how many. */
  long all(Subscription subscription) {
    long ended = 0;
    for (int lane = -1; lane < subscription.laneCount() - 1; lane++) {
      ended += some(subscription, lane, Long.MAX_VALUE);
    }
    return ended;
  }

  /**
   * Ends the oldest message of a lane for every subscription that has it free; false if there is
   * none.
   */
  boolean oldest(Destination destination, Lane lane) {
    long ended = 0;
    long oldest = Long.MAX_VALUE;
    Subscription slowest = null;
    for (Subscription subscription : destination.subscriptions) {
      long waiting = firstFree(subscription.lane(lane.number), 0, lane.next);
      if (waiting >= 0 && waiting < oldest) {
        oldest = waiting;
        slowest = subscription;
      }
    }
    if (slowest != null) {
      ended = some(slowest, lane.number, 1);
    }
    return ended > 0;
  }

  private long some(Subscription subscription, int laneNumber, long most) {
    LaneState state = subscription.lane(laneNumber);
    long end = subscription.destination.lane(laneNumber).next;
    List<Entry> entries = new ArrayList<>();
    long ended = 0;
    long first = firstFree(state, 0, end);
    while (first >= 0 && ended < most) {
      long last = first;
      while (last + 1 < end && ended + last - first + 1 < most && state.isFree(last + 1)) {
        last++;
      }
      ended += last - first + 1;
      if (subscription.isJournaled(laneNumber)) {
        entries.add(
            new Entry.Acked(subscription.destination.id, subscription.id, laneNumber, first, last));
      } else {
        settlement.acknowledged(subscription, laneNumber, first, last);
      }
      if (entries.size() >= LARGEST_GROUP) {
        recorder.record(new Entry.Group(entries), false);
        entries.clear();
      }
      first = firstFree(state, last + 1, end);
    }
    if (!entries.isEmpty()) {
      recorder.record(new Entry.Group(entries), true);
    }
    return ended;
  }

  private static long firstFree(LaneState state, long from, long end) {
    for (long at = state.acked.nextAbsent(from); at < end; at = state.acked.nextAbsent(at + 1)) {
      if (state.out.get(at) == null) {
        return at;
      }
    }
    return -1;
  }
}
