package io.metaq.jms;

import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The messages that a session has handed to the application and not acknowledged, in runs. Not
 * thread-safe: the session's lock guards it.
 */
final class AckTracker {
  /** Where a run of sequences came from. */
  private record Source(int consumerId, long subscriptionId, int lane) {
    boolean is(Deliver delivery) {
      return consumerId == delivery.consumerId()
          && subscriptionId == delivery.subscriptionId()
          && lane == delivery.lane();
    }

    Range range(long first, long last) {
      return new Range(consumerId, subscriptionId, lane, first, last);
    }
  }

  /** A run of sequences; open at its end. */
  private static final class Run {
    private final long first;
    private long last;

    Run(long sequence) {
      first = sequence;
      last = sequence;
    }
  }

  private final Map<Source, List<Run>> sources = new LinkedHashMap<>();
  private Source latest;
  private Run open;
  private int count;

  void add(Deliver delivery) {
    count++;
    if (open != null && latest.is(delivery) && open.last + 1 == delivery.sequence()) {
      open.last++;
      return;
    }
    latest = new Source(delivery.consumerId(), delivery.subscriptionId(), delivery.lane());
    List<Run> runs = sources.computeIfAbsent(latest, key -> new ArrayList<>());
    open = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    if (open != null && open.last + 1 == delivery.sequence()) {
      open.last++;
    } else {
      open = new Run(delivery.sequence());
      runs.add(open);
    }
  }

  /** The message, whichever consumer it came to: after a reconnect that has another id. */
  void remove(Range single) {
    List<Range> all = take();
    for (Range range : all) {
      boolean same =
          range.subscriptionId() == single.subscriptionId() && range.lane() == single.lane();
      if (!same || single.first() < range.first() || single.first() > range.last()) {
        put(range);
        continue;
      }
      if (range.first() < single.first()) {
        put(part(range, range.first(), single.first() - 1));
      }
      if (range.last() > single.first()) {
        put(part(range, single.first() + 1, range.last()));
      }
    }
  }

  private static Range part(Range whole, long first, long last) {
    return new Range(whole.consumerId(), whole.subscriptionId(), whole.lane(), first, last);
  }

  /** Adds what {@link #take} took and could not be acknowledged. */
  void put(Range range) {
    Run run = new Run(range.first());
    run.last = range.last();
    sources
        .computeIfAbsent(
            new Source(range.consumerId(), range.subscriptionId(), range.lane()),
            key -> new ArrayList<>())
        .add(run);
    count += (int) (range.last() - range.first() + 1);
    open = null;
  }

  /** How many messages stand here. */
  int count() {
    return count;
  }

  /** Returns and forgets all. */
  List<Range> take() {
    if (count == 0) {
      return List.of();
    }
    List<Range> ranges = new ArrayList<>();
    sources.forEach(
        (source, runs) -> runs.forEach(run -> ranges.add(source.range(run.first, run.last))));
    clear();
    return ranges;
  }

  void clear() {
    sources.clear();
    open = null;
    latest = null;
    count = 0;
  }
}
