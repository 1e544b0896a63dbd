package io.metaq.broker.core;

import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;

/**
 * Which messages of a lane have another priority than the default one. A million messages of the
 * default priority cost nothing here, and a message of priority 9 behind them is found at once.
 */
final class PriorityIndex {
  static final int DEFAULT = 4;
  static final int HIGHEST = 9;

  private final SequenceSet[] byPriority = new SequenceSet[HIGHEST + 1];
  private final SequenceSet others = new SequenceSet();

  void add(long sequence, int priority) {
    if (priority != DEFAULT) {
      if (byPriority[priority] == null) {
        byPriority[priority] = new SequenceSet();
      }
      byPriority[priority].add(sequence);
      others.add(sequence);
    }
  }

  void remove(long sequence, int priority) {
    if (priority != DEFAULT && byPriority[priority] != null) {
      byPriority[priority].remove(sequence);
      others.remove(sequence);
    }
  }

  void removeBelow(long sequence) {
    if (!others.isEmpty()) {
      others.removeBelow(sequence);
      for (SequenceSet set : byPriority) {
        if (set != null) {
          set.removeBelow(sequence);
        }
      }
    }
  }

  /** Whether any message of this priority may be there. */
  boolean has(int priority) {
    return priority == DEFAULT || byPriority[priority] != null && !byPriority[priority].isEmpty();
  }

  /** Whether all messages have the default priority. */
  boolean isPlain() {
    return others.isEmpty();
  }

  /** First message of the priority at or above {@code from} and below {@code end}, or -1. */
  long next(int priority, long from, long end) {
    long found;
    if (priority == DEFAULT) {
      found = others.isEmpty() ? from : others.nextAbsent(from);
    } else {
      found = byPriority[priority] == null ? -1 : byPriority[priority].next(from);
    }
    return found < end ? found : -1;
  }

  /** First message at or above {@code from} that has not the default priority, or -1. */
  long nextOther(long from) {
    return others.next(from);
  }

  void encode(WireWriter out) {
    for (int priority = 0; priority <= HIGHEST; priority++) {
      if (priority != DEFAULT) {
        SequenceSet set = byPriority[priority];
        out.bool(set != null);
        if (set != null) {
          set.encode(out);
        }
      }
    }
  }

  static PriorityIndex decode(WireReader in) {
    PriorityIndex index = new PriorityIndex();
    for (int priority = 0; priority <= HIGHEST; priority++) {
      if (priority != DEFAULT && in.bool()) {
        SequenceSet set = SequenceSet.decode(in);
        index.byPriority[priority] = set;
        for (long seq = set.next(0); seq >= 0; seq = set.next(seq + 1)) {
          index.others.add(seq);
        }
      }
    }
    return index;
  }
}
