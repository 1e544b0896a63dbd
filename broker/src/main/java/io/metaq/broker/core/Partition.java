package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Position;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The core's knowledge of one partition log: where it goes on, where its segments begin, and what
 * of it is in memory.
 */
final class Partition extends Lane {
  /**
   * Number of the log that keeps a destination's delayed messages until they are due. Nobody
   * subscribes to it.
   */
  static final int DELAYED = -2;

  /**
   * @param millis when its first record was accepted, and so when the segment before it was full
   */
  private record SegmentStart(long sequence, long offset, long millis) {}

  private final RecordCache cache;
  final LongMap<RecordCache.Cached> cached = new LongMap<>();
  private final List<SegmentStart> segments = new ArrayList<>();
  private long nextOffset;

  /**
   * Bodies in the body store that messages still needed name, by sequence; null until there is one.
   */
  TreeMap<Long, Long> large;

  /** All below this can be read from the log. */
  long written;

  Partition(int number, Position start, RecordCache cache) {
    super(number, start.sequence());
    this.cache = cache;
    this.nextOffset = start.offset();
    this.written = start.sequence();
  }

  long nextOffset() {
    return nextOffset;
  }

  /** What the log holds. */
  long bytes() {
    return segments.isEmpty() ? 0 : nextOffset - segments.get(0).offset();
  }

  Position position() {
    return new Position(next, nextOffset);
  }

  /** Whether a record at this offset begins a segment. */
  boolean rolls(long segmentSize, long offset) {
    return segments.isEmpty() || offset - segments.get(segments.size() - 1).offset() >= segmentSize;
  }

  void append(long sequence, long offset, boolean newSegment, ByteBuffer record) {
    if (newSegment) {
      long millis = IdClock.timeOf(RecordView.messageId(record));
      segments.add(new SegmentStart(sequence, offset, millis));
    }
    next = sequence + 1;
    nextOffset = offset + record.remaining();
    priorities.add(sequence, RecordView.priority(record));
    correlations.add(sequence, CorrelationIndex.hash(record));
    cache.put(this, sequence, record);
  }

  @Override
  ByteBuffer record(long sequence) {
    RecordCache.Cached entry = cached.get(sequence);
    return entry == null ? null : entry.record();
  }

  @Override
  boolean isDurable() {
    return true;
  }

  @Override
  void done(long sequence) {
    cache.drop(this, sequence);
  }

  /**
   * First sequence of the first segment that has to stay, because it holds {@code needed} or was
   * not full by the time {@code endedBy}: everything before may go. Equal to {@link #first} if
   * nothing may.
   */
  long droppableBelow(long needed, long endedBy) {
    long start = first;
    for (SegmentStart segment : segments) {
      if (segment.sequence() > needed || segment.millis() > endedBy) {
        break;
      }
      start = segment.sequence();
    }
    return Math.max(start, first);
  }

  void dropBelow(long sequence) {
    segments.removeIf(segment -> segment.sequence() < sequence);
    first = sequence;
    priorities.removeBelow(sequence);
    correlations.dropBelow(sequence);
  }

  void forget() {
    cache.drop(this);
  }

  void encode(WireWriter out) {
    out.i32(number).i64(first).i64(next).i64(nextOffset).i32(segments.size());
    segments.forEach(
        segment -> out.i64(segment.sequence()).i64(segment.offset()).i64(segment.millis()));
    priorities.encode(out);
    encodeExpiries(out);
    correlations.encode(out);
    out.i32(large == null ? 0 : large.size());
    if (large != null) {
      large.forEach((sequence, fileId) -> out.i64(sequence).i64(fileId));
    }
  }

  static Partition decode(WireReader in, RecordCache cache) {
    int number = in.i32();
    long first = in.i64();
    Partition partition = new Partition(number, new Position(in.i64(), in.i64()), cache);
    partition.first = first;
    partition.segments.addAll(
        in.list(24, segment -> new SegmentStart(segment.i64(), segment.i64(), segment.i64())));
    partition.priorities = PriorityIndex.decode(in);
    partition.decodeExpiries(in);
    partition.correlations.decode(in);
    int count = in.i32();
    if (count > 0) {
      partition.large = new TreeMap<>();
      for (int i = 0; i < count; i++) {
        partition.large.put(in.i64(), in.i64());
      }
    }
    return partition;
  }
}
