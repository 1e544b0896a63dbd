package io.metaq.body;

import java.nio.ByteBuffer;

/** A body in an array, or in the part of one that is no longer written. */
record MemoryBody(byte[] bytes, int start, int size) implements Body {

  @Override
  public long length() {
    return size;
  }

  @Override
  public int read(long position, byte[] target, int offset, int count) {
    int n = (int) Math.min(count, size - position);
    System.arraycopy(bytes, start + (int) position, target, offset, n);
    return n;
  }

  @Override
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes, start, size).slice();
  }
}
