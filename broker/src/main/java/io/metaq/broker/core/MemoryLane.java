package io.metaq.broker.core;

import io.metaq.wire.MessageFrames;
import java.nio.ByteBuffer;

/**
 * The messages of a destination that need not survive the broker: non-persistent ones outside
 * transactions, and all of a temporary destination. A message goes when the last subscription that
 * was there when it came has done with it.
 */
final class MemoryLane extends Lane {
  private static final int OVERHEAD = 200;

  private static final class Slot {
    private final ByteBuffer record;
    private int needed;

    private Slot(ByteBuffer record, int needed) {
      this.record = record;
      this.needed = needed;
    }
  }

  private final LongMap<Slot> slots = new LongMap<>();
  private long bytes;

  MemoryLane(long first) {
    super(MessageFrames.MEMORY_LANE, first);
  }

  long bytes() {
    return bytes;
  }

  int size() {
    return slots.size();
  }

  static long cost(int recordSize) {
    return (long) recordSize + OVERHEAD;
  }

  /** Counts a message that will come. */
  void reserve(int recordSize) {
    bytes += cost(recordSize);
  }

  void unreserve(int recordSize) {
    bytes -= cost(recordSize);
  }

  /** Adds a message that {@code needed} subscriptions are to get; returns its sequence. */
  long add(ByteBuffer record, int needed) {
    long sequence = next++;
    slots.put(sequence, new Slot(record, needed));
    bytes += cost(record.remaining());
    priorities.add(sequence, RecordView.priority(record));
    correlations.add(sequence, CorrelationIndex.hash(record));
    return sequence;
  }

  @Override
  ByteBuffer record(long sequence) {
    Slot slot = slots.get(sequence);
    return slot == null ? null : slot.record;
  }

  @Override
  boolean isDurable() {
    return false;
  }

  @Override
  void done(long sequence) {
    Slot slot = slots.get(sequence);
    if (slot != null && --slot.needed <= 0) {
      slots.remove(sequence);
      bytes -= cost(slot.record.remaining());
      priorities.remove(sequence, RecordView.priority(slot.record));
      while (first < next && slots.get(first) == null) {
        first++;
      }
      correlations.dropBelow(first);
    }
  }
}
