package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Ends messages whose time is over, with or without consumers. They wait in spans of a second, or
 * wider ones when their time to live is long, so that a million of them cost a few bytes each and a
 * due span is worked off in bounded steps.
 */
final class Expiry {
  private static final long SECOND = 1000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long AGAIN_MILLIS = 10 * SECOND;
  private static final int STEPS = 2000;

  private record LaneKey(long destination, int lane) implements Comparable<LaneKey> {
    @Override
    public int compareTo(LaneKey other) {
      int byId = Long.compare(destination, other.destination);
      return byId != 0 ? byId : Integer.compare(lane, other.lane);
    }
  }

  /** A span that is being worked off. */
  private record Work(LaneKey lane, long end) {}

  private final Destinations destinations;
  private final Moment moment;
  private final TreeMap<Long, TreeSet<LaneKey>> spans = new TreeMap<>();
  private final ArrayDeque<Work> due = new ArrayDeque<>();
  private Skipped skipped;
  private DeadLetters deadLetters;

  Expiry(Destinations destinations, Moment moment) {
    this.destinations = destinations;
    this.moment = moment;
  }

  void connect(Skipped endings, DeadLetters graveyard) {
    this.skipped = endings;
    this.deadLetters = graveyard;
  }

  /** Looks at the record only, so that a replay puts it into the same span. */
  void add(Destination destination, Lane lane, long sequence, ByteBuffer record) {
    long expiration = RecordView.expiration(record);
    if (expiration != 0) {
      long life = expiration - RecordView.content(record).acceptedAt();
      long width = life < 2 * MINUTE ? SECOND : life < 2 * HOUR ? MINUTE : HOUR;
      add(destination, lane, sequence, expiration, width);
    }
  }

  private void add(Destination destination, Lane lane, long sequence, long expiration, long width) {
    long end = (expiration + width - 1) / width * width;
    lane.expiries.computeIfAbsent(end, span -> new SequenceSet()).add(sequence);
    remember(end, new LaneKey(destination.id, lane.number));
  }

  private void remember(long end, LaneKey lane) {
    spans.computeIfAbsent(end, span -> new TreeSet<>()).add(lane);
  }

  /** After a restore: the spans of its partitions. */
  void index(Destination destination) {
    for (Partition partition : destination.partitions) {
      for (Long end : partition.expiries.keySet()) {
        remember(end, new LaneKey(destination.id, partition.number));
      }
    }
  }

  /** When to run next. */
  long next() {
    return !due.isEmpty() ? moment.now() : spans.isEmpty() ? Long.MAX_VALUE : spans.firstKey();
  }

  void run() {
    while (!spans.isEmpty() && spans.firstKey() <= moment.now()) {
      long end = spans.firstKey();
      spans.pollFirstEntry().getValue().forEach(key -> due.add(new Work(key, end)));
    }
    for (int step = 0; step < STEPS && !due.isEmpty(); step++) {
      Work work = due.peek();
      Destination destination = destinations.byId(work.lane().destination());
      Lane lane = destination == null ? null : destination.lane(work.lane().lane());
      SequenceSet sequences = lane == null ? null : lane.expiries.get(work.end());
      if (sequences == null || sequences.isEmpty()) {
        due.poll();
        if (sequences != null) {
          lane.expiries.remove(work.end());
        }
      } else {
        long sequence = sequences.next(0);
        sequences.remove(sequence);
        if (sequence >= lane.first) {
          expire(destination, lane, sequence);
        }
      }
    }
  }

  private void expire(Destination destination, Lane lane, long sequence) {
    boolean out = false;
    for (Subscription subscription : destination.subscriptions) {
      LaneState state = subscription.lane(lane.number);
      if (state.acked.contains(sequence)) {
        continue;
      }
      if (state.out.get(sequence) != null) {
        out = true;
      } else if (!deadLetters.buryExpired(subscription, lane, sequence)) {
        skipped.skip(subscription, lane.number, sequence, sequence);
      }
    }
    if (out) {
      add(destination, lane, sequence, moment.now() + AGAIN_MILLIS, SECOND);
    }
  }
}
