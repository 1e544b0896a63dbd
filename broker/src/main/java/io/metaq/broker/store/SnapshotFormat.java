package io.metaq.broker.store;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * The bytes of a snapshot file: a header, sections, a trailer; each under a checksum of its own.
 */
final class SnapshotFormat {
  static final int MAGIC = 0x4d515353; // MQSS
  static final int TRAILER_MAGIC = 0x4d515345; // MQSE

  /** Version 1: the first. Version 2: when the segments of a partition began. */
  static final int LEVEL = 2;

  static final int HEADER = 32;

  /** Before each section: length, key, checksum. */
  static final int SECTION_HEADER = 16;

  static final int TRAILER = 40;
  static final int MAX_SECTION = 1 << 30;
  private static final String SUFFIX = ".snapshot";

  private SnapshotFormat() {}

  /** The end of a complete snapshot. */
  record Trailer(long sections, long replayAfter, long highestReflected) {}

  static String fileName(long number) {
    return String.format("%016d%s", number, SUFFIX);
  }

  static Optional<Long> parseName(String name) {
    if (name.length() != 16 + SUFFIX.length() || !name.endsWith(SUFFIX)) {
      return Optional.empty();
    }
    String digits = name.substring(0, 16);
    return digits.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Optional.of(Long.parseLong(digits))
        : Optional.empty();
  }

  static ByteBuffer header(long number) {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    header.putInt(MAGIC).putInt(LEVEL).putLong(number);
    return seal(header);
  }

  static boolean isHeader(ByteBuffer header, long number) throws StoreException {
    if (!isSealed(header) || header.getInt(0) != MAGIC || header.getLong(8) != number) {
      return false;
    }
    if (header.getInt(4) != LEVEL) {
      throw new StoreException(
          "A snapshot has format level "
              + header.getInt(4)
              + "; this broker reads level "
              + LEVEL
              + ". Start the version that wrote it.");
    }
    return true;
  }

  static ByteBuffer trailer(Trailer trailer) {
    ByteBuffer bytes = ByteBuffer.allocate(TRAILER);
    bytes.putInt(-1).putInt(TRAILER_MAGIC).putLong(trailer.sections());
    bytes.putLong(trailer.replayAfter()).putLong(trailer.highestReflected());
    return seal(bytes);
  }

  static Optional<Trailer> parseTrailer(ByteBuffer bytes) {
    if (bytes.limit() != TRAILER || !isSealed(bytes) || bytes.getInt(4) != TRAILER_MAGIC) {
      return Optional.empty();
    }
    return Optional.of(new Trailer(bytes.getLong(8), bytes.getLong(16), bytes.getLong(24)));
  }

  static int sectionChecksum(long key, ByteBuffer payload) {
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.allocate(8).putLong(key).flip());
    crc.update(payload.duplicate());
    return (int) crc.getValue();
  }

  private static ByteBuffer seal(ByteBuffer block) {
    block.putInt(block.capacity() - 4, checksum(block));
    return block.clear();
  }

  private static boolean isSealed(ByteBuffer block) {
    return block.getInt(block.capacity() - 4) == checksum(block);
  }

  private static int checksum(ByteBuffer block) {
    CRC32C crc = new CRC32C();
    crc.update(block.slice(0, block.capacity() - 4));
    return (int) crc.getValue();
  }
}
