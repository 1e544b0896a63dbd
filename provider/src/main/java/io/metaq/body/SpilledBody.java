package io.metaq.body;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A body in a temporary file, or the part of one that was written up to some moment. */
record SpilledBody(SpillFile file, long length) implements Body {

  @Override
  public int read(long position, byte[] target, int offset, int count) throws IOException {
    int n = (int) Math.min(count, length - position);
    file.read(position, target, offset, n);
    return n;
  }

  @Override
  public ByteBuffer toBuffer() throws IOException {
    return ByteBuffer.wrap(toByteArray());
  }
}
