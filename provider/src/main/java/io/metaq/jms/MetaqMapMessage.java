package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.Values;
import io.metaq.wire.WireException;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import java.io.IOException;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Names with typed values; decoded when first asked for, never by deserialization. */
public final class MetaqMapMessage extends MetaqMessage implements MapMessage {

  /** Null while a received body has not been decoded. */
  private Map<String, Object> entries = new LinkedHashMap<>();

  private boolean readOnly;

  MetaqMapMessage(MessageSettings settings) {
    super(settings);
  }

  private Map<String, Object> entries() throws JMSException {
    if (entries == null) {
      entries = decode(receivedBody());
    }
    return entries;
  }

  private Map<String, Object> decode(Body body) throws JMSException {
    try {
      WireReader in = new WireReader(body.toBuffer());
      int count = in.i32();
      Map<String, Object> decoded = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        decoded.put(in.text(), Values.read(in));
      }
      return decoded;
    } catch (IOException | WireException e) {
      throw MessageErrors.io("The map of " + this + " cannot be read", e);
    }
  }

  private void put(String name, Object value) throws JMSException {
    if (readOnly) {
      throw MessageErrors.notWriteable();
    }
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("The name of a map entry must not be null or empty");
    }
    entries.put(name, value);
  }

  @Override
  public boolean getBoolean(String name) throws JMSException {
    return ValueConversion.toBoolean(entries().get(name), name);
  }

  @Override
  public byte getByte(String name) throws JMSException {
    return ValueConversion.toByte(entries().get(name), name);
  }

  @Override
  public short getShort(String name) throws JMSException {
    return ValueConversion.toShort(entries().get(name), name);
  }

  @Override
  public char getChar(String name) throws JMSException {
    return ValueConversion.toChar(entries().get(name), name);
  }

  @Override
  public int getInt(String name) throws JMSException {
    return ValueConversion.toInt(entries().get(name), name);
  }

  @Override
  public long getLong(String name) throws JMSException {
    return ValueConversion.toLong(entries().get(name), name);
  }

  @Override
  public float getFloat(String name) throws JMSException {
    return ValueConversion.toFloat(entries().get(name), name);
  }

  @Override
  public double getDouble(String name) throws JMSException {
    return ValueConversion.toDouble(entries().get(name), name);
  }

  @Override
  public String getString(String name) throws JMSException {
    return ValueConversion.toString(entries().get(name), name);
  }

  @Override
  public byte[] getBytes(String name) throws JMSException {
    byte[] bytes = ValueConversion.toBytes(entries().get(name), name);
    return bytes == null ? null : bytes.clone();
  }

  @Override
  public Object getObject(String name) throws JMSException {
    return copy(entries().get(name));
  }

  @Override
  public Enumeration<String> getMapNames() throws JMSException {
    return Collections.enumeration(List.copyOf(entries().keySet()));
  }

  @Override
  public boolean itemExists(String name) throws JMSException {
    return entries().containsKey(name);
  }

  @Override
  public void setBoolean(String name, boolean value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setByte(String name, byte value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setShort(String name, short value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setChar(String name, char value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setInt(String name, int value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setLong(String name, long value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setFloat(String name, float value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setDouble(String name, double value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setString(String name, String value) throws JMSException {
    put(name, value);
  }

  @Override
  public void setBytes(String name, byte[] value) throws JMSException {
    put(name, copy(value));
  }

  @Override
  public void setBytes(String name, byte[] value, int offset, int length) throws JMSException {
    if (value == null) {
      put(name, null);
      return;
    }
    Objects.checkFromIndexSize(offset, length, value.length);
    byte[] part = new byte[length];
    System.arraycopy(value, offset, part, 0, length);
    put(name, part);
  }

  @Override
  public void setObject(String name, Object value) throws JMSException {
    put(name, ValueConversion.copyForBody(value, "an entry"));
  }

  private static Object copy(Object value) {
    return value instanceof byte[] bytes ? bytes.clone() : value;
  }

  @Override
  int bodyType() {
    return MessageBlock.BODY_MAP;
  }

  @Override
  boolean hasNullBody() {
    return false;
  }

  @Override
  Body encodeBody() {
    WireWriter out = new WireWriter();
    out.i32(entries.size());
    entries.forEach(
        (name, value) -> {
          out.string(name);
          Values.write(value, out);
        });
    return Body.of(out.toByteArray());
  }

  @Override
  void bodyReceived(boolean isNull) {
    entries = null;
    readOnly = true;
  }

  @Override
  void emptyBody() {
    entries = new LinkedHashMap<>();
    readOnly = false;
  }

  @Override
  Object bodyValue() throws JMSException {
    if (entries().isEmpty()) {
      return null;
    }
    Map<String, Object> copies = new LinkedHashMap<>();
    entries().forEach((name, value) -> copies.put(name, copy(value)));
    return copies;
  }

  @Override
  boolean bodyFits(Class<?> type) throws JMSException {
    return entries().isEmpty() || type.isAssignableFrom(Map.class);
  }
}
