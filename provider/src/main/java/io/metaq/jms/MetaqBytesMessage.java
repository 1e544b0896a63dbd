package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.body.BodyBuffer;
import io.metaq.body.BodyReader;
import io.metaq.wire.MessageBlock;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;

/**
 * Plain bytes, written and then read in order.
 *
 * <p>A body of more than the connection's memory limit (a mebibyte) is kept in a temporary file
 * while it is written and read, so that one of a gibibyte passes through a small heap. Besides the
 * methods of the specification whole bodies can be copied from and to streams.
 */
public final class MetaqBytesMessage extends MetaqMessage implements BytesMessage {

  private static final int COPY_CHUNK = 1 << 16;

  /** Null in read mode. */
  private BodyBuffer buffer;

  /** The body in read mode; null while a received one has not been asked for. */
  private Body body;

  private BodyReader reader;

  MetaqBytesMessage(MessageSettings settings) {
    super(settings);
    buffer = settings.storage().newBuffer();
  }

  // ---- extension: streams

  /**
   * Appends all bytes of a stream to the body; does not close the stream.
   *
   * @throws jakarta.jms.MessageNotWriteableException in read mode
   * @throws JMSException when the stream cannot be read or the body not be stored
   */
  public void setBodyInputStream(InputStream stream) throws JMSException {
    BodyBuffer out = writable();
    byte[] chunk = new byte[COPY_CHUNK];
    try {
      for (int n = stream.read(chunk); n >= 0; n = stream.read(chunk)) {
        out.write(chunk, 0, n);
      }
    } catch (IOException e) {
      throw MessageErrors.io("The body cannot be copied from the stream", e);
    }
  }

  /**
   * A stream over the whole body, independent of the read position.
   *
   * @throws jakarta.jms.MessageNotReadableException in write mode
   */
  public InputStream getBodyInputStream() throws JMSException {
    return readable().toStream();
  }

  /**
   * Writes the whole body to a stream, independent of the read position; does not close the stream.
   *
   * @throws jakarta.jms.MessageNotReadableException in write mode
   * @throws JMSException when the stream cannot be written or the body not be read
   */
  public void saveBody(OutputStream stream) throws JMSException {
    try {
      readable().toStream().transferTo(stream);
    } catch (IOException e) {
      throw MessageErrors.io("The body of " + this + " cannot be saved", e);
    }
  }

  // ---- modes

  @Override
  public void reset() throws JMSException {
    if (buffer != null) {
      body = snapshot();
      buffer = null;
    }
    reader = null;
  }

  private Body snapshot() throws JMSException {
    try {
      return buffer.snapshot();
    } catch (IOException e) {
      throw MessageErrors.io("The body cannot be stored", e);
    }
  }

  private BodyBuffer writable() throws JMSException {
    if (buffer == null) {
      throw MessageErrors.notWriteable();
    }
    return buffer;
  }

  private Body readable() throws JMSException {
    if (buffer != null) {
      throw MessageErrors.notReadable();
    }
    if (body == null) {
      body = receivedBody();
    }
    return body;
  }

  private BodyReader reader() throws JMSException {
    Body whole = readable();
    if (reader == null) {
      reader = new BodyReader(whole);
    }
    return reader;
  }

  // ---- reading

  @Override
  public long getBodyLength() throws JMSException {
    return readable().length();
  }

  /** Reads a number and, only then, moves behind it. */
  private long number(int size) throws JMSException {
    BodyReader in = reader();
    requireBytes(in, size);
    try {
      long value = in.peekNumber(size);
      in.advance(size);
      return value;
    } catch (IOException e) {
      throw MessageErrors.io("The body of " + this + " cannot be read", e);
    }
  }

  private static void requireBytes(BodyReader in, long count) throws MessageEOFException {
    if (in.remaining() < count) {
      throw new MessageEOFException(
          "The body ends "
              + in.remaining()
              + " bytes behind the read position; "
              + count
              + " were asked for");
    }
  }

  @Override
  public boolean readBoolean() throws JMSException {
    return number(1) != 0;
  }

  @Override
  public byte readByte() throws JMSException {
    return (byte) number(1);
  }

  @Override
  public int readUnsignedByte() throws JMSException {
    return (int) number(1);
  }

  @Override
  public short readShort() throws JMSException {
    return (short) number(2);
  }

  @Override
  public int readUnsignedShort() throws JMSException {
    return (int) number(2);
  }

  @Override
  public char readChar() throws JMSException {
    return (char) number(2);
  }

  @Override
  public int readInt() throws JMSException {
    return (int) number(4);
  }

  @Override
  public long readLong() throws JMSException {
    return number(8);
  }

  @Override
  public float readFloat() throws JMSException {
    return Float.intBitsToFloat((int) number(4));
  }

  @Override
  public double readDouble() throws JMSException {
    return Double.longBitsToDouble(number(8));
  }

  @Override
  public String readUTF() throws JMSException {
    BodyReader in = reader();
    requireBytes(in, 2);
    try {
      int length = (int) in.peekNumber(2);
      requireBytes(in, 2L + length);
      byte[] encoded = new byte[2 + length];
      in.peek(0, encoded, 0, encoded.length);
      String text = new DataInputStream(new ByteArrayInputStream(encoded)).readUTF();
      in.advance(encoded.length);
      return text;
    } catch (java.io.UTFDataFormatException e) {
      throw MessageErrors.format("There is no UTF string at the read position of " + this, e);
    } catch (IOException e) {
      throw MessageErrors.io("The body of " + this + " cannot be read", e);
    }
  }

  @Override
  public int readBytes(byte[] value) throws JMSException {
    return readBytes(value, value.length);
  }

  @Override
  public int readBytes(byte[] value, int length) throws JMSException {
    BodyReader in = reader();
    Objects.checkFromIndexSize(0, length, value.length);
    if (in.remaining() == 0) {
      return -1;
    }
    try {
      int n = in.peek(0, value, 0, length);
      in.advance(n);
      return n;
    } catch (IOException e) {
      throw MessageErrors.io("The body of " + this + " cannot be read", e);
    }
  }

  // ---- writing

  /** Writes the low bytes of a number, high byte first. */
  private void number(long value, int size) throws JMSException {
    BodyBuffer out = writable();
    try {
      for (int shift = (size - 1) * 8; shift >= 0; shift -= 8) {
        out.write((int) (value >> shift));
      }
    } catch (IOException e) {
      throw MessageErrors.io("The body cannot be stored", e);
    }
  }

  @Override
  public void writeBoolean(boolean value) throws JMSException {
    number(value ? 1 : 0, 1);
  }

  @Override
  public void writeByte(byte value) throws JMSException {
    number(value, 1);
  }

  @Override
  public void writeShort(short value) throws JMSException {
    number(value, 2);
  }

  @Override
  public void writeChar(char value) throws JMSException {
    number(value, 2);
  }

  @Override
  public void writeInt(int value) throws JMSException {
    number(value, 4);
  }

  @Override
  public void writeLong(long value) throws JMSException {
    number(value, 8);
  }

  @Override
  public void writeFloat(float value) throws JMSException {
    number(Float.floatToIntBits(value), 4);
  }

  @Override
  public void writeDouble(double value) throws JMSException {
    number(Double.doubleToLongBits(value), 8);
  }

  @Override
  public void writeUTF(String value) throws JMSException {
    BodyBuffer out = writable();
    try {
      // Writes nothing when the string is too long.
      new DataOutputStream(out).writeUTF(value);
    } catch (java.io.UTFDataFormatException e) {
      throw MessageErrors.format("writeUTF takes strings of up to 65535 bytes", e);
    } catch (IOException e) {
      throw MessageErrors.io("The body cannot be stored", e);
    }
  }

  @Override
  public void writeBytes(byte[] value) throws JMSException {
    writeBytes(value, 0, value.length);
  }

  @Override
  public void writeBytes(byte[] value, int offset, int length) throws JMSException {
    BodyBuffer out = writable();
    try {
      out.write(value, offset, length);
    } catch (IOException e) {
      throw MessageErrors.io("The body cannot be stored", e);
    }
  }

  @Override
  public void writeObject(Object value) throws JMSException {
    writable();
    Objects.requireNonNull(value, "A BytesMessage has no null");
    if (value instanceof byte[] bytes) {
      writeBytes(bytes);
    } else if (value instanceof String s) {
      writeUTF(s);
    } else if (value instanceof Boolean b) {
      writeBoolean(b);
    } else if (value instanceof Byte b) {
      writeByte(b);
    } else if (value instanceof Short s) {
      writeShort(s);
    } else if (value instanceof Character c) {
      writeChar(c);
    } else if (value instanceof Integer i) {
      writeInt(i);
    } else if (value instanceof Long l) {
      writeLong(l);
    } else if (value instanceof Float f) {
      writeFloat(f);
    } else if (value instanceof Double d) {
      writeDouble(d);
    } else {
      throw new MessageFormatException(
          "A " + value.getClass().getName() + " cannot be written to a BytesMessage");
    }
  }

  // ---- what a kind of message adds

  @Override
  int bodyType() {
    return MessageBlock.BODY_BYTES;
  }

  @Override
  boolean hasNullBody() {
    return false;
  }

  @Override
  Body encodeBody() throws JMSException {
    return buffer != null ? snapshot() : body;
  }

  @Override
  void bodyReceived(boolean isNull) {
    buffer = null;
    body = null;
    reader = null;
  }

  @Override
  void emptyBody() {
    buffer = settings().storage().newBuffer();
    body = null;
    reader = null;
  }

  private long length() throws JMSException {
    return buffer != null ? buffer.length() : readable().length();
  }

  /** Resets the message before and after use, as section API of getBody asks for. */
  @Override
  Object bodyValue() throws JMSException {
    reset();
    try {
      return readable().length() == 0 ? null : readable().toByteArray();
    } catch (IOException e) {
      throw MessageErrors.io("The body of " + this + " cannot be read", e);
    }
  }

  @Override
  boolean bodyFits(Class<?> type) throws JMSException {
    return length() == 0 || type == byte[].class || type == Object.class;
  }
}
