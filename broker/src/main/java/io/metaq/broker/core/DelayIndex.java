package io.metaq.broker.core;

import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which delayed messages of a destination are due in which hour. Only the hours that are near are
 * looked at one by one; a far message costs its place in a bitmap.
 */
final class DelayIndex {
  static final long HOUR = 3_600_000;

  private final TreeMap<Long, SequenceSet> hours = new TreeMap<>();

  static long hour(long time) {
    return time / HOUR;
  }

  void add(long sequence, long dueAt) {
    hours.computeIfAbsent(hour(dueAt), hour -> new SequenceSet()).add(sequence);
  }

  void remove(long sequence) {
    hours.values().forEach(hour -> hour.remove(sequence));
    hours.values().removeIf(SequenceSet::isEmpty);
  }

  boolean contains(long sequence) {
    return hours.values().stream().anyMatch(hour -> hour.contains(sequence));
  }

  /** First hour that holds any, or {@link Long#MAX_VALUE}. */
  long firstHour(long from) {
    Long first = hours.ceilingKey(from);
    return first == null ? Long.MAX_VALUE : first;
  }

  /** The messages of an hour; null if there are none. */
  SequenceSet inHour(long hour) {
    return hours.get(hour);
  }

  long size() {
    return hours.values().stream().mapToLong(SequenceSet::size).sum();
  }

  /** The lowest sequences, so many at most, up to one that is due before the hour. */
  long[] first(int most, long hour) {
    long[] found = new long[most];
    int count = 0;
    long from = 0;
    while (count < most) {
      long lowest = Long.MAX_VALUE;
      long dueIn = 0;
      for (Map.Entry<Long, SequenceSet> one : hours.entrySet()) {
        long next = one.getValue().next(from);
        if (next >= 0 && next < lowest) {
          lowest = next;
          dueIn = one.getKey();
        }
      }
      if (lowest == Long.MAX_VALUE || dueIn < hour) {
        break;
      }
      found[count++] = lowest;
      from = lowest + 1;
    }
    return Arrays.copyOf(found, count);
  }

  /** Lowest sequence that is not yet due, or {@code end} if there is none. */
  long lowest(long end) {
    long lowest = end;
    for (SequenceSet hour : hours.values()) {
      long first = hour.next(0);
      if (first >= 0) {
        lowest = Math.min(lowest, first);
      }
    }
    return lowest;
  }

  void encode(WireWriter out) {
    out.i32(hours.size());
    hours.forEach(
        (hour, sequences) -> {
          out.i64(hour);
          sequences.encode(out);
        });
  }

  static DelayIndex decode(WireReader in) {
    DelayIndex index = new DelayIndex();
    int count = in.i32();
    for (int i = 0; i < count; i++) {
      index.hours.put(in.i64(), SequenceSet.decode(in));
    }
    return index;
  }
}
