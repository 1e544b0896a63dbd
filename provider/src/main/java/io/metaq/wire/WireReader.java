package io.metaq.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads the primitive encodings of {@link WireWriter} out of one frame. Every length is checked
 * against what the frame still holds before anything is allocated; anything else is a {@link
 * WireException}.
 */
public final class WireReader {
  private final ByteBuffer in;

  /**
   * Reads from the buffer's position to its limit, big-endian; the caller's position does not move.
   */
  public WireReader(ByteBuffer in) {
    this.in = in.slice();
  }

  public int remaining() {
    return in.remaining();
  }

  private WireException truncated() {
    return new WireException("frame ends in the middle of a field");
  }

  public int u8() {
    try {
      return in.get() & 0xff;
    } catch (BufferUnderflowException e) {
      throw truncated();
    }
  }

  public boolean bool() {
    return u8() != 0;
  }

  public int u16() {
    try {
      return in.getShort() & 0xffff;
    } catch (BufferUnderflowException e) {
      throw truncated();
    }
  }

  public int i32() {
    try {
      return in.getInt();
    } catch (BufferUnderflowException e) {
      throw truncated();
    }
  }

  public long i64() {
    try {
      return in.getLong();
    } catch (BufferUnderflowException e) {
      throw truncated();
    }
  }

  public float f32() {
    return Float.intBitsToFloat(i32());
  }

  public double f64() {
    return Double.longBitsToDouble(i64());
  }

  public UUID uuid() {
    return new UUID(i64(), i64());
  }

  private int length(int smallest) {
    int length = i32();
    if (length < smallest || length > in.remaining()) {
      throw new WireException("length " + length + " where " + in.remaining() + " bytes are left");
    }
    return length;
  }

  /** May return {@code null}. */
  public String string() {
    int length = length(-1);
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return WireWriter.Text.decode(bytes, 0, length);
  }

  /** A string that must be there. */
  public String text() {
    String value = string();
    if (value == null) {
      throw new WireException("a required string is null");
    }
    return value;
  }

  /** May return {@code null}. */
  public byte[] bytes() {
    int length = length(-1);
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** A length-prefixed slice that shares the frame's memory. */
  public ByteBuffer buffer() {
    return take(length(0));
  }

  /** All that is left, sharing the frame's memory. */
  public ByteBuffer rest() {
    return take(in.remaining());
  }

  private ByteBuffer take(int length) {
    ByteBuffer slice = in.slice(in.position(), length);
    in.position(in.position() + length);
    return slice;
  }

  /**
   * A counted list whose every element takes at least {@code smallestSize} bytes, so that a count
   * cannot lie.
   */
  public <T> List<T> list(int smallestSize, Function<WireReader, T> element) {
    int count = i32();
    if (count < 0 || (long) count * smallestSize > in.remaining()) {
      throw new WireException("count " + count + " where " + in.remaining() + " bytes are left");
    }
    List<T> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(element.apply(this));
    }
    return values;
  }

  public Map<String, String> strings() {
    int count = i32();
    if (count < 0 || (long) count * 8 > in.remaining()) {
      throw new WireException("count " + count + " where " + in.remaining() + " bytes are left");
    }
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      values.put(text(), text());
    }
    return values;
  }
}
