package io.metaq.broker.store;

import io.metaq.wire.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The data folder of a MetaQ 1.4 broker, read without changing it: {@code <topic>-<partition>}
 * folders of segments. The broker must not be running. What is damaged, or is none of MetaQ 1.4's,
 * is refused rather than passed over.
 */
public final class MetaqDirectory {
  /** A frame of MetaQ is no larger, so neither is a record that a crash cut off. */
  private static final int LARGEST_RECORD = 2 << 20;

  private static final int PIECE = 1 << 20;
  private static final int MOST_PARTITIONS = 1024;

  private final Disk disk;
  private final Consumer<String> notes;
  private final Map<String, TreeMap<Integer, String>> topics = new TreeMap<>();

  /** Gets the records of a partition in order. */
  @FunctionalInterface
  public interface Sink {
    /**
     * @param newSegment whether a segment begins with it
     * @param record a whole record; may be kept
     */
    void accept(boolean newSegment, ByteBuffer record) throws IOException;
  }

  private record SegmentFile(String path, long offset, long size) {
    long end() {
      return offset + size;
    }
  }

  /**
   * @param disk of MetaQ's {@code dataPath}
   * @param notes told of what is left out, in words for an operator
   * @throws StoreException if this is no such folder
   */
  public MetaqDirectory(Disk disk, Consumer<String> notes) throws IOException {
    this.disk = disk;
    this.notes = notes;
    if (!disk.isDirectory("")) {
      throw new StoreException("there is no folder " + disk.describe(""));
    }
    if (disk.exists(DataDirectory.MARKER)) {
      throw new StoreException(
          disk.describe("") + " is a data directory of this version already; start a broker on it");
    }
    for (String name : disk.list("")) {
      if (disk.isDirectory(name) && !name.equals(RedoFiles.DIRECTORY)) {
        addPartition(name);
      }
    }
    if (topics.isEmpty()) {
      throw new StoreException(
          disk.describe("") + " holds no folder <topic>-<partition> with segments of MetaQ");
    }
  }

  private void addPartition(String name) throws IOException {
    int dash = name.lastIndexOf('-');
    boolean segments = disk.list(name).stream().anyMatch(file -> file.endsWith(Segment.SUFFIX));
    if (dash < 1 || !name.substring(dash + 1).matches("[0-9]{1,4}")) {
      if (segments) {
        throw new StoreException(
            disk.describe(name) + " holds segments, but its name is not <topic>-<partition>");
      }
      notes.accept("left out, since it holds no segments: " + disk.describe(name));
      return;
    }
    int number = Integer.parseInt(name.substring(dash + 1));
    if (number >= MOST_PARTITIONS) {
      throw new StoreException(
          disk.describe(name) + ": a topic has at most " + MOST_PARTITIONS + " partitions");
    }
    topics.computeIfAbsent(name.substring(0, dash), topic -> new TreeMap<>()).put(number, name);
  }

  /** The names of the topics, sorted. */
  public List<String> topics() {
    return List.copyOf(topics.keySet());
  }

  /**
   * The byte offset at which each partition of a topic begins; 0 for one that MetaQ has not made
   * yet.
   */
  public List<Long> starts(String topic) throws IOException {
    TreeMap<Integer, String> partitions = topics.get(topic);
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i <= partitions.lastKey(); i++) {
      List<SegmentFile> segments = segments(topic, i);
      starts.add(segments.isEmpty() ? 0 : segments.get(0).offset());
    }
    return starts;
  }

  /** Where a partition ends; 0 for one that does not exist. */
  long end(String directory) throws IOException {
    List<SegmentFile> segments = disk.isDirectory(directory) ? segments(directory) : List.of();
    return segments.isEmpty() ? 0 : segments.get(segments.size() - 1).end();
  }

  /**
   * Walks over all records of a partition.
   *
   * @return how many there are
   * @throws StoreException at the first that is damaged or not understood
   */
  public long records(String topic, int partition, Sink sink) throws IOException {
    List<SegmentFile> segments = segments(topic, partition);
    long count = 0;
    for (int i = 0; i < segments.size(); i++) {
      SegmentFile segment = segments.get(i);
      boolean last = i == segments.size() - 1;
      if (!last && segment.end() != segments.get(i + 1).offset()) {
        throw new StoreException(
            disk.describe(segment.path())
                + " ends at byte "
                + segment.end()
                + ", but the next segment begins at "
                + segments.get(i + 1).offset());
      }
      count += walk(segment, last, sink);
    }
    return count;
  }

  private long walk(SegmentFile segment, boolean last, Sink sink) throws IOException {
    long count = 0;
    try (DiskFile file = disk.openForRead(segment.path())) {
      RecordScanner scanner = new RecordScanner(file, segment.offset(), segment.end(), PIECE);
      for (long at = segment.offset(); at < segment.end(); count++) {
        long offset = at;
        if (last
            && scanner.recordLength(at) < 0
            && segment.end() - at < LARGEST_RECORD + RecordFormat.HEADER_SIZE
            && !anyRecordBehind(scanner, at, segment.end())) {
          notes.accept(
              "left out, since the last write did not end: "
                  + (segment.end() - at)
                  + " bytes at the end of "
                  + disk.describe(segment.path()));
          return count;
        }
        ByteBuffer record =
            scanner
                .recordAt(at)
                .filter(MetaqDirectory::isUnderstood)
                .orElseThrow(
                    () ->
                        new StoreException(
                            "the record at byte "
                                + offset
                                + " (in "
                                + disk.describe(segment.path())
                                + ") is damaged, or none of MetaQ 1.4"));
        sink.accept(at == segment.offset(), record);
        at += record.remaining();
      }
    }
    return count;
  }

  /** An intact record behind a bad length: then it is damage, and no write that did not end. */
  private static boolean anyRecordBehind(RecordScanner scanner, long bad, long end)
      throws IOException {
    for (long at = bad + 1; end - at >= RecordFormat.HEADER_SIZE; at++) {
      if (scanner.recordAt(at).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** MetaQ knows one flag, for an attribute; the others have a meaning here only. */
  private static boolean isUnderstood(ByteBuffer record) {
    int flag = RecordFormat.flag(record);
    if (flag == 0) {
      return true;
    }
    ByteBuffer body = RecordFormat.body(record);
    return flag == RecordFormat.FLAG_ATTRIBUTE
        && body.remaining() >= 4
        && body.getInt(0) >= 0
        && body.getInt(0) <= body.remaining() - 4;
  }

  private List<SegmentFile> segments(String topic, int partition) throws IOException {
    String directory = topics.get(topic).get(partition);
    return directory == null ? List.of() : segments(directory);
  }

  private List<SegmentFile> segments(String directory) throws IOException {
    List<SegmentFile> segments = new ArrayList<>();
    for (String name : disk.list(directory)) {
      String path = directory + "/" + name;
      long offset = Segment.parseOffset(name, Segment.SUFFIX);
      if (offset >= 0) {
        segments.add(new SegmentFile(path, offset, disk.size(path)));
      } else if (!name.contains(Segment.SUFFIX + ".")) { // Archived ones count as deleted.
        throw new StoreException(disk.describe(path) + " is no segment of MetaQ");
      }
    }
    return segments;
  }
}
