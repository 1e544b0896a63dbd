package io.metaq.broker.engine;

import io.metaq.broker.core.SnapshotUnit;
import io.metaq.broker.store.DeadRange;
import io.metaq.broker.store.LogState;
import io.metaq.broker.store.LogState.SegmentStart;
import io.metaq.wire.WireException;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The sections of a snapshot file: objects of the core as they are, and one section that says which
 * partition logs there are and where they stand. Each object keeps its section key as long as it
 * lives.
 */
final class SnapshotSections {
  private static final int LOGS = 255;
  private static final long LOGS_KEY = 0;

  private record ObjectId(SnapshotUnit.Kind kind, long id) {}

  /** A partition log as a snapshot knows it. */
  record LogEntry(LogId id, String name, LogState state) {}

  /** What a section turned out to be: one of the two is there. */
  record Section(SnapshotUnit unit, long logsIndex, List<LogEntry> logs) {}

  private final Map<ObjectId, Long> keys = new HashMap<>();
  private long lastKey = LOGS_KEY;

  long key(SnapshotUnit unit) {
    return keys.computeIfAbsent(new ObjectId(unit.kind(), unit.id()), id -> ++lastKey);
  }

  long logsKey() {
    return LOGS_KEY;
  }

  static ByteBuffer encode(SnapshotUnit unit) {
    WireWriter out = new WireWriter(64 + unit.bytes().remaining());
    out.u8(unit.kind().ordinal()).i64(unit.id()).i64(unit.index()).i64(unit.changedAt());
    return out.raw(unit.bytes()).written();
  }

  /**
   * @param index the last entry of which the set of logs knows
   */
  static ByteBuffer encode(long index, List<LogEntry> logs) {
    WireWriter out = new WireWriter(64 + 100 * logs.size());
    out.u8(LOGS).i64(index).i32(logs.size());
    for (LogEntry log : logs) {
      LogState state = log.state();
      out.i64(log.id().destinationId()).i32(log.id().partition()).string(log.name());
      out.i64(state.nextSeq()).i64(state.endOffset());
      out.i64(state.forcedSeq()).i64(state.forcedOffset());
      out.i32(state.segments().size());
      state.segments().forEach(segment -> out.i64(segment.offset()).i64(segment.firstSeq()));
      out.i32(state.dead().size());
      for (DeadRange range : state.dead()) {
        out.i64(range.fromSeq()).i64(range.toSeq()).i64(range.fromOffset()).i64(range.toOffset());
      }
    }
    return out.written();
  }

  Section decode(long key, ByteBuffer payload) {
    // The core keeps parts of what it restores; the payload's memory is the store's.
    ByteBuffer copy = ByteBuffer.allocate(payload.remaining()).put(payload).flip();
    WireReader in = new WireReader(copy);
    int kind = in.u8();
    lastKey = Math.max(lastKey, key);
    if (kind == LOGS) {
      return new Section(null, in.i64(), in.list(56, SnapshotSections::log));
    }
    SnapshotUnit.Kind[] kinds = SnapshotUnit.Kind.values();
    if (kind >= kinds.length) {
      throw new WireException("a snapshot holds an object of unknown kind " + kind);
    }
    SnapshotUnit unit = new SnapshotUnit(kinds[kind], in.i64(), in.i64(), in.i64(), in.rest());
    keys.put(new ObjectId(unit.kind(), unit.id()), key);
    return new Section(unit, 0, List.of());
  }

  private static LogEntry log(WireReader in) {
    LogId id = new LogId(in.i64(), in.i32());
    String name = in.text();
    long nextSeq = in.i64();
    long endOffset = in.i64();
    long forcedSeq = in.i64();
    long forcedOffset = in.i64();
    List<SegmentStart> segments = new ArrayList<>();
    int segmentCount = in.i32();
    for (int i = 0; i < segmentCount; i++) {
      segments.add(new SegmentStart(in.i64(), in.i64()));
    }
    List<DeadRange> dead = new ArrayList<>();
    int deadCount = in.i32();
    for (int i = 0; i < deadCount; i++) {
      dead.add(new DeadRange(in.i64(), in.i64(), in.i64(), in.i64()));
    }
    return new LogEntry(
        id,
        name,
        durable(new LogState(segments, nextSeq, endOffset, forcedSeq, forcedOffset, dead)));
  }

  /**
   * A log as far as its own files are known to hold it. What it had beyond that may be torn, or not
   * there at all; the journal has it, and the replay writes it again.
   */
  private static LogState durable(LogState state) {
    return new LogState(
        state.segments().stream().filter(s -> s.firstSeq() < state.forcedSeq()).toList(),
        state.forcedSeq(),
        state.forcedOffset(),
        state.forcedSeq(),
        state.forcedOffset(),
        state.dead().stream().filter(range -> range.toSeq() <= state.forcedSeq()).toList());
  }
}
