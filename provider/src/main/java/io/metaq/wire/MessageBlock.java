package io.metaq.wire;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The JMS headers and properties of a message, as they travel and as the partition log stores them
 * (as the attribute of a MetaQ message). The first fields have fixed places, so that the broker
 * reads and patches them in {@link Content} without decoding the rest.
 *
 * @param bodyType one of the {@code BODY_} constants
 * @param flags a sum of the {@code FLAG_} constants
 * @param priority 0..9
 * @param timestamp JMSTimestamp by the client's clock, 0 if disabled
 * @param expiration JMSExpiration by the client's clock, 0 = never
 * @param deliveryTime JMSDeliveryTime by the client's clock
 * @param brokerExpiration when it expires by the broker's clock, 0 = never; set by the broker
 * @param acceptedAt when the broker accepted it, by its clock; set by the broker
 * @param bodyLength length of the body as the application wrote it, before compression
 * @param publisher the sending connection's id
 * @param publisherClientId the sending connection's client id, or null
 * @param groupId JMSXGroupID, or null
 * @param groupSequence JMSXGroupSeq
 * @param correlationId JMSCorrelationID, or null (bytes: see {@link #FLAG_CORRELATION_BYTES}, then
 *     ISO-8859-1)
 * @param messageId JMSMessageID with its {@code ID:}, or null
 * @param destinationKind kind of JMSDestination
 * @param destination name of JMSDestination
 * @param replyToKind kind of JMSReplyTo, or null
 * @param replyTo name of JMSReplyTo, or null
 * @param type JMSType, or null
 * @param properties application properties in the order they were set; values as {@link Values}
 *     allows
 */
public record MessageBlock(
    int bodyType,
    int flags,
    int priority,
    long timestamp,
    long expiration,
    long deliveryTime,
    long brokerExpiration,
    long acceptedAt,
    long bodyLength,
    UUID publisher,
    String publisherClientId,
    String groupId,
    int groupSequence,
    String correlationId,
    String messageId,
    DestinationKind destinationKind,
    String destination,
    DestinationKind replyToKind,
    String replyTo,
    String type,
    Map<String, Object> properties) {

  public static final int FORMAT = 1;

  public static final int BODY_NONE = 0;
  public static final int BODY_TEXT = 1;
  public static final int BODY_BYTES = 2;
  public static final int BODY_MAP = 3;
  public static final int BODY_STREAM = 4;
  public static final int BODY_OBJECT = 5;

  public static final int FLAG_PERSISTENT = 1;

  /**
   * The payload is compressed; {@link #bodyLength} is its length when decompressed, {@link #codec}
   * says how.
   */
  public static final int FLAG_COMPRESSED = 2;

  /** The body is null, as opposed to empty. */
  public static final int FLAG_NULL_BODY = 4;

  /** The correlation id was set as bytes. */
  public static final int FLAG_CORRELATION_BYTES = 8;

  private static final int CODEC_SHIFT = 4;
  private static final int CODEC_MASK = 7;

  static final int NO_KIND = 255;

  public MessageBlock {
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
  }

  public boolean persistent() {
    return (flags & FLAG_PERSISTENT) != 0;
  }

  /**
   * The flags of a payload that is compressed.
   *
   * @param codec number of the codec, 0..7
   */
  public static int compressedWith(int codec) {
    return FLAG_COMPRESSED | codec << CODEC_SHIFT;
  }

  /** Number of the codec that the payload is compressed with, 0..7; 0 also if it is not. */
  public int codec() {
    return flags >> CODEC_SHIFT & CODEC_MASK;
  }

  /** Writes the block. The order of the fixed fields is what {@link Content} relies on. */
  public void encode(WireWriter out) {
    out.u8(FORMAT).u8(bodyType).u8(flags).u8(priority);
    out.i64(timestamp)
        .i64(expiration)
        .i64(deliveryTime)
        .i64(brokerExpiration)
        .i64(acceptedAt)
        .i64(bodyLength);
    out.uuid(publisher)
        .string(groupId)
        .i32(groupSequence)
        .string(correlationId)
        .string(publisherClientId);
    out.string(messageId).u8(destinationKind.ordinal()).string(destination);
    out.u8(replyToKind == null ? NO_KIND : replyToKind.ordinal()).string(replyTo).string(type);
    out.i32(properties.size());
    properties.forEach(
        (name, value) -> {
          out.string(name);
          Values.write(value, out);
        });
  }

  /**
   * @throws WireException if it is no block of a known format
   */
  public static MessageBlock decode(ByteBuffer block) {
    WireReader in = new WireReader(block);
    int format = in.u8();
    if (format != FORMAT) {
      throw new WireException("message block of unknown format " + format);
    }
    int bodyType = in.u8();
    int flags = in.u8();
    int priority = in.u8();
    long timestamp = in.i64();
    long expiration = in.i64();
    long deliveryTime = in.i64();
    long brokerExpiration = in.i64();
    long acceptedAt = in.i64();
    long bodyLength = in.i64();
    UUID publisher = in.uuid();
    String groupId = in.string();
    int groupSequence = in.i32();
    String correlationId = in.string();
    String publisherClientId = in.string();
    String messageId = in.string();
    DestinationKind destinationKind = DestinationKind.of(in.u8());
    String destination = in.text();
    int replyKind = in.u8();
    String replyTo = in.string();
    String type = in.string();
    int count = in.i32();
    if (count < 0 || count * 5L > in.remaining()) {
      throw new WireException(
          "property count " + count + " where " + in.remaining() + " bytes are left");
    }
    Map<String, Object> properties = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      properties.put(in.text(), Values.read(in));
    }
    return new MessageBlock(
        bodyType,
        flags,
        priority,
        timestamp,
        expiration,
        deliveryTime,
        brokerExpiration,
        acceptedAt,
        bodyLength,
        publisher,
        publisherClientId,
        groupId,
        groupSequence,
        correlationId,
        messageId,
        destinationKind,
        destination,
        replyKind == NO_KIND ? null : DestinationKind.of(replyKind),
        replyTo,
        type,
        properties);
  }
}
