package io.metaq.broker.core;

import io.metaq.broker.core.tx.Work;
import java.util.ArrayList;
import java.util.List;

/**
 * What one transaction has gathered: messages that have no place yet, and deliveries that it holds
 * until it acknowledges them or gives them back.
 */
final class TransactionWork implements Work {
  final List<Entry.PreparedSend> sends = new ArrayList<>();
  final List<Delivery> held = new ArrayList<>();

  /** Earlier messages, too many for memory; null for none. */
  Spill spill;

  /** Bytes of messages in memory. */
  long bytes;

  /** Taken up from a snapshot or the journal. */
  boolean restored;

  /** In a replay: what a prepared branch will hold when it is over; else null. */
  List<Entry.Held> facts;

  /** Index of the entry that last changed a prepared branch. */
  long changed;

  /** Why it can only be rolled back, or null. */
  String doom;

  boolean hasSends() {
    return !sends.isEmpty() || spill != null;
  }

  /** What has been made durable of its messages ahead of the commit. */
  List<Entry.Extent> extents() {
    return spill == null ? List.of() : spill.extents();
  }

  void doom(String why) {
    if (doom == null) {
      doom = why;
    }
  }

  @Override
  public boolean isEmpty() {
    return sends.isEmpty() && spill == null && held.isEmpty() && doom == null;
  }
}
