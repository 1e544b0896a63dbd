package io.metaq.broker.store;

import io.metaq.broker.store.SegmentIndex.Header;
import io.metaq.broker.store.SegmentIndex.Mark;
import io.metaq.broker.store.SegmentIndex.Verified;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Finds places in a segment through its index, and keeps the index whole: checks it once per start,
 * on first use, and makes what is missing again from the records.
 */
final class SegmentLookup {
  private final Disk disk;
  private final FileCache files;

  SegmentLookup(Disk disk, FileCache files) {
    this.disk = disk;
    this.files = files;
  }

  /**
   * The bounds of a segment: where it ends and which sequence comes behind it, with the log's dead
   * ranges.
   */
  record Bounds(long endOffset, long endSeq, List<DeadRange> dead) {}

  /** Begins the index of a new segment. */
  void begin(Segment segment) throws IOException {
    try (FileCache.Lease index = files.acquireOrCreate(segment.indexPath())) {
      index.file().truncate(0);
      index.file().write(SegmentIndex.header(segment.offset(), segment.firstSeq(), List.of()), 0);
    }
    segment.indexed(0, -1);
  }

  /** Sets a mark if the record at this place is far enough behind the former mark. */
  void mark(Segment segment, Mark mark) throws IOException {
    if (segment.lastMark() >= 0 && mark.offset() < segment.lastMark() + SegmentIndex.INTERVAL) {
      return;
    }
    try (FileCache.Lease index = files.acquireOrCreate(segment.indexPath())) {
      SegmentIndex.writeMark(index.file(), segment, segment.marks(), mark);
    }
    segment.indexed(segment.marks() + 1, mark.offset());
  }

  /** Whether a record at this offset would get a mark. */
  boolean wantsMark(Segment segment, long offset) {
    return segment.lastMark() < 0 || offset >= segment.lastMark() + SegmentIndex.INTERVAL;
  }

  void writeDead(Segment segment, List<DeadRange> dead) throws IOException {
    try (FileCache.Lease index = files.acquireOrCreate(segment.indexPath())) {
      index.file().write(SegmentIndex.header(segment.offset(), segment.firstSeq(), dead), 0);
    }
  }

  /**
   * The last mark for which a value is not above a target; the segment's own beginning when there
   * is none.
   */
  Mark floor(Segment segment, Bounds bounds, ToLongFunction<Mark> value, long target)
      throws IOException {
    ensureIndexed(segment, bounds);
    int number = search(segment, value, target);
    if (number < 0) {
      return new Mark(segment.firstSeq(), segment.offset(), 0);
    }
    try (FileCache.Lease index = files.acquire(segment.indexPath())) {
      return SegmentIndex.read(index.file(), segment, number);
    }
  }

  /** The first mark behind an offset; the end of the segment when there is none. */
  Mark ceilingBehind(Segment segment, Bounds bounds, long offset) throws IOException {
    ensureIndexed(segment, bounds);
    int number = search(segment, Mark::offset, offset) + 1;
    if (number >= segment.marks()) {
      return new Mark(bounds.endSeq(), bounds.endOffset(), 0);
    }
    try (FileCache.Lease index = files.acquire(segment.indexPath())) {
      Mark mark = SegmentIndex.read(index.file(), segment, number);
      return mark.offset() < bounds.endOffset()
          ? mark
          : new Mark(bounds.endSeq(), bounds.endOffset(), 0);
    }
  }

  private int search(Segment segment, ToLongFunction<Mark> value, long target) throws IOException {
    int low = 0;
    int high = segment.marks() - 1;
    if (high < 0) {
      return -1;
    }
    try (FileCache.Lease index = files.acquire(segment.indexPath())) {
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (value.applyAsLong(SegmentIndex.read(index.file(), segment, middle)) <= target) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
    }
    return high;
  }

  /**
   * Checks the index of a segment and completes it from the records, unless that was done since the
   * start.
   */
  void ensureIndexed(Segment segment, Bounds bounds) throws IOException {
    synchronized (segment) {
      if (segment.isIndexed()) {
        return;
      }
      if (files.isReadOnly()) {
        useAsItIs(segment, bounds);
        return;
      }
      try (FileCache.Lease index = files.acquireOrCreate(segment.indexPath())) {
        Optional<Header> header = SegmentIndex.readHeader(index.file());
        boolean sound =
            header.isPresent()
                && header.get().segmentOffset() == segment.offset()
                && header.get().firstSeq() == segment.firstSeq();
        if (!sound) {
          index.file().truncate(0);
          index
              .file()
              .write(SegmentIndex.header(segment.offset(), segment.firstSeq(), bounds.dead()), 0);
        }
        Verified verified = SegmentIndex.verify(index.file(), segment, bounds.endOffset());
        index.file().truncate(SegmentIndex.HEADER + (long) verified.count() * SegmentIndex.MARK);
        segment.indexed(verified.count(), verified.count() == 0 ? -1 : verified.last().offset());
      }
      if (bounds.endOffset() > segment.offset()) {
        complete(segment, bounds);
      }
    }
  }

  private void useAsItIs(Segment segment, Bounds bounds) throws IOException {
    Verified verified = new Verified(0, new Mark(0, -1, 0));
    if (disk.exists(segment.indexPath())) {
      try (FileCache.Lease index = files.acquire(segment.indexPath())) {
        if (SegmentIndex.readHeader(index.file()).isPresent()) {
          verified = SegmentIndex.verify(index.file(), segment, bounds.endOffset());
        }
      }
    }
    segment.indexed(verified.count(), verified.count() == 0 ? -1 : verified.last().offset());
  }

  /**
   * Walks from the last sound mark to the end; stops at damage that is not known yet, behind which
   * no sequence is certain.
   */
  private void complete(Segment segment, Bounds bounds) throws IOException {
    long time = disk.lastModifiedMillis(segment.path());
    try (FileCache.Lease data = files.acquire(segment.path())) {
      RecordScanner scanner =
          new RecordScanner(
              data.file(), segment.offset(), bounds.endOffset(), SegmentIndex.INTERVAL * 8);
      long seq = segment.firstSeq();
      long offset = segment.offset();
      if (segment.marks() > 0) {
        try (FileCache.Lease index = files.acquire(segment.indexPath())) {
          Mark last = SegmentIndex.read(index.file(), segment, segment.marks() - 1);
          seq = last.seq();
          offset = last.offset();
          time = last.timeMillis();
        }
      }
      while (offset < bounds.endOffset() && seq < bounds.endSeq()) {
        Optional<DeadRange> dead = deadAt(bounds.dead(), seq);
        if (dead.isPresent()) {
          seq = dead.get().toSeq();
          offset = dead.get().toOffset();
          continue;
        }
        Optional<ByteBuffer> record = scanner.recordAt(offset);
        if (record.isEmpty()) {
          return;
        }
        mark(segment, new Mark(seq, offset, time));
        offset += record.get().remaining();
        seq++;
      }
    }
  }

  static Optional<DeadRange> deadAt(List<DeadRange> dead, long seq) {
    for (DeadRange range : dead) {
      if (range.containsSeq(seq)) {
        return Optional.of(range);
      }
    }
    return Optional.empty();
  }
}
