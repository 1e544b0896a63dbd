package io.metaq.broker.store;

import io.metaq.broker.store.SegmentIndex.Mark;
import io.metaq.broker.store.SegmentLookup.Bounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Reads a partition log as one {@link LogView} of it shows. Every record is checked before it is
 * handed out; where one is damaged the read ends and the damage is measured. It remembers where the
 * last few reads ended, so a reader that goes on does not search.
 */
final class LogReader {
  private static final int HINTS = 4;

  /** What a record is taken to need before it is seen, and the most that is read at a time. */
  private static final int USUAL_RECORD = 2 << 10;

  private static final int LARGEST_PIECE = 1 << 20;

  private final FileCache files;
  private final SegmentLookup lookup;
  private volatile AtomicReferenceArray<Mark> hints;
  private int nextHint;

  LogReader(FileCache files, SegmentLookup lookup) {
    this.files = files;
    this.lookup = lookup;
  }

  LogReadResult read(LogView view, long fromSeq, int maxRecords, int maxBytes) throws IOException {
    if (fromSeq >= view.nextSeq()) {
      return new LogReadResult(List.of(), fromSeq, Optional.empty());
    }
    if (fromSeq < view.firstSeq()) {
      return new LogReadResult(List.of(), view.firstSeq(), Optional.empty());
    }
    Optional<DeadRange> known = SegmentLookup.deadAt(view.dead(), fromSeq);
    if (known.isPresent()) {
      return new LogReadResult(List.of(), known.get().toSeq(), known);
    }
    int number = view.segmentOfSeq(fromSeq);
    Segment segment = view.segments()[number];
    Bounds bounds = view.bounds(number);
    Mark start = startFor(segment, bounds, fromSeq);
    Run run = new Run(view, segment, bounds, start);
    try (FileCache.Lease data = files.acquire(segment.path())) {
      long likely = Math.min(maxBytes, Math.min(LARGEST_PIECE, (long) maxRecords * USUAL_RECORD));
      long ahead = likely + (start.seq() == fromSeq ? 0 : SegmentIndex.INTERVAL);
      run.scan(
          data.file(),
          (int) Math.min(ahead, bounds.endOffset() - start.offset()),
          fromSeq,
          maxRecords,
          maxBytes);
    }
    remember(new Mark(run.seq, run.offset, 0));
    return new LogReadResult(run.records, run.dead.map(DeadRange::toSeq).orElse(run.seq), run.dead);
  }

  long offsetOf(LogView view, long seq) throws IOException {
    if (seq >= view.nextSeq() || view.segments().length == 0) {
      return view.endOffset();
    }
    long wanted = Math.max(seq, view.firstSeq());
    int number = view.segmentOfSeq(wanted);
    return walk(
            view,
            number,
            lookup.floor(view.segments()[number], view.bounds(number), Mark::seq, wanted),
            wanted,
            Long.MAX_VALUE)
        .offset();
  }

  long seqAt(LogView view, long offset) throws IOException {
    if (offset >= view.endOffset() || view.segments().length == 0) {
      return view.nextSeq();
    }
    int number = view.segments().length - 1;
    while (number > 0 && view.segments()[number].offset() > offset) {
      number--;
    }
    return walk(
            view,
            number,
            lookup.floor(view.segments()[number], view.bounds(number), Mark::offset, offset),
            Long.MAX_VALUE,
            offset)
        .seq();
  }

  long seqAtTime(LogView view, long timeMillis) throws IOException {
    for (int number = view.segments().length - 1; number >= 0; number--) {
      Segment segment = view.segments()[number];
      // The last mark that is older: what follows it may already be young enough.
      Mark mark = lookup.floor(segment, view.bounds(number), Mark::timeMillis, timeMillis - 1);
      if (mark.timeMillis() > 0 || number == 0) {
        return mark.seq();
      }
    }
    return view.nextSeq();
  }

  /** Steps over records from a mark until a sequence or an offset is reached. */
  private Mark walk(LogView view, int number, Mark from, long toSeq, long toOffset)
      throws IOException {
    Segment segment = view.segments()[number];
    Run run = new Run(view, segment, view.bounds(number), from);
    try (FileCache.Lease data = files.acquire(segment.path())) {
      run.scanner =
          new RecordScanner(
              data.file(), segment.offset(), run.bounds.endOffset(), SegmentIndex.INTERVAL);
      while (run.seq < toSeq && run.offset < toOffset && run.seq < run.bounds.endSeq()) {
        Optional<DeadRange> dead = run.deadHere();
        if (dead.isEmpty()) {
          run.step();
        } else {
          run.seq = dead.get().toSeq();
          run.offset = dead.get().toOffset();
        }
      }
    }
    return new Mark(run.seq, run.offset, 0);
  }

  private Mark startFor(Segment segment, Bounds bounds, long seq) throws IOException {
    AtomicReferenceArray<Mark> known = hints;
    if (known != null) {
      for (int i = 0; i < HINTS; i++) {
        Mark hint = known.get(i);
        if (hint != null
            && hint.seq() == seq
            && hint.offset() >= segment.offset()
            && hint.offset() < bounds.endOffset()) {
          return hint;
        }
      }
    }
    return lookup.floor(segment, bounds, Mark::seq, seq);
  }

  private synchronized void remember(Mark end) {
    if (hints == null) {
      hints = new AtomicReferenceArray<>(HINTS);
    }
    hints.set(nextHint, end);
    nextHint = (nextHint + 1) % HINTS;
  }

  /** One pass over a segment. */
  private final class Run {
    private final LogView view;
    private final Segment segment;
    private final Bounds bounds;
    private final List<LogRecord> records = new ArrayList<>();
    private RecordScanner scanner;
    private DiskFile file;
    private long seq;
    private long offset;
    private Optional<DeadRange> dead = Optional.empty();

    Run(LogView view, Segment segment, Bounds bounds, Mark start) {
      this.view = view;
      this.segment = segment;
      this.bounds = bounds;
      this.seq = start.seq();
      this.offset = start.offset();
    }

    void scan(DiskFile data, int expectedBytes, long fromSeq, int maxRecords, int maxBytes)
        throws IOException {
      file = data;
      scanner = new RecordScanner(data, segment.offset(), bounds.endOffset(), expectedBytes);
      int bytes = 0;
      while (records.size() < maxRecords && seq < bounds.endSeq()) {
        dead = deadHere();
        if (dead.isPresent()) {
          if (dead.get().toSeq() > fromSeq) {
            return;
          }
          seq = dead.get().toSeq();
          offset = dead.get().toOffset();
          continue;
        }
        if (seq >= fromSeq
            && !records.isEmpty()
            && bytes + scanner.recordLength(offset) > maxBytes) {
          return;
        }
        Optional<ByteBuffer> record = scanner.recordAt(offset);
        if (record.isEmpty()) {
          DeadRange found = measureDamage();
          if (found.toSeq() > fromSeq) {
            dead = Optional.of(found);
            return;
          }
          // Damage before what is asked for is reported to whoever asks for it.
          seq = found.toSeq();
          offset = found.toOffset();
          continue;
        }
        int length = record.get().remaining();
        if (seq >= fromSeq) {
          records.add(new LogRecord(seq, offset, record.get()));
          bytes += length;
        }
        offset += length;
        seq++;
      }
    }

    /** Steps over one record, or over damage. */
    void step() throws IOException {
      Optional<ByteBuffer> record = scanner.recordAt(offset);
      if (record.isPresent()) {
        offset += record.get().remaining();
        seq++;
      } else {
        Mark sound = lookup.ceilingBehind(segment, bounds, offset);
        offset = sound.offset();
        seq = sound.seq();
      }
    }

    Optional<DeadRange> deadHere() {
      return view.dead().isEmpty() ? Optional.empty() : SegmentLookup.deadAt(view.dead(), seq);
    }

    private DeadRange measureDamage() throws IOException {
      Mark sound = lookup.ceilingBehind(segment, bounds, offset);
      long limit = Math.min(sound.offset() - offset, 4 << 20);
      RecordScanner probing =
          new RecordScanner(file, segment.offset(), sound.offset(), (int) limit);
      return new DamageProbe(probing).probe(seq, offset, sound.seq(), sound.offset());
    }
  }
}
