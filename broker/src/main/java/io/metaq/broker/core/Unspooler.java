package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Extent;
import io.metaq.broker.core.Entry.ExtentsCommitted;
import io.metaq.broker.core.Entry.ExtentsPlaced;
import io.metaq.broker.core.Entry.PreparedSend;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives the messages of large committed transactions their places, piece by piece from the extents
 * they stand in, while everything else goes on. That they are sent was decided by one small entry;
 * after a crash this goes on where it was. One transaction after the other, in the order of their
 * commits, and each is answered when its last message has its place, so that what its sessions send
 * next stands behind it. One whose extent cannot be read is tried again from time to time and holds
 * up nobody else's.
 */
final class Unspooler {
  private static final int READ_BYTES = 320 << 10;
  private static final long RETRY_MILLIS = 1_000;
  private static final long LONGEST_RETRY_MILLIS = 60_000;

  /** A committed transaction with messages that have no places yet. */
  private static final class Committed {
    private final long id;
    private final List<Extent> extents;
    private final List<Runnable> waiting = new ArrayList<>();
    private int extent;
    private long offset;
    private long changed;

    /** Reads that failed one after the other; while it is not 0, nobody waits for this one. */
    private int failures;

    private boolean resting;

    Committed(long id, List<Extent> extents) {
      this.id = id;
      this.extents = extents;
    }

    boolean isDone() {
      return extent >= extents.size();
    }
  }

  private final Effects effects;
  private final Spills spills;
  private final Timers timers;
  private final Moment moment;
  private final Recorder recorder;
  private final Map<Long, Committed> open = new LinkedHashMap<>();
  private TransactionSends sends;
  private Committed reading;
  private int asked;
  private boolean live;

  Unspooler(Effects effects, Spills spills, Timers timers, Moment moment, Recorder recorder) {
    this.effects = effects;
    this.spills = spills;
    this.timers = timers;
    this.moment = moment;
    this.recorder = recorder;
  }

  void connect(TransactionSends transactionSends) {
    this.sends = transactionSends;
  }

  /** What names a transaction with these extents; 0 if there are none. */
  static long id(List<Extent> extents) {
    return extents.isEmpty() ? 0 : extents.get(0).fileId();
  }

  /** The transaction that comes last of those that can be placed, or 0. */
  long last() {
    long last = 0;
    for (Committed committed : open.values()) {
      if (committed.failures == 0) {
        last = committed.id;
      }
    }
    return last;
  }

  /** Of messages that have no places yet. */
  long bytes() {
    long bytes = 0;
    for (Committed committed : open.values()) {
      for (int i = committed.extent; i < committed.extents.size(); i++) {
        bytes += committed.extents.get(i).length();
      }
      bytes -= committed.offset;
    }
    return bytes;
  }

  /** Runs the action when the transaction's messages all have their places: now, if it has none. */
  void whenPlaced(long id, Runnable action) {
    Committed committed = open.get(id);
    if (committed == null) {
      action.run();
    } else {
      committed.waiting.add(action);
    }
  }

  void apply(long index, ExtentsCommitted entry) {
    if (open.containsKey(entry.id())) {
      return;
    }
    add(new Committed(entry.id(), entry.extents())).changed = index;
    if (live) {
      readNext();
    }
  }

  private Committed add(Committed committed) {
    open.put(committed.id, committed);
    committed.extents.subList(committed.extent, committed.extents.size()).forEach(spills::hold);
    return committed;
  }

  /** A snapshot may know better than an older entry. */
  void apply(long index, ExtentsPlaced entry) {
    Committed committed = open.get(entry.id());
    if (committed == null || entry.extent() < committed.extent) {
      return;
    }
    committed.changed = index;
    for (; committed.extent < entry.extent(); committed.extent++) {
      spills.release(committed.extents.get(committed.extent));
      committed.offset = 0;
    }
    committed.offset = Math.max(committed.offset, entry.offset());
    if (committed.isDone()) {
      open.remove(committed.id);
    }
  }

  /** The replay is over. */
  void recovered() {
    live = true;
    readNext();
  }

  private void readNext() {
    if (reading != null) {
      return;
    }
    for (Committed committed : open.values()) {
      if (!committed.resting) {
        reading = committed;
        read(READ_BYTES);
        return;
      }
    }
  }

  private void read(int length) {
    asked = length;
    effects.readExtent(extent().fileId(), reading.offset, length);
  }

  private Extent extent() {
    return reading.extents.get(reading.extent);
  }

  /** What {@link Effects#readExtent} brought. */
  void read(ByteBuffer bytes, String failure) {
    if (failure != null) {
      again(failure, null);
      return;
    }
    int length = SpillPiece.length(bytes);
    if (length > asked && reading.offset + length <= extent().length()) {
      read(length);
      return;
    }
    List<PreparedSend> list;
    try {
      list = SpillPiece.decode(bytes);
    } catch (RuntimeException damaged) {
      again(damaged.getMessage(), damaged);
      return;
    }
    place(list, length);
  }

  private void place(List<PreparedSend> list, int length) {
    Committed committed = reading;
    reading = null;
    committed.failures = 0;
    long offset = committed.offset + length;
    boolean extentEnds = offset >= committed.extents.get(committed.extent).length();
    List<Entry> parts = new ArrayList<>();
    sends.place(list, true, parts);
    parts.add(
        new ExtentsPlaced(
            committed.id, committed.extent + (extentEnds ? 1 : 0), extentEnds ? 0 : offset));
    // First, while the extent still holds their large bodies.
    sends.deliver(list, true);
    recorder.record(new Entry.Group(parts), true);
    sends.trim(list);
    if (committed.isDone()) {
      committed.waiting.forEach(Runnable::run);
    }
    readNext();
  }

  /**
   * Nothing is skipped: this transaction is tried until it succeeds, more and more rarely, and its
   * trouble is said each time; the others go on meanwhile.
   */
  private void again(String why, RuntimeException cause) {
    Committed troubled = reading;
    reading = null;
    effects.report(
        "a committed transaction: "
            + messagesLeft(troubled)
            + " of its messages cannot be placed before byte "
            + troubled.offset
            + " of bodies/"
            + String.format("%016x", troubled.extents.get(troubled.extent).fileId())
            + ".body can be read; it is tried again, other transactions go on: "
            + why,
        cause);
    long delay = Math.min(LONGEST_RETRY_MILLIS, RETRY_MILLIS << Math.min(troubled.failures, 6));
    troubled.failures++;
    troubled.resting = true;
    timers.at(
        moment.now() + delay,
        () -> {
          troubled.resting = false;
          readNext();
        });
    readNext();
  }

  /** Of the extent that cannot be read and those behind it; some may have their places. */
  private static String messagesLeft(Committed committed) {
    long messages = 0;
    for (Extent extent : committed.extents.subList(committed.extent, committed.extents.size())) {
      for (Entry.Share share : extent.messages()) {
        messages += share.messages();
      }
    }
    return (committed.offset == 0 ? "" : "up to ") + messages;
  }

  List<SnapshotUnit> snapshot(long index) {
    List<SnapshotUnit> units = new ArrayList<>();
    for (Committed committed : open.values()) {
      WireWriter out = new WireWriter();
      out.i32(committed.extent).i64(committed.offset);
      EntryCodec.encodeExtents(committed.extents, out);
      units.add(
          new SnapshotUnit(
              SnapshotUnit.Kind.EXTENTS,
              committed.id,
              index,
              committed.changed,
              ByteBuffer.wrap(out.toByteArray())));
    }
    return units;
  }

  void restore(SnapshotUnit unit) {
    WireReader in = new WireReader(unit.bytes());
    int extent = in.i32();
    long offset = in.i64();
    Committed committed = new Committed(unit.id(), EntryCodec.decodeExtents(in));
    committed.extent = extent;
    committed.offset = offset;
    committed.changed = unit.changedAt();
    add(committed);
  }
}
