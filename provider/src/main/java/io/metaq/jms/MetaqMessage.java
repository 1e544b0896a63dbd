package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.body.BodyCodec;
import io.metaq.body.BodyCompression;
import io.metaq.wire.MessageBlock;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A message without body, and what all kinds of messages share: header fields, properties, and the
 * way to and from the wire.
 *
 * <p>A message is not tied to a session: it can be created without, and what was received stays
 * readable after its session is closed. Not thread-safe, as the specification has it.
 */
public class MetaqMessage implements Message {

  private final MessageSettings settings;
  private final MessageProperties properties = new MessageProperties();

  private String messageId;
  private long timestamp;
  private String correlationId;
  private boolean correlationInBytes;
  private Destination replyTo;
  private Destination destination;
  private int deliveryMode = DEFAULT_DELIVERY_MODE;
  private boolean redelivered;
  private String type;
  private long expiration;
  private long deliveryTime;
  private int priority = DEFAULT_PRIORITY;
  private AcknowledgeAction acknowledgeAction = () -> {};

  /** The body as it arrived, until it is replaced; null for one that is being written here. */
  private Body received;

  /** Length of the received body when inflated; -1 where it is plain. */
  private long inflatedLength = -1;

  private int codec;

  MetaqMessage(MessageSettings settings) {
    this.settings = settings;
  }

  // ---- what a kind of message adds

  int bodyType() {
    return MessageBlock.BODY_NONE;
  }

  /** Whether there is no body, as opposed to an empty one. */
  boolean hasNullBody() {
    return true;
  }

  /** Encodes a body that was written here. */
  Body encodeBody() throws JMSException {
    return Body.EMPTY;
  }

  /** A body has arrived; it is read through {@link #receivedBody} when it is first asked for. */
  void bodyReceived(boolean isNull) {}

  /** Empties the body and makes it writable. */
  void emptyBody() {}

  /** The body for {@link #getBody}, null when there is none. */
  Object bodyValue() throws JMSException {
    return null;
  }

  /** Whether a body that is there can be assigned to a type; asked before {@link #bodyValue}. */
  boolean bodyFits(Class<?> type) throws JMSException {
    return true;
  }

  final MessageSettings settings() {
    return settings;
  }

  /** The body as it arrived, inflated if need be; null if the body was written here. */
  final Body receivedBody() throws JMSException {
    if (inflatedLength >= 0) {
      try {
        received =
            BodyCompression.decompress(
                BodyCodec.numbered(codec), received, inflatedLength, settings.storage());
        inflatedLength = -1;
      } catch (IOException e) {
        throw MessageErrors.io("The body of " + this + " cannot be decompressed", e);
      }
    }
    return received;
  }

  // ---- to and from the wire

  /** Takes over a delivered message; {@code deliveryCount} is 1 the first time. */
  final void receive(MessageBlock block, Body payload, int deliveryCount) {
    messageId = block.messageId();
    timestamp = block.timestamp();
    correlationId = block.correlationId();
    correlationInBytes = has(block, MessageBlock.FLAG_CORRELATION_BYTES);
    replyTo =
        block.replyTo() == null ? null : MetaqDestination.of(block.replyToKind(), block.replyTo());
    destination = MetaqDestination.of(block.destinationKind(), block.destination());
    deliveryMode = block.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
    redelivered = deliveryCount > 1;
    type = block.type();
    expiration = block.expiration();
    deliveryTime = block.deliveryTime();
    priority = block.priority();
    Map<String, Object> all = new LinkedHashMap<>(block.properties());
    if (block.groupId() != null) {
      all.put(PropertyNames.GROUP_ID, block.groupId());
    }
    if (block.groupSequence() != 0) {
      all.put(PropertyNames.GROUP_SEQUENCE, block.groupSequence());
    }
    all.put(PropertyNames.DELIVERY_COUNT, deliveryCount);
    properties.receive(all);
    received = payload;
    inflatedLength = has(block, MessageBlock.FLAG_COMPRESSED) ? block.bodyLength() : -1;
    codec = block.codec();
    bodyReceived(has(block, MessageBlock.FLAG_NULL_BODY));
  }

  private static boolean has(MessageBlock block, int flag) {
    return (block.flags() & flag) != 0;
  }

  /**
   * The message as it stands, for sending; the message itself stays as it is and in its mode. The
   * producer has set the header fields that are its to set before.
   *
   * @param publisher id of the sending connection
   * @param publisherClientId its client id, or null
   * @throws jakarta.jms.InvalidDestinationException when the reply address is no queue or topic
   * @throws JMSException when the body cannot be encoded
   */
  public final OutgoingMessage snapshotForSend(UUID publisher, String publisherClientId)
      throws JMSException {
    Body plain = received != null ? receivedBody() : encodeBody();
    Body payload = compressed(plain);
    int flags = 0;
    flags |= deliveryMode == DeliveryMode.PERSISTENT ? MessageBlock.FLAG_PERSISTENT : 0;
    flags |=
        payload.length() < plain.length()
            ? MessageBlock.compressedWith(settings.codec().number())
            : 0;
    flags |= hasNullBody() ? MessageBlock.FLAG_NULL_BODY : 0;
    flags |= correlationInBytes ? MessageBlock.FLAG_CORRELATION_BYTES : 0;
    MetaqDestination target = MetaqDestination.map(destination);
    MetaqDestination reply = replyTo == null ? null : MetaqDestination.map(replyTo);
    MessageBlock block =
        new MessageBlock(
            bodyType(),
            flags,
            priority,
            timestamp,
            expiration,
            deliveryTime,
            0,
            0,
            plain.length(),
            publisher,
            publisherClientId,
            properties.groupId(),
            properties.groupSequence(),
            correlationId,
            messageId,
            target.kind(),
            target.name(),
            reply == null ? null : reply.kind(),
            reply == null ? null : reply.name(),
            type,
            properties.toSend());
    return new OutgoingMessage(block, payload);
  }

  private Body compressed(Body plain) throws JMSException {
    if (settings.compressAbove() < 0 || plain.length() <= settings.compressAbove()) {
      return plain;
    }
    try {
      Body shorter = BodyCompression.compress(settings.codec(), plain, settings.storage());
      return shorter.length() < plain.length() ? shorter : plain;
    } catch (IOException e) {
      throw MessageErrors.io("The body cannot be compressed", e);
    }
  }

  /** Sets what {@link #acknowledge} does; called by the session that hands the message over. */
  public final void setAcknowledgeAction(AcknowledgeAction action) {
    acknowledgeAction = action;
  }

  /** Does nothing on a message that was not received. */
  @Override
  public final void acknowledge() throws JMSException {
    acknowledgeAction.acknowledge();
  }

  // ---- body

  @Override
  public final void clearBody() {
    received = null;
    inflatedLength = -1;
    emptyBody();
  }

  @Override
  public <T> T getBody(Class<T> c) throws JMSException {
    if (!isBodyAssignableTo(c)) {
      throw new MessageFormatException("The body of " + this + " is not a " + c.getName());
    }
    return c.cast(bodyValue());
  }

  @Override
  @SuppressWarnings("rawtypes")
  public final boolean isBodyAssignableTo(Class c) throws JMSException {
    return bodyFits(c);
  }

  // ---- header fields

  @Override
  public final String getJMSMessageID() {
    return messageId;
  }

  @Override
  public final void setJMSMessageID(String id) {
    messageId = id;
  }

  @Override
  public final long getJMSTimestamp() {
    return timestamp;
  }

  @Override
  public final void setJMSTimestamp(long timestamp) {
    this.timestamp = timestamp;
  }

  /** The bytes as they were set, or the UTF-8 form of an id that was set as a string. */
  @Override
  public final byte[] getJMSCorrelationIDAsBytes() {
    if (correlationId == null) {
      return null;
    }
    return correlationId.getBytes(
        correlationInBytes ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
  }

  /** Read as a string, the id then has one character per byte. */
  @Override
  public final void setJMSCorrelationIDAsBytes(byte[] correlationId) {
    this.correlationId =
        correlationId == null ? null : new String(correlationId, StandardCharsets.ISO_8859_1);
    correlationInBytes = correlationId != null;
  }

  /** Whether the correlation id was set as bytes. */
  final boolean hasCorrelationInBytes() {
    return correlationInBytes;
  }

  @Override
  public final void setJMSCorrelationID(String correlationId) {
    this.correlationId = correlationId;
    correlationInBytes = false;
  }

  @Override
  public final String getJMSCorrelationID() {
    return correlationId;
  }

  @Override
  public final Destination getJMSReplyTo() {
    return replyTo;
  }

  @Override
  public final void setJMSReplyTo(Destination replyTo) {
    this.replyTo = replyTo;
  }

  @Override
  public final Destination getJMSDestination() {
    return destination;
  }

  @Override
  public final void setJMSDestination(Destination destination) {
    this.destination = destination;
  }

  @Override
  public final int getJMSDeliveryMode() {
    return deliveryMode;
  }

  @Override
  public final void setJMSDeliveryMode(int deliveryMode) {
    this.deliveryMode = deliveryMode;
  }

  @Override
  public final boolean getJMSRedelivered() {
    return redelivered;
  }

  @Override
  public final void setJMSRedelivered(boolean redelivered) {
    this.redelivered = redelivered;
  }

  @Override
  public final String getJMSType() {
    return type;
  }

  @Override
  public final void setJMSType(String type) {
    this.type = type;
  }

  @Override
  public final long getJMSExpiration() {
    return expiration;
  }

  @Override
  public final void setJMSExpiration(long expiration) {
    this.expiration = expiration;
  }

  @Override
  public final long getJMSDeliveryTime() {
    return deliveryTime;
  }

  @Override
  public final void setJMSDeliveryTime(long deliveryTime) {
    this.deliveryTime = deliveryTime;
  }

  @Override
  public final int getJMSPriority() {
    return priority;
  }

  @Override
  public final void setJMSPriority(int priority) {
    this.priority = priority;
  }

  // ---- properties

  @Override
  public final void clearProperties() {
    properties.clear();
  }

  @Override
  public final boolean propertyExists(String name) {
    return name != null && properties.exists(name);
  }

  @Override
  public final boolean getBooleanProperty(String name) throws JMSException {
    return ValueConversion.toBoolean(properties.get(name), name);
  }

  @Override
  public final byte getByteProperty(String name) throws JMSException {
    return ValueConversion.toByte(properties.get(name), name);
  }

  @Override
  public final short getShortProperty(String name) throws JMSException {
    return ValueConversion.toShort(properties.get(name), name);
  }

  @Override
  public final int getIntProperty(String name) throws JMSException {
    return ValueConversion.toInt(properties.get(name), name);
  }

  @Override
  public final long getLongProperty(String name) throws JMSException {
    return ValueConversion.toLong(properties.get(name), name);
  }

  @Override
  public final float getFloatProperty(String name) throws JMSException {
    return ValueConversion.toFloat(properties.get(name), name);
  }

  @Override
  public final double getDoubleProperty(String name) throws JMSException {
    return ValueConversion.toDouble(properties.get(name), name);
  }

  @Override
  public final String getStringProperty(String name) throws JMSException {
    return ValueConversion.toString(properties.get(name), name);
  }

  @Override
  public final Object getObjectProperty(String name) {
    return properties.get(name);
  }

  @Override
  public final Enumeration<String> getPropertyNames() {
    return properties.names();
  }

  @Override
  public final void setBooleanProperty(String name, boolean value) throws JMSException {
    properties.set(name, value);
  }

  @Override
  public final void setByteProperty(String name, byte value) throws JMSException {
    properties.set(name, value);
  }

  @Override
  public final void setShortProperty(String name, short value) throws JMSException {
    properties.set(name, value);
  }

  @Override
  public final void setIntProperty(String name, int value) throws JMSException {
    properties.set(name, value);
  }

  @Override
  public final void setLongProperty(String name, long value) throws JMSException {
    properties.set(name, value);
  }

  @Override
  public final void setFloatProperty(String name, float value) throws JMSException {
    properties.set(name, value);
  }

  @Override
  public final void setDoubleProperty(String name, double value) throws JMSException {
    properties.set(name, value);
  }

  @Override
  public final void setStringProperty(String name, String value) throws JMSException {
    properties.set(name, value);
  }

  @Override
  public final void setObjectProperty(String name, Object value) throws JMSException {
    properties.set(name, value);
  }

  /** Shows no content: neither property values nor the body, which is not even decoded. */
  @Override
  public final String toString() {
    return getClass().getSimpleName() + "[" + messageId + ", " + destination + "]";
  }
}
