package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.Values;
import io.metaq.wire.WireException;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.StreamMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A sequence of typed values, written and then read in order; decoded when first asked for, never
 * by deserialization.
 *
 * <p>A read that fails leaves the position where it was, so that the field can be read again as
 * another type.
 */
public final class MetaqStreamMessage extends MetaqMessage implements StreamMessage {

  private static final String FIELD = "the next field";
  private static final int NOT_IN_BYTES = -1;

  /** Null while a received body has not been decoded. */
  private List<Object> fields = new ArrayList<>();

  private boolean readOnly;
  private int next;

  /** How much of a byte[] field {@link #readBytes} has read, or {@link #NOT_IN_BYTES}. */
  private int inBytes = NOT_IN_BYTES;

  MetaqStreamMessage(MessageSettings settings) {
    super(settings);
  }

  @Override
  public void reset() {
    readOnly = true;
    next = 0;
    inBytes = NOT_IN_BYTES;
  }

  private List<Object> fields() throws JMSException {
    if (fields == null) {
      fields = decode(receivedBody());
    }
    return fields;
  }

  private List<Object> decode(Body body) throws JMSException {
    try {
      WireReader in = new WireReader(body.toBuffer());
      List<Object> decoded = new ArrayList<>();
      while (in.remaining() > 0) {
        decoded.add(Values.read(in));
      }
      return decoded;
    } catch (IOException | WireException e) {
      throw MessageErrors.io("The stream of " + this + " cannot be read", e);
    }
  }

  /** The field at the read position, which is not moved. */
  private Object current() throws JMSException {
    if (!readOnly) {
      throw MessageErrors.notReadable();
    }
    if (next >= fields().size()) {
      throw new MessageEOFException("The stream has no more fields than the " + next + " read");
    }
    return fields().get(next);
  }

  private Object whole() throws JMSException {
    Object value = current();
    if (inBytes != NOT_IN_BYTES) {
      throw new MessageFormatException(
          "A byte[] field has been read in part; read it to its end before the next field");
    }
    return value;
  }

  @Override
  public boolean readBoolean() throws JMSException {
    boolean value = ValueConversion.toBoolean(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public byte readByte() throws JMSException {
    byte value = ValueConversion.toByte(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public short readShort() throws JMSException {
    short value = ValueConversion.toShort(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public char readChar() throws JMSException {
    char value = ValueConversion.toChar(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public int readInt() throws JMSException {
    int value = ValueConversion.toInt(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public long readLong() throws JMSException {
    long value = ValueConversion.toLong(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public float readFloat() throws JMSException {
    float value = ValueConversion.toFloat(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public double readDouble() throws JMSException {
    double value = ValueConversion.toDouble(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public String readString() throws JMSException {
    String value = ValueConversion.toString(whole(), FIELD);
    next++;
    return value;
  }

  @Override
  public int readBytes(byte[] value) throws JMSException {
    byte[] field = ValueConversion.toBytes(current(), FIELD);
    Objects.requireNonNull(value, "value");
    if (field == null) {
      next++;
      return -1;
    }
    if (inBytes == field.length && inBytes > 0) {
      inBytes = NOT_IN_BYTES;
      next++;
      return -1;
    }
    int from = Math.max(0, inBytes);
    int count = Math.min(value.length, field.length - from);
    System.arraycopy(field, from, value, 0, count);
    inBytes = from + count;
    if (count < value.length || field.length == 0) {
      inBytes = NOT_IN_BYTES;
      next++;
    }
    return count;
  }

  @Override
  public Object readObject() throws JMSException {
    Object value = whole();
    next++;
    return value instanceof byte[] bytes ? bytes.clone() : value;
  }

  private void append(Object value) throws JMSException {
    if (readOnly) {
      throw MessageErrors.notWriteable();
    }
    fields.add(value);
  }

  @Override
  public void writeBoolean(boolean value) throws JMSException {
    append(value);
  }

  @Override
  public void writeByte(byte value) throws JMSException {
    append(value);
  }

  @Override
  public void writeShort(short value) throws JMSException {
    append(value);
  }

  @Override
  public void writeChar(char value) throws JMSException {
    append(value);
  }

  @Override
  public void writeInt(int value) throws JMSException {
    append(value);
  }

  @Override
  public void writeLong(long value) throws JMSException {
    append(value);
  }

  @Override
  public void writeFloat(float value) throws JMSException {
    append(value);
  }

  @Override
  public void writeDouble(double value) throws JMSException {
    append(value);
  }

  @Override
  public void writeString(String value) throws JMSException {
    append(value);
  }

  @Override
  public void writeBytes(byte[] value) throws JMSException {
    append(value == null ? null : value.clone());
  }

  @Override
  public void writeBytes(byte[] value, int offset, int length) throws JMSException {
    if (value == null) {
      append(null);
      return;
    }
    Objects.checkFromIndexSize(offset, length, value.length);
    byte[] part = new byte[length];
    System.arraycopy(value, offset, part, 0, length);
    append(part);
  }

  @Override
  public void writeObject(Object value) throws JMSException {
    append(ValueConversion.copyForBody(value, "a field"));
  }

  @Override
  int bodyType() {
    return MessageBlock.BODY_STREAM;
  }

  @Override
  boolean hasNullBody() {
    return false;
  }

  @Override
  Body encodeBody() {
    WireWriter out = new WireWriter();
    fields.forEach(value -> Values.write(value, out));
    return Body.of(out.toByteArray());
  }

  @Override
  void bodyReceived(boolean isNull) {
    fields = null;
    reset();
  }

  @Override
  void emptyBody() {
    fields = new ArrayList<>();
    readOnly = false;
    next = 0;
    inBytes = NOT_IN_BYTES;
  }

  @Override
  boolean bodyFits(Class<?> type) {
    return false;
  }
}
