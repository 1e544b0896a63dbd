package io.metaq.broker.store;

import io.metaq.broker.store.LogState.SegmentStart;
import io.metaq.broker.store.SegmentIndex.Header;
import io.metaq.broker.store.SegmentIndex.Mark;
import io.metaq.broker.store.SegmentIndex.Verified;
import io.metaq.wire.RecordFormat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Works out the state of a partition log from its files alone, where no snapshot says it: for the
 * offline tool, and for directories that another broker wrote. Reads no more than it must: with
 * sound indexes only the tail of the last segment.
 */
public final class LogInspector {
  private final Disk disk;

  public LogInspector(Disk disk) {
    this.disk = disk;
  }

  /**
   * What the files say.
   *
   * @param state with everything up to the last intact record
   * @param bytes of all segments
   * @param problems in words for an operator; empty when all fits together
   */
  public record Finding(LogState state, long bytes, List<String> problems) {
    public Finding {
      problems = List.copyOf(problems);
    }
  }

  /** A place up to which a segment was walked. */
  private record End(long seq, long offset) {}

  public Finding inspect(String directory) throws IOException {
    List<Long> offsets = new ArrayList<>();
    for (String name : disk.list(directory)) {
      long offset = Segment.parseOffset(name, Segment.SUFFIX);
      if (offset >= 0) {
        offsets.add(offset);
      }
    }
    List<String> problems = new ArrayList<>();
    List<SegmentStart> starts = new ArrayList<>();
    List<DeadRange> dead = new ArrayList<>();
    End end = new End(0, offsets.isEmpty() ? 0 : offsets.get(0));
    long bytes = 0;
    boolean sequencesKnown = true;
    for (int i = 0; i < offsets.size(); i++) {
      String path = directory + "/" + Segment.name(offsets.get(i)) + Segment.SUFFIX;
      long size = disk.size(path);
      bytes += size;
      Optional<Header> header = header(directory, offsets.get(i));
      if (header.isEmpty() && !sequencesKnown) {
        problems.add(
            disk.describe(path)
                + " has no index, and damage before it hides which record it begins with");
        break;
      }
      long firstSeq = header.map(Header::firstSeq).orElse(end.seq());
      header.ifPresent(h -> dead.addAll(h.dead()));
      Segment segment = new Segment(directory, offsets.get(i), firstSeq);
      starts.add(new SegmentStart(segment.offset(), firstSeq));
      boolean last = i == offsets.size() - 1;
      if (!last && segment.offset() + size != offsets.get(i + 1)) {
        problems.add(
            disk.describe(path)
                + " ends at byte "
                + (segment.offset() + size)
                + " but the next segment begins at "
                + offsets.get(i + 1));
      }
      if (!last && header(directory, offsets.get(i + 1)).isPresent()) {
        continue; // The next segment says itself where it begins.
      }
      end = walk(segment, size, dead);
      sequencesKnown = end.offset() == segment.offset() + size;
      if (!sequencesKnown) {
        problems.add(
            disk.describe(path)
                + (last ? " ends in " : " holds ")
                + (segment.offset() + size - end.offset())
                + " bytes that are no intact record");
      }
    }
    LogState state = new LogState(starts, end.seq(), end.offset(), end.seq(), end.offset(), dead);
    return new Finding(state, bytes, problems);
  }

  /** Steps over intact records from the youngest mark of the index, or from the beginning. */
  private End walk(Segment segment, long size, List<DeadRange> dead) throws IOException {
    long bound = segment.offset() + size;
    Mark from = youngestMark(segment, bound);
    long seq = from.seq();
    long offset = from.offset();
    try (DiskFile file = disk.openForRead(segment.path())) {
      RecordScanner scanner = new RecordScanner(file, segment.offset(), bound, 1 << 20);
      while (offset < bound) {
        Optional<DeadRange> skip = SegmentLookup.deadAt(dead, seq);
        if (skip.isPresent()) {
          seq = skip.get().toSeq();
          offset = skip.get().toOffset();
          continue;
        }
        int length = lengthOfRecord(scanner, offset, bound);
        if (length < 0) {
          break;
        }
        seq++;
        offset += length;
      }
    }
    return new End(seq, offset);
  }

  /** Of an intact record, or of a damaged one whose length leads to an intact one or to the end. */
  private static int lengthOfRecord(RecordScanner scanner, long offset, long bound)
      throws IOException {
    if (scanner.recordAt(offset).isPresent()) {
      return scanner.recordLength(offset);
    }
    int length = scanner.recordLength(offset);
    boolean plausible =
        length > RecordFormat.HEADER_SIZE
            && (offset + length == bound || scanner.recordAt(offset + length).isPresent());
    return plausible ? length : -1;
  }

  private Mark youngestMark(Segment segment, long bound) throws IOException {
    Mark beginning = new Mark(segment.firstSeq(), segment.offset(), 0);
    if (header(segment.path()).isEmpty()) {
      return beginning;
    }
    try (DiskFile index = disk.openForRead(segment.indexPath())) {
      Verified verified = SegmentIndex.verify(index, segment, bound);
      return verified.count() == 0 ? beginning : verified.last();
    }
  }

  private Optional<Header> header(String directory, long offset) throws IOException {
    return header(directory + "/" + Segment.name(offset) + Segment.SUFFIX);
  }

  private Optional<Header> header(String segmentPath) throws IOException {
    String path =
        segmentPath.substring(0, segmentPath.length() - Segment.SUFFIX.length())
            + Segment.INDEX_SUFFIX;
    if (!disk.exists(path)) {
      return Optional.empty();
    }
    try (DiskFile index = disk.openForRead(path)) {
      return SegmentIndex.readHeader(index);
    }
  }
}
