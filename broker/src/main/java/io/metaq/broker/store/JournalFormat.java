package io.metaq.broker.store;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of journal files: the header block of a file, the header of a batch, and file names.
 * One place, so that the writer, recovery and the offline tool cannot disagree. {@code
 * docs/file-formats.md} says the same in prose.
 *
 * <p>A <em>position</em> is a file's generation in the upper and the byte in that file in the lower
 * 32 bits, so positions grow from batch to batch and from file to file and each tells where it is.
 */
final class JournalFormat {
  /**
   * Batches begin at multiples of this, so that no write touches a physical block that already
   * holds forced data.
   */
  static final int BLOCK = 4096;

  static final int FILE_MAGIC = 0x4d514a46; // MQJF
  static final int BATCH_MAGIC = 0x4d514a42; // MQJB

  /** Version 1: the first. */
  static final int LEVEL = 1;

  static final int BATCH_HEADER = 64;
  private static final int CHECKSUM_AT = 60;
  private static final int FILE_HEADER = 32;
  private static final String SUFFIX = ".journal";

  private JournalFormat() {}

  /** What a batch says about itself; its entries follow it. */
  record BatchHeader(
      long position,
      long previousEnd,
      long forcedPosition,
      long firstIndex,
      long epoch,
      int count,
      int length,
      int previousChecksum,
      int checksum) {

    long end() {
      return position + batchSize(length);
    }

    long lastIndex() {
      return firstIndex + count - 1;
    }
  }

  static long position(long generation, long offset) {
    return generation << 32 | offset;
  }

  static long generation(long position) {
    return position >>> 32;
  }

  static int offset(long position) {
    return (int) position;
  }

  /** What a batch with that many bytes of entries takes on disk. */
  static long batchSize(long length) {
    return (BATCH_HEADER + length + BLOCK - 1) / BLOCK * BLOCK;
  }

  static String fileName(long generation) {
    return String.format("%010d%s", generation, SUFFIX);
  }

  /** The generation in a file's name; empty when it is not the name of a journal file. */
  static Optional<Long> parseName(String name) {
    if (name.length() != 10 + SUFFIX.length() || !name.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    long generation = 0;
    for (int i = 0; i < 10; i++) {
      int digit = Character.digit(name.charAt(i), 10);
      if (digit < 0) {
        return Optional.empty();
      }
      generation = generation * 10 + digit;
    }
    return Optional.of(generation);
  }

  static ByteBuffer fileHeader(long generation, long fileSize) {
    ByteBuffer header = ByteBuffer.allocate(BLOCK);
    header.putInt(FILE_MAGIC).putInt(LEVEL).putLong(generation).putLong(fileSize);
    CRC32C crc = new CRC32C();
    crc.update(header.array(), 0, FILE_HEADER - 4);
    header.putInt(FILE_HEADER - 4, (int) crc.getValue());
    return header.clear();
  }

  /** The generation a file header states; empty for anything else than an intact header. */
  static Optional<Long> parseFileHeader(ByteBuffer header) throws StoreException {
    if (header.limit() < FILE_HEADER || header.getInt(0) != FILE_MAGIC) {
      return Optional.empty();
    }
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, FILE_HEADER - 4));
    if ((int) crc.getValue() != header.getInt(FILE_HEADER - 4)) {
      return Optional.empty();
    }
    if (header.getInt(4) != LEVEL) {
      throw new StoreException(
          "A journal file has format level "
              + header.getInt(4)
              + "; this broker reads level "
              + LEVEL
              + ". Start the version that wrote it.");
    }
    return Optional.of(header.getLong(8));
  }

  /**
   * Writes the header in front of the entries, which stand at {@code start + BATCH_HEADER}; returns
   * the checksum.
   */
  static int putBatchHeader(ByteBuffer buffer, BatchHeader header) {
    buffer.putInt(0, BATCH_MAGIC);
    buffer.putInt(4, LEVEL);
    buffer.putLong(8, header.position());
    buffer.putLong(16, header.previousEnd());
    buffer.putLong(24, header.forcedPosition());
    buffer.putLong(32, header.firstIndex());
    buffer.putLong(40, header.epoch());
    buffer.putInt(48, header.count());
    buffer.putInt(52, header.length());
    buffer.putInt(56, header.previousChecksum());
    int checksum = checksum(buffer, 0, header.length());
    buffer.putInt(CHECKSUM_AT, checksum);
    return checksum;
  }

  /**
   * Whether there could be a batch of that position at {@code start}; its checksum is not looked
   * at.
   */
  static boolean looksLikeBatch(ByteBuffer buffer, int start, long position) {
    return buffer.getInt(start) == BATCH_MAGIC
        && buffer.getInt(start + 4) == LEVEL
        && buffer.getLong(start + 8) == position
        && buffer.getInt(start + 48) >= 0
        && buffer.getInt(start + 52) >= 0;
  }

  static int batchLength(ByteBuffer buffer, int start) {
    return buffer.getInt(start + 52);
  }

  /** The header of a batch that is wholly in the buffer; empty when its checksum is wrong. */
  static Optional<BatchHeader> parseBatch(ByteBuffer buffer, int start) {
    int length = batchLength(buffer, start);
    int checksum = buffer.getInt(start + CHECKSUM_AT);
    if (checksum(buffer, start, length) != checksum) {
      return Optional.empty();
    }
    return Optional.of(
        new BatchHeader(
            buffer.getLong(start + 8),
            buffer.getLong(start + 16),
            buffer.getLong(start + 24),
            buffer.getLong(start + 32),
            buffer.getLong(start + 40),
            buffer.getInt(start + 48),
            length,
            buffer.getInt(start + 56),
            checksum));
  }

  private static int checksum(ByteBuffer buffer, int start, int length) {
    CRC32C crc = new CRC32C();
    crc.update(buffer.slice(start, CHECKSUM_AT));
    crc.update(buffer.slice(start + BATCH_HEADER, length));
    return (int) crc.getValue();
  }
}
