package io.metaq.wire;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * View of the content of a JMS message: {@code i32 attributeLength, u32 checksum, block, payload}.
 * Reads and patches the fields of the block that have fixed places without decoding the others. The
 * checksum (CRC-32C) is the broker's to fill in, since it also covers the record header; a client
 * leaves 0. Works in absolute positions; never moves the buffer's.
 */
public final class Content {
  /** Where the block begins, counted from the start of the content. */
  public static final int BLOCK = 8;

  private static final int BODY_TYPE = BLOCK + 1;
  private static final int FLAGS = BLOCK + 2;
  private static final int PRIORITY = BLOCK + 3;
  private static final int TIMESTAMP = BLOCK + 4;
  private static final int EXPIRATION = BLOCK + 12;
  private static final int DELIVERY_TIME = BLOCK + 20;
  private static final int BROKER_EXPIRATION = BLOCK + 28;
  private static final int ACCEPTED_AT = BLOCK + 36;
  private static final int PUBLISHER = BLOCK + 52;
  private static final int GROUP_ID = BLOCK + 68;
  private static final int SMALLEST = GROUP_ID;

  private final ByteBuffer content;
  private final int start;

  private Content(ByteBuffer content) {
    this.content = content;
    this.start = content.position();
  }

  /**
   * @throws WireException if the lengths do not fit, or it is of an unknown format
   */
  public static Content of(ByteBuffer buffer) {
    Content content = new Content(buffer);
    int size = buffer.remaining();
    if (size < SMALLEST) {
      throw new WireException("message content of only " + size + " bytes");
    }
    int attribute = content.attributeLength();
    if (attribute < SMALLEST - 4 || attribute > size - 4) {
      throw new WireException(
          "attribute length " + attribute + " in a content of " + size + " bytes");
    }
    int format = buffer.get(content.start + BLOCK) & 0xff;
    if (format != MessageBlock.FORMAT) {
      throw new WireException("message block of unknown format " + format);
    }
    return content;
  }

  /** Builds a content from a block and its payload (which may be null for none). */
  public static ByteBuffer build(MessageBlock block, ByteBuffer payload) {
    WireWriter out = new WireWriter(256 + (payload == null ? 0 : payload.remaining()));
    out.i32(0).i32(0);
    block.encode(out);
    out.patchI32(0, out.position() - 4);
    if (payload != null) {
      out.raw(payload);
    }
    return out.written();
  }

  public int attributeLength() {
    return content.getInt(start);
  }

  public int bodyType() {
    return content.get(start + BODY_TYPE) & 0xff;
  }

  public int flags() {
    return content.get(start + FLAGS) & 0xff;
  }

  public boolean persistent() {
    return (flags() & MessageBlock.FLAG_PERSISTENT) != 0;
  }

  public int priority() {
    return content.get(start + PRIORITY) & 0xff;
  }

  public long timestamp() {
    return content.getLong(start + TIMESTAMP);
  }

  public long expiration() {
    return content.getLong(start + EXPIRATION);
  }

  public long deliveryTime() {
    return content.getLong(start + DELIVERY_TIME);
  }

  public long brokerExpiration() {
    return content.getLong(start + BROKER_EXPIRATION);
  }

  public long acceptedAt() {
    return content.getLong(start + ACCEPTED_AT);
  }

  public UUID publisher() {
    return new UUID(content.getLong(start + PUBLISHER), content.getLong(start + PUBLISHER + 8));
  }

  /** Sets what only the broker knows. */
  public void stamp(long brokerExpiration, long acceptedAt) {
    content.putLong(start + BROKER_EXPIRATION, brokerExpiration);
    content.putLong(start + ACCEPTED_AT, acceptedAt);
  }

  /** JMSXGroupID or null; decodes only this field. */
  public String groupId() {
    return variable().string();
  }

  /** JMSCorrelationID or null; decodes only up to this field. */
  public String correlationId() {
    WireReader in = variable();
    in.string();
    in.i32();
    return in.string();
  }

  private WireReader variable() {
    return new WireReader(content.slice(start + GROUP_ID, 4 + attributeLength() - GROUP_ID));
  }

  /** The whole block, decoded. */
  public MessageBlock block() {
    return MessageBlock.decode(content.slice(start + BLOCK, 4 + attributeLength() - BLOCK));
  }

  /** What follows the attribute, sharing memory. */
  public ByteBuffer payload() {
    int offset = 4 + attributeLength();
    return content.slice(start + offset, content.limit() - start - offset);
  }
}
