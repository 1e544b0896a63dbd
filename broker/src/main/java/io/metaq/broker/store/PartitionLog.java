package io.metaq.broker.store;

import io.metaq.broker.store.LogState.SegmentStart;
import io.metaq.broker.store.SegmentIndex.Mark;
import io.metaq.broker.store.SegmentLookup.Bounds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The records of one partition, in MetaQ's byte format: segment files that hold records and nothing
 * else, never longer than their data. It is derived from the journal: whoever writes it says at
 * which offset and sequence, so that a replay writes the same bytes at the same place, and may do
 * so again and again.
 *
 * <p>One thread writes ({@link #roll}, {@link #append}, {@link #force}, {@link #dropBefore} and the
 * like; calls are serialised by a lock); any number of threads read at the same time without one.
 * An idle log costs a few hundred bytes of memory and no open file.
 */
public final class PartitionLog {
  private final Disk disk;
  private final FileCache files;
  private final SegmentLookup lookup;
  private final LogName name;
  private final String directory;
  private final LogReader reader;

  private volatile LogView view;
  private TreeSet<Long> unforced = new TreeSet<>();
  private boolean namesUnforced;
  private boolean directoryUnforced;
  private long forcedSeq;
  private long forcedOffset;
  private long repairFrom = -1;
  private long repairTo = -1;

  PartitionLog(Disk disk, FileCache files, String directory, LogName name, LogState state) {
    this.disk = disk;
    this.files = files;
    this.lookup = new SegmentLookup(disk, files);
    this.directory = directory;
    this.name = name;
    this.reader = new LogReader(files, lookup);
    Segment[] segments =
        state.segments().stream()
            .map(start -> new Segment(directory, start.offset(), start.firstSeq()))
            .toArray(Segment[]::new);
    this.view = new LogView(segments, state.nextSeq(), state.endOffset(), state.dead());
    this.forcedSeq = state.forcedSeq();
    this.forcedOffset = state.forcedOffset();
  }

  public LogName name() {
    return name;
  }

  /** The directory, relative to the data directory. */
  public String directory() {
    return directory;
  }

  public long firstSeq() {
    return view.firstSeq();
  }

  public long nextSeq() {
    return view.nextSeq();
  }

  public long endOffset() {
    return view.endOffset();
  }

  /** What the next snapshot has to say of this log. */
  public synchronized LogState state() {
    LogView now = view;
    List<SegmentStart> segments = new ArrayList<>(now.segments().length);
    for (Segment segment : now.segments()) {
      segments.add(new SegmentStart(segment.offset(), segment.firstSeq()));
    }
    return new LogState(
        segments, now.nextSeq(), now.endOffset(), forcedSeq, forcedOffset, now.dead());
  }

  /**
   * Begins a segment at the end of the log. Says the journal; a log's first segment is begun like
   * any other. Repeating it for the segment that already begins there changes nothing.
   */
  public synchronized void roll(long firstSeq, long offset) throws IOException {
    LogView now = view;
    for (Segment segment : now.segments()) {
      if (segment.offset() == offset && segment.firstSeq() == firstSeq) {
        return;
      }
    }
    if (offset < now.endOffset() || now.segments().length > 0 && offset > now.endOffset()) {
      throw new IllegalArgumentException(
          "a segment of "
              + name
              + " cannot begin at "
              + offset
              + ": the log ends at "
              + now.endOffset());
    }
    if (!disk.isDirectory(directory)) {
      // Not durable yet: until the next force the journal holds all that is in it.
      disk.createDirectories(directory);
      directoryUnforced = true;
    }
    if (now.segments().length > 0) {
      Segment former = now.segments()[now.segments().length - 1];
      try (FileCache.Lease data = files.acquireOrCreate(former.path())) {
        // Bytes that a lost tail of the journal left behind must not stand between two segments.
        data.file().truncate(offset - former.offset());
      }
    }
    Segment segment = new Segment(directory, offset, firstSeq);
    namesUnforced = true;
    unforced.add(offset);
    try (FileCache.Lease data = files.acquireOrCreate(segment.path())) {
      data.file().truncate(0);
    }
    lookup.begin(segment);
    Segment[] segments = java.util.Arrays.copyOf(now.segments(), now.segments().length + 1);
    segments[segments.length - 1] = segment;
    view = new LogView(segments, firstSeq, offset, now.dead());
    if (now.segments().length == 0) {
      forcedSeq = firstSeq;
      forcedOffset = offset;
    }
  }

  /**
   * Writes records where the journal says they stand: behind the last one, or (in a replay or
   * repair) over the same records. When it fails the log is as before, and the same call may be
   * made again.
   *
   * @param firstSeq sequence of the first record
   * @param offset where it begins
   * @param timeMillis when they were accepted, for looking up by time
   * @param records whole records, within one segment; their positions are not moved
   */
  public synchronized void append(
      long firstSeq, long offset, long timeMillis, List<ByteBuffer> records) throws IOException {
    LogView now = view;
    int at = now.segments().length - 1;
    while (at >= 0 && now.segments()[at].offset() > offset) {
      at--;
    }
    if (at < 0
        || offset > now.endOffset()
        || offset == now.endOffset() && firstSeq != now.nextSeq()) {
      throw new IllegalArgumentException(
          "record "
              + firstSeq
              + " of "
              + name
              + " cannot stand at "
              + offset
              + ": the log ends before record "
              + now.nextSeq()
              + " at "
              + now.endOffset());
    }
    Segment segment = now.segments()[at];
    restoreName(segment);
    lookup.ensureIndexed(segment, now.bounds(at));
    ByteBuffer[] bytes = new ByteBuffer[records.size()];
    long end = offset;
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = records.get(i).duplicate();
      end += bytes[i].remaining();
    }
    unforced.add(segment.offset());
    try (FileCache.Lease data = files.acquireOrCreate(segment.path())) {
      data.file().write(bytes, offset - segment.offset());
    }
    setMarks(segment, firstSeq, offset, timeMillis, records);
    if (end > now.endOffset()) {
      view = new LogView(now.segments(), firstSeq + bytes.length, end, now.dead());
    }
    if (repairFrom >= 0 && offset <= repairFrom) {
      repairFrom = Math.max(repairFrom, end);
      if (repairFrom >= repairTo) {
        repairFrom = -1;
      }
    }
  }

  /**
   * After a power cut: a segment that a snapshot names and whose own name was never durable.
   * Nothing of it was, and the journal holds all that stood in it.
   */
  private void restoreName(Segment segment) throws IOException {
    if (segment.isIndexed() || segment.offset() < forcedOffset || disk.exists(segment.path())) {
      return;
    }
    if (!disk.isDirectory(directory)) {
      disk.createDirectories(directory);
      directoryUnforced = true;
    }
    files.acquireOrCreate(segment.path()).close();
    namesUnforced = true;
  }

  private void setMarks(
      Segment segment, long firstSeq, long offset, long timeMillis, List<ByteBuffer> records)
      throws IOException {
    long at = offset;
    for (int i = 0; i < records.size(); i++) {
      if (lookup.wantsMark(segment, at)) {
        lookup.mark(segment, new Mark(firstSeq + i, at, timeMillis));
      }
      at += records.get(i).remaining();
    }
  }

  /**
   * Makes all that was appended durable in the log's own files.
   *
   * @throws IOException if it cannot be known what is durable; {@link #repairNeeded} then says what
   *     must be appended again, from the journal, before this can succeed
   */
  public synchronized void force() throws IOException {
    if (repairFrom >= 0) {
      throw new StoreException(
          name + " must be written again from byte " + repairFrom + " on before it can be forced");
    }
    LogView now = view;
    try {
      for (long offset : unforced) {
        try (FileCache.Lease data =
            files.acquire(directory + "/" + Segment.name(offset) + Segment.SUFFIX)) {
          data.file().force();
        }
      }
      if (namesUnforced) {
        disk.forceDirectory(directory);
      }
      if (directoryUnforced) {
        disk.forceDirectory(PartitionLogs.DIRECTORY);
      }
    } catch (IOException e) {
      if (forcedOffset < now.endOffset()) {
        // The system may have dropped what it could not write, and a second force would not tell.
        repairFrom = forcedOffset;
        repairTo = now.endOffset();
      }
      throw e;
    }
    unforced.clear();
    namesUnforced = false;
    directoryUnforced = false;
    forcedSeq = now.nextSeq();
    forcedOffset = now.endOffset();
  }

  /** Whether there is anything to force. */
  public synchronized boolean isUnforced() {
    return !unforced.isEmpty() || namesUnforced;
  }

  /** After a failed force: the offset from which records must be appended again. */
  public synchronized Optional<Long> repairNeeded() {
    return repairFrom < 0 ? Optional.empty() : Optional.of(repairFrom);
  }

  /** Records below this sequence are durable in the log's own files. */
  public synchronized long forcedSeq() {
    return forcedSeq;
  }

  /**
   * Ends a recovery: cuts whatever stands behind the end of the log and removes segments that are
   * not its own. Nothing may be appended before, except by the replay.
   *
   * @return what an operator should know
   */
  public synchronized List<String> cutToEnd() throws IOException {
    if (!disk.isDirectory(directory)) {
      return List.of();
    }
    LogCutter cutter = new LogCutter(disk, files, directory, view);
    namesUnforced |= cutter.removeStrangers();
    unforced.addAll(cutter.cut());
    return cutter.reports();
  }

  /**
   * Deletes the segments that hold only records below a sequence; never the last one.
   *
   * @return how many bytes that gave back
   */
  public synchronized long dropBefore(long seq) throws IOException {
    LogView now = view;
    int keepFrom = 0;
    while (keepFrom < now.segments().length - 1 && now.segments()[keepFrom + 1].firstSeq() <= seq) {
      keepFrom++;
    }
    if (keepFrom == 0) {
      return 0;
    }
    Segment[] kept = java.util.Arrays.copyOfRange(now.segments(), keepFrom, now.segments().length);
    List<DeadRange> dead = now.dead().stream().filter(r -> r.toSeq() > kept[0].firstSeq()).toList();
    view = new LogView(kept, now.nextSeq(), now.endOffset(), dead);
    long bytes = 0;
    for (int i = 0; i < keepFrom; i++) {
      bytes += remove(now.segments()[i]);
    }
    return bytes;
  }

  /**
   * During a replay: segments whose files are gone were given back after the snapshot was taken;
   * the entry that says so is still to come. Records that belong into them need not be written.
   * They are given back from the first on, so those before a missing one were too, though a power
   * cut can bring their names back.
   *
   * @return whether there were any
   */
  public synchronized boolean forgetGivenBack() {
    LogView now = view;
    int keepFrom = 0;
    for (int i = 0; i < now.segments().length; i++) {
      Segment segment = now.segments()[i];
      if (segment.offset() < forcedOffset && !disk.exists(segment.path())) {
        keepFrom = i + 1;
      }
    }
    Segment[] kept = java.util.Arrays.copyOfRange(now.segments(), keepFrom, now.segments().length);
    view = new LogView(kept, now.nextSeq(), now.endOffset(), now.dead());
    return keepFrom > 0;
  }

  /** Whether there is a segment that holds, or will hold, a sequence. */
  public boolean hasSegmentFor(long seq) {
    LogView now = view;
    return now.segments().length > 0 && now.firstSeq() <= seq;
  }

  /** Deletes all records; the log goes on at its end with the next {@link #roll}. */
  public synchronized void clear() throws IOException {
    LogView now = view;
    view = new LogView(new Segment[0], now.nextSeq(), now.endOffset(), List.of());
    for (Segment segment : now.segments()) {
      remove(segment);
    }
    repairFrom = -1;
    forcedSeq = now.nextSeq();
    forcedOffset = now.endOffset();
  }

  private long remove(Segment segment) throws IOException {
    long bytes = 0;
    unforced.remove(segment.offset());
    namesUnforced = true;
    for (String path : List.of(segment.path(), segment.indexPath())) {
      files.forget(path);
      if (disk.exists(path)) {
        bytes += disk.size(path);
        disk.delete(path);
      }
    }
    return bytes;
  }

  /**
   * Sets a damaged range apart: it is never read again, and a copy of its bytes is kept for
   * analysis.
   *
   * @return where the copy is; empty when there were no bytes to copy
   */
  public synchronized Optional<String> markDead(DeadRange range) throws IOException {
    LogView now = view;
    List<DeadRange> dead = new ArrayList<>(now.dead());
    if (!dead.contains(range)) {
      dead.add(range);
      dead.sort(java.util.Comparator.comparingLong(DeadRange::fromSeq));
    }
    view = new LogView(now.segments(), now.nextSeq(), now.endOffset(), List.copyOf(dead));
    if (now.segments().length == 0 || range.fromSeq() < now.firstSeq()) {
      return Optional.empty();
    }
    int at = now.segmentOfSeq(range.fromSeq());
    Segment segment = now.segments()[at];
    Bounds bounds = view.bounds(at);
    lookup.writeDead(
        segment,
        dead.stream()
            .filter(r -> r.fromOffset() >= segment.offset() && r.fromOffset() < bounds.endOffset())
            .toList());
    if (!disk.exists(segment.path())) {
      return Optional.empty();
    }
    long from = range.fromOffset() - segment.offset();
    long length = Math.min(range.toOffset() - segment.offset(), disk.size(segment.path())) - from;
    return length <= 0
        ? Optional.empty()
        : Optional.of(disk.describe(new Quarantine(disk).copy(segment.path(), from, length)));
  }

  /**
   * Reads intact records in order, within one segment.
   *
   * @param fromSeq the first wanted; one that is dropped or dead is answered with the sequence to
   *     go on with
   * @param maxRecords at most this many
   * @param maxBytes at most this many, except that one record is always read whole
   */
  public LogReadResult read(long fromSeq, int maxRecords, int maxBytes) throws IOException {
    while (true) {
      LogView now = view;
      try {
        return reader.read(now, fromSeq, maxRecords, maxBytes);
      } catch (NoSuchFileException e) {
        if (view.firstSeq() > fromSeq) {
          continue; // The segment was given back while it was read.
        }
        // A file that vanished is damage like any other, and as large as the segment.
        int at = now.segmentOfSeq(fromSeq);
        Bounds bounds = now.bounds(at);
        Segment segment = now.segments()[at];
        DeadRange lost =
            new DeadRange(
                segment.firstSeq(), bounds.endSeq(), segment.offset(), bounds.endOffset());
        return new LogReadResult(List.of(), bounds.endSeq(), Optional.of(lost));
      }
    }
  }

  /** The byte offset where a record begins; the end of the log for the next sequence. */
  public long offsetOf(long seq) throws IOException {
    return reader.offsetOf(view, seq);
  }

  /** The sequence of the record that begins at an offset, or of the next one behind it. */
  public long seqAt(long offset) throws IOException {
    return reader.seqAt(view, offset);
  }

  /** A sequence at or shortly before the first record accepted at that time or later. */
  public long seqAtTime(long timeMillis) throws IOException {
    return reader.seqAtTime(view, timeMillis);
  }
}
