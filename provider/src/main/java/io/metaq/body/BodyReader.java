package io.metaq.body;

import java.io.IOException;

/**
 * A read position in a body, with a window in memory so that reading single values from a file
 * costs no system call each.
 */
public final class BodyReader {

  private static final int WINDOW = 1 << 13;

  private final Body body;
  private byte[] window;
  private long windowStart;
  private int windowLength;
  private long position;

  /** A reader at the beginning of a body. */
  public BodyReader(Body body) {
    this.body = body;
  }

  /** The index of the next byte. */
  public long position() {
    return position;
  }

  /** The number of bytes from the position to the end. */
  public long remaining() {
    return body.length() - position;
  }

  /** Moves forward over bytes that {@link #peek} or {@link #peekNumber} has shown. */
  public void advance(long count) {
    position += count;
  }

  /**
   * Reads a big-endian number without moving.
   *
   * @param size its size in bytes, 1 to 8; as many must remain
   */
  public long peekNumber(int size) throws IOException {
    if (window == null) {
      window = new byte[(int) Math.min(WINDOW, body.length())];
    }
    if (position < windowStart || position + size > windowStart + windowLength) {
      windowLength = body.read(position, window, 0, window.length);
      windowStart = position;
    }
    int i = (int) (position - windowStart);
    long value = 0;
    for (int n = 0; n < size; n++) {
      value = value << 8 | window[i + n] & 0xff;
    }
    return value;
  }

  /**
   * Reads bytes without moving.
   *
   * @param skip how many bytes behind the position to start
   * @return the number of bytes read, less than {@code count} only at the end
   */
  public int peek(long skip, byte[] target, int offset, int count) throws IOException {
    return body.read(position + skip, target, offset, count);
  }
}
