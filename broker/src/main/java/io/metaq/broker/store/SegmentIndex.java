package io.metaq.broker.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The sparse index beside a segment: a header block with the segment's first sequence and dead
 * ranges, then marks of a fixed size, each saying where a record begins, its sequence and when it
 * was appended. Never forced, since all but the times can be made again from the records; so each
 * mark has a checksum of its own, and the first bad one ends the index.
 *
 * <p>Lookups search in the file (it is in the page cache), so an index costs no memory however many
 * partitions there are.
 */
final class SegmentIndex {
  /** A mark is set at the first record this many bytes behind the former mark. */
  static final int INTERVAL = 32 << 10;

  static final int HEADER = 1024;
  static final int MARK = 24;
  private static final int MAGIC = 0x4d514958; // MQIX

  /** Version 1: the first. */
  private static final int LEVEL = 1;

  private static final int FIXED = 28;
  private static final int DEAD = 32;
  static final int MAX_DEAD = (HEADER - FIXED - 4) / DEAD;
  private static final int CHUNK = MARK * 2048;

  private SegmentIndex() {}

  /** A place in a segment. */
  record Mark(long seq, long offset, long timeMillis) {}

  /** What a header says. */
  record Header(long segmentOffset, long firstSeq, List<DeadRange> dead) {}

  static ByteBuffer header(long segmentOffset, long firstSeq, List<DeadRange> dead) {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    int kept = Math.min(dead.size(), MAX_DEAD);
    header.putInt(MAGIC).putInt(LEVEL).putLong(segmentOffset).putLong(firstSeq).putInt(kept);
    for (DeadRange range : dead.subList(0, kept)) {
      header.putLong(range.fromSeq()).putLong(range.toSeq());
      header.putLong(range.fromOffset()).putLong(range.toOffset());
    }
    header.putInt(HEADER - 4, checksum(header.array(), HEADER - 4));
    return header.clear();
  }

  static Optional<Header> readHeader(DiskFile file) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    if (file.read(header, 0) < HEADER
        || header.getInt(0) != MAGIC
        || header.getInt(HEADER - 4) != checksum(header.array(), HEADER - 4)) {
      return Optional.empty();
    }
    if (header.getInt(4) != LEVEL) {
      throw new StoreException(
          "a segment index has format level "
              + header.getInt(4)
              + "; this broker reads level "
              + LEVEL);
    }
    List<DeadRange> dead = new ArrayList<>();
    int count = header.getInt(24);
    for (int i = 0; i < count; i++) {
      int at = FIXED + i * DEAD;
      dead.add(
          new DeadRange(
              header.getLong(at),
              header.getLong(at + 8),
              header.getLong(at + 16),
              header.getLong(at + 24)));
    }
    return Optional.of(new Header(header.getLong(8), header.getLong(16), dead));
  }

  static void writeMark(DiskFile file, Segment segment, int number, Mark mark) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MARK);
    bytes.putInt((int) (mark.offset() - segment.offset()));
    bytes.putInt((int) (mark.seq() - segment.firstSeq()));
    bytes.putLong(mark.timeMillis()).putInt(0);
    bytes.putInt(checksum(bytes.array(), MARK - 4));
    file.write(bytes.flip(), at(number));
  }

  /**
   * The sound marks at the front of an index whose header is right; what lies at or behind {@code
   * end} is not counted.
   */
  static Verified verify(DiskFile file, Segment segment, long end) throws IOException {
    ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
    int count = 0;
    Mark last = new Mark(segment.firstSeq() - 1, segment.offset() - 1, 0);
    while (true) {
      chunk.clear();
      int read = file.read(chunk, at(count));
      chunk.flip();
      for (int at = 0; at + MARK <= read; at += MARK) {
        Optional<Mark> mark = parse(chunk, at, segment);
        if (mark.isEmpty()
            || mark.get().offset() <= last.offset()
            || mark.get().seq() <= last.seq()
            || mark.get().offset() >= end) {
          return new Verified(count, last);
        }
        last = mark.get();
        count++;
      }
      if (read < CHUNK) {
        return new Verified(count, last);
      }
    }
  }

  /** How many marks are sound, and the last of them (before the segment when there is none). */
  record Verified(int count, Mark last) {}

  static Mark read(DiskFile file, Segment segment, int number) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MARK);
    file.read(bytes, at(number));
    return parse(bytes, 0, segment)
        .orElseThrow(
            () ->
                new StoreException(
                    "mark " + number + " of " + segment.indexPath() + " turned bad"));
  }

  private static Optional<Mark> parse(ByteBuffer bytes, int at, Segment segment) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(at, MARK - 4));
    if ((int) crc.getValue() != bytes.getInt(at + MARK - 4)) {
      return Optional.empty();
    }
    return Optional.of(
        new Mark(
            segment.firstSeq() + bytes.getInt(at + 4),
            segment.offset() + bytes.getInt(at),
            bytes.getLong(at + 8)));
  }

  private static long at(int number) {
    return HEADER + (long) number * MARK;
  }

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
