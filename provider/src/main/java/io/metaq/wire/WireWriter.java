package io.metaq.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;

/**
 * A growing big-endian buffer with the protocol's primitive encodings. Not thread-safe; reusable
 * through {@link #reset}.
 */
public final class WireWriter {
  private static final int LARGEST_RETAINED = 1 << 20;

  private byte[] bytes;
  private ByteBuffer view;

  public WireWriter() {
    this(256);
  }

  public WireWriter(int capacity) {
    allocate(capacity);
  }

  private void allocate(int capacity) {
    bytes = new byte[capacity];
    view = ByteBuffer.wrap(bytes);
  }

  /** Forgets the content; memory of an unusually large frame is given back. */
  public WireWriter reset() {
    if (bytes.length > LARGEST_RETAINED) {
      allocate(256);
    }
    view.clear();
    return this;
  }

  public int position() {
    return view.position();
  }

  /**
   * The bytes written so far, sharing this writer's memory: valid until the next write or {@link
   * #reset}.
   */
  public ByteBuffer written() {
    return ByteBuffer.wrap(bytes, 0, view.position());
  }

  public byte[] toByteArray() {
    return Arrays.copyOf(bytes, view.position());
  }

  private ByteBuffer room(int count) {
    if (view.remaining() < count) {
      int position = view.position();
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, position + count));
      view = ByteBuffer.wrap(bytes);
      view.position(position);
    }
    return view;
  }

  public WireWriter u8(int value) {
    room(1).put((byte) value);
    return this;
  }

  public WireWriter bool(boolean value) {
    return u8(value ? 1 : 0);
  }

  public WireWriter u16(int value) {
    room(2).putShort((short) value);
    return this;
  }

  public WireWriter i32(int value) {
    room(4).putInt(value);
    return this;
  }

  public WireWriter i64(long value) {
    room(8).putLong(value);
    return this;
  }

  public WireWriter f32(float value) {
    room(4).putFloat(value);
    return this;
  }

  public WireWriter f64(double value) {
    room(8).putDouble(value);
    return this;
  }

  public WireWriter uuid(UUID value) {
    return i64(value.getMostSignificantBits()).i64(value.getLeastSignificantBits());
  }

  /**
   * Length-prefixed UTF-8; {@code null} is length -1. Lone surrogates survive as three-byte
   * sequences.
   */
  public WireWriter string(String value) {
    if (value == null) {
      return i32(-1);
    }
    byte[] utf8 = Text.encode(value);
    i32(utf8.length);
    room(utf8.length).put(utf8);
    return this;
  }

  /** Length-prefixed bytes; {@code null} is length -1. */
  public WireWriter bytes(byte[] value) {
    if (value == null) {
      return i32(-1);
    }
    i32(value.length);
    room(value.length).put(value);
    return this;
  }

  /** Length-prefixed bytes; the buffer's position does not move. */
  public WireWriter buffer(ByteBuffer value) {
    i32(value.remaining());
    return raw(value);
  }

  /** Bytes without a length; the buffer's position does not move. */
  public WireWriter raw(ByteBuffer value) {
    room(value.remaining()).put(value.duplicate());
    return this;
  }

  public WireWriter raw(byte[] value) {
    room(value.length).put(value);
    return this;
  }

  public WireWriter strings(Map<String, String> values) {
    i32(values.size());
    values.forEach((key, value) -> string(key).string(value));
    return this;
  }

  /** Overwrites four bytes written before. */
  public void patchI32(int position, int value) {
    view.putInt(position, value);
  }

  /** UTF-8 that also carries what is no valid Unicode, since a Java string may hold it. */
  public static final class Text {
    private Text() {}

    public static byte[] encode(String value) {
      for (int i = 0; i < value.length(); i++) {
        if (Character.isSurrogate(value.charAt(i))) {
          return encodeWithSurrogates(value);
        }
      }
      return value.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] encodeWithSurrogates(String value) {
      byte[] out = new byte[value.length() * 3];
      int n = 0;
      for (int i = 0; i < value.length(); i++) {
        char c = value.charAt(i);
        if (c < 0x80) {
          out[n++] = (byte) c;
        } else if (c < 0x800) {
          out[n++] = (byte) (0xc0 | c >> 6);
          out[n++] = (byte) (0x80 | c & 0x3f);
        } else if (Character.isHighSurrogate(c)
            && i + 1 < value.length()
            && Character.isLowSurrogate(value.charAt(i + 1))) {
          int point = Character.toCodePoint(c, value.charAt(++i));
          out[n++] = (byte) (0xf0 | point >> 18);
          out[n++] = (byte) (0x80 | point >> 12 & 0x3f);
          out[n++] = (byte) (0x80 | point >> 6 & 0x3f);
          out[n++] = (byte) (0x80 | point & 0x3f);
        } else {
          out[n++] = (byte) (0xe0 | c >> 12);
          out[n++] = (byte) (0x80 | c >> 6 & 0x3f);
          out[n++] = (byte) (0x80 | c & 0x3f);
        }
      }
      return Arrays.copyOf(out, n);
    }

    public static String decode(byte[] bytes, int offset, int length) {
      String plain = new String(bytes, offset, length, StandardCharsets.UTF_8);
      if (plain.indexOf('\ufffd') < 0) {
        return plain;
      }
      StringBuilder text = new StringBuilder(length);
      int end = offset + length;
      for (int i = offset; i < end; ) {
        int b = bytes[i] & 0xff;
        int size = b < 0x80 ? 1 : b < 0xc0 ? 0 : b < 0xe0 ? 2 : b < 0xf0 ? 3 : 4;
        if (size == 0 || i + size > end) {
          throw new WireException("not a UTF-8 string at byte " + (i - offset));
        }
        int point = size == 1 ? b : b & 0x7f >> size;
        for (int k = 1; k < size; k++) {
          point = point << 6 | bytes[i + k] & 0x3f;
        }
        if (!Character.isValidCodePoint(point)) {
          throw new WireException("not a UTF-8 string at byte " + (i - offset));
        }
        text.appendCodePoint(point);
        i += size;
      }
      return text.toString();
    }
  }
}
