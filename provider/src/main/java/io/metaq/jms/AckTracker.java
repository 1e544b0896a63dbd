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
  private record Lane(long subscriptionId, int lane) {}

  /** A run of sequences; open at its end. */
  private static final class Run {
    private final long first;
    private long last;

    Run(long sequence) {
      first = sequence;
      last = sequence;
    }
  }

  private final Map<Lane, List<Run>> lanes = new LinkedHashMap<>();
  private Lane latest;
  private Run open;
  private int count;

  void add(Deliver delivery) {
    count++;
    if (open != null
        && latest.subscriptionId() == delivery.subscriptionId()
        && latest.lane() == delivery.lane()
        && open.last + 1 == delivery.sequence()) {
      open.last++;
      return;
    }
    latest = new Lane(delivery.subscriptionId(), delivery.lane());
    List<Run> runs = lanes.computeIfAbsent(latest, key -> new ArrayList<>());
    open = runs.isEmpty() ? null : runs.get(runs.size() - 1);
    if (open != null && open.last + 1 == delivery.sequence()) {
      open.last++;
    } else {
      open = new Run(delivery.sequence());
      runs.add(open);
    }
  }

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
        put(new Range(range.subscriptionId(), range.lane(), range.first(), single.first() - 1));
      }
      if (range.last() > single.first()) {
        put(new Range(range.subscriptionId(), range.lane(), single.first() + 1, range.last()));
      }
    }
  }

  /** Adds what {@link #take} took and could not be acknowledged. */
  void put(Range range) {
    Run run = new Run(range.first());
    run.last = range.last();
    lanes
        .computeIfAbsent(new Lane(range.subscriptionId(), range.lane()), key -> new ArrayList<>())
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
    lanes.forEach(
        (lane, runs) ->
            runs.forEach(
                run ->
                    ranges.add(
                        new Range(lane.subscriptionId(), lane.lane(), run.first, run.last))));
    clear();
    return ranges;
  }

  void clear() {
    lanes.clear();
    open = null;
    latest = null;
    count = 0;
  }

  static Range only(Deliver delivery) {
    return new Range(
        delivery.subscriptionId(), delivery.lane(), delivery.sequence(), delivery.sequence());
  }
}
