package io.metaq.broker.store;

import io.metaq.wire.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Walks over the records in a range of one segment file, reading in large pieces. A record is only
 * what is wholly inside the range, has a plausible length and right checksums, and is not all
 * zeros: in MetaQ's format twenty zero bytes would be an intact empty message, so zeros are what a
 * lost write leaves and never a message.
 */
final class RecordScanner {
  private static final int MIN_PIECE = 8 << 10;

  private final DiskFile file;
  private final long segmentOffset;
  private final long end;
  private final int piece;
  private ByteBuffer window = ByteBuffer.allocate(0);
  private long windowStart;

  /**
   * @param segmentOffset absolute offset of the file's first byte
   * @param end absolute offset behind the range
   * @param expectedBytes how much the caller is likely to read
   */
  RecordScanner(DiskFile file, long segmentOffset, long end, int expectedBytes) {
    this.file = file;
    this.segmentOffset = segmentOffset;
    this.end = end;
    this.piece = Math.max(MIN_PIECE, expectedBytes);
  }

  /** The intact record at an absolute offset, as a read-only view that stays valid. */
  Optional<ByteBuffer> recordAt(long offset) throws IOException {
    int length = recordLength(offset);
    if (length < 0 || !load(offset, length)) {
      return Optional.empty();
    }
    ByteBuffer record = window.slice((int) (offset - windowStart), length);
    if (isZeroHeader(record) || !RecordFormat.isIntact(record)) {
      return Optional.empty();
    }
    return Optional.of(record.asReadOnlyBuffer());
  }

  /** What the header at an offset says the record takes; -1 when no record can stand there. */
  int recordLength(long offset) throws IOException {
    if (end - offset < RecordFormat.HEADER_SIZE || !load(offset, RecordFormat.HEADER_SIZE)) {
      return -1;
    }
    int body = window.getInt((int) (offset - windowStart));
    if (body < 0
        || body > end - offset - RecordFormat.HEADER_SIZE
        || body > Integer.MAX_VALUE - RecordFormat.HEADER_SIZE) {
      return -1;
    }
    return body + RecordFormat.HEADER_SIZE;
  }

  static boolean isZeroHeader(ByteBuffer record) {
    int at = record.position();
    return record.getLong(at) == 0 && record.getLong(at + 8) == 0 && record.getInt(at + 16) == 0;
  }

  /**
   * Reads into a buffer of its own each time, since records handed out point into the former ones.
   */
  private boolean load(long offset, int length) throws IOException {
    if (offset >= windowStart && offset + length <= windowStart + window.limit()) {
      return true;
    }
    int wanted = (int) Math.min(end - offset, Math.max(piece, length));
    window = ByteBuffer.allocate(wanted);
    windowStart = offset;
    file.read(window, offset - segmentOffset);
    window.flip();
    return window.limit() >= length;
  }
}
