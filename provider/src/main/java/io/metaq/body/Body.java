package io.metaq.body;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * An immutable sequence of bytes that need not be in memory.
 *
 * <p>Readers give positions, so one body serves any number of them at once, also from several
 * threads. Bytes kept in a temporary file go with the last reference to the body.
 */
public interface Body {

  /** A body without bytes. */
  Body EMPTY = of(new byte[0]);

  /** The number of bytes. */
  long length();

  /**
   * Reads as many bytes as there are, at most {@code count}.
   *
   * @param position index of the first byte to read, from 0
   * @return the number of bytes read, less than {@code count} only at the end; 0 there
   * @throws IOException when the temporary file cannot be read
   */
  int read(long position, byte[] target, int offset, int count) throws IOException;

  /**
   * All bytes, sharing memory where the body is in memory; only for bodies known to be small.
   *
   * @throws IOException when the temporary file cannot be read, or the body is too long for an
   *     array
   */
  ByteBuffer toBuffer() throws IOException;

  /** A copy of all bytes; limits as for {@link #toBuffer}. */
  default byte[] toByteArray() throws IOException {
    byte[] bytes = new byte[lengthAsInt(this)];
    read(0, bytes, 0, bytes.length);
    return bytes;
  }

  /** A stream over all bytes, unbuffered. */
  default InputStream toStream() {
    return new BodyInputStream(this);
  }

  /** A body of an array, which must not be changed afterwards. */
  static Body of(byte[] bytes) {
    return new MemoryBody(bytes, 0, bytes.length);
  }

  /** A body of what a buffer holds, which must not be changed afterwards. */
  static Body of(ByteBuffer bytes) {
    Objects.requireNonNull(bytes, "bytes");
    if (bytes.hasArray()) {
      int offset = bytes.arrayOffset() + bytes.position();
      return new MemoryBody(bytes.array(), offset, bytes.remaining());
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return of(copy);
  }

  /** The length for an array that is to hold a body. */
  static int lengthAsInt(Body body) throws IOException {
    if (body.length() > Integer.MAX_VALUE - 8) {
      throw new IOException(
          "A body of " + body.length() + " bytes does not fit an array; read it as a stream");
    }
    return (int) body.length();
  }
}
