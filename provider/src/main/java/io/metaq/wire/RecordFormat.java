package io.metaq.wire;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A record of a partition log, MetaQ 1.4's own format: a 20-byte header (body length, CRC-32 of the
 * body without its sign bit, message id, flag) and the body. The body of a JMS message is a {@link
 * Content}.
 */
public final class RecordFormat {
  public static final int HEADER_SIZE = 20;

  /** The body begins with a length-prefixed attribute (MetaQ's own meaning). */
  public static final int FLAG_ATTRIBUTE = 1;

  /** The attribute is a message block of ours, protected by its own checksum. */
  public static final int FLAG_JMS = 2;

  /** The payload is a {@link LargeBody} instead of the body itself. */
  public static final int FLAG_LARGE_BODY = 4;

  private RecordFormat() {}

  /** A reference into the body store, standing in a record where the payload would. */
  public record LargeBody(long fileId, long length, int checksum) {
    public static final int SIZE = 20;

    public void encode(WireWriter out) {
      out.i64(fileId).i64(length).i32(checksum);
    }

    public static LargeBody decode(ByteBuffer payload) {
      WireReader in = new WireReader(payload);
      return new LargeBody(in.i64(), in.i64(), in.i32());
    }
  }

  public static int bodyLength(ByteBuffer record) {
    return record.getInt(record.position());
  }

  public static int checksum(ByteBuffer record) {
    return record.getInt(record.position() + 4);
  }

  public static long messageId(ByteBuffer record) {
    return record.getLong(record.position() + 8);
  }

  public static int flag(ByteBuffer record) {
    return record.getInt(record.position() + 16);
  }

  public static boolean isJms(ByteBuffer record) {
    return (flag(record) & FLAG_JMS) != 0;
  }

  public static boolean isLarge(ByteBuffer record) {
    return (flag(record) & FLAG_LARGE_BODY) != 0;
  }

  /** The body, sharing memory. */
  public static ByteBuffer body(ByteBuffer record) {
    return record.slice(record.position() + HEADER_SIZE, bodyLength(record));
  }

  /** MetaQ's checksum of a body. */
  public static int bodyChecksum(ByteBuffer body) {
    CRC32 crc = new CRC32();
    crc.update(body.duplicate());
    return (int) crc.getValue() & 0x7fffffff;
  }

  /**
   * Makes a record of a JMS content, filling in both checksums. The content is copied, so that the
   * frame it came in can be let go.
   */
  public static ByteBuffer jmsRecord(ByteBuffer content, long messageId, boolean large) {
    int length = content.remaining();
    ByteBuffer record = ByteBuffer.allocate(HEADER_SIZE + length);
    record.putInt(length).putInt(0).putLong(messageId);
    record.putInt(FLAG_ATTRIBUTE | FLAG_JMS | (large ? FLAG_LARGE_BODY : 0));
    record.put(content.duplicate()).flip();
    return seal(record);
  }

  /** Fills in both checksums of a JMS record again, after a field of its block was stamped. */
  public static ByteBuffer seal(ByteBuffer record) {
    int start = record.position();
    record.putInt(start + HEADER_SIZE + 4, blockChecksum(record));
    record.putInt(start + 4, bodyChecksum(body(record)));
    return record;
  }

  /** CRC-32C over the record header without its body checksum, and the block. */
  private static int blockChecksum(ByteBuffer record) {
    int start = record.position();
    int attribute = record.getInt(start + HEADER_SIZE);
    CRC32C crc = new CRC32C();
    crc.update(record.slice(start, 4));
    crc.update(record.slice(start + 8, 12));
    crc.update(record.slice(start + HEADER_SIZE + Content.BLOCK, attribute - 4));
    return (int) crc.getValue();
  }

  /** Whether a complete record's checksums are right. */
  public static boolean isIntact(ByteBuffer record) {
    ByteBuffer body = body(record);
    if (checksum(record) != bodyChecksum(body)) {
      return false;
    }
    if (!isJms(record)) {
      return true;
    }
    if (body.remaining() < Content.BLOCK) {
      return false;
    }
    int attribute = body.getInt(0);
    return attribute >= 4
        && attribute <= body.remaining() - 4
        && body.getInt(4) == blockChecksum(record);
  }
}
