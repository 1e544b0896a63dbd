package io.metaq.broker.core;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Messages that a topic subscription will never deliver, since its selector or noLocal excludes
 * them. They are acknowledged in runs, so that a selective subscription costs few entries and still
 * lets go of what it does not need.
 */
final class Skipped {
  private static final int LONGEST = 256;

  private record Run(Subscription subscription, int lane, long first, long last) {}

  private record Key(long subscription, int lane) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int byId = Long.compare(subscription, other.subscription);
      return byId != 0 ? byId : Integer.compare(lane, other.lane);
    }
  }

  private final Settlement settlement;
  private final TreeMap<Key, Run> runs = new TreeMap<>();
  private Recorder recorder;

  Skipped(Settlement settlement) {
    this.settlement = settlement;
  }

  void connect(Recorder entries) {
    this.recorder = entries;
  }

  /** Both ends included. */
  void skip(Subscription subscription, int lane, long first, long last) {
    if (!subscription.isJournaled(lane)) {
      settlement.acknowledged(subscription, lane, first, last);
      return;
    }
    Key key = new Key(subscription.id, lane);
    Run run = runs.get(key);
    if (run != null && first == run.last() + 1) {
      run = new Run(subscription, lane, run.first(), last);
    } else {
      if (run != null) {
        write(run);
      }
      run = new Run(subscription, lane, first, last);
    }
    runs.put(key, run);
    if (run.last() - run.first() >= LONGEST) {
      runs.remove(key);
      write(run);
    }
  }

  void flush() {
    if (!runs.isEmpty()) {
      List<Run> all = new ArrayList<>(runs.values());
      runs.clear();
      all.forEach(this::write);
    }
  }

  private void write(Run run) {
    Subscription subscription = run.subscription();
    if (!subscription.deleted) {
      recorder.record(
          new Entry.Acked(
              subscription.destination.id, subscription.id, run.lane(), run.first(), run.last()),
          false);
    }
  }
}
