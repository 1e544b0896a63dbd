package io.metaq.body;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Reads a body as a stream. */
final class BodyInputStream extends InputStream {

  private final Body body;
  private long position;

  BodyInputStream(Body body) {
    this.body = body;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, target.length);
    if (count == 0) {
      return 0;
    }
    int n = body.read(position, target, offset, count);
    position += n;
    return n == 0 ? -1 : n;
  }

  @Override
  public long skip(long count) {
    long n = Math.max(0, Math.min(count, body.length() - position));
    position += n;
    return n;
  }

  @Override
  public int available() {
    return (int) Math.min(Integer.MAX_VALUE, body.length() - position);
  }
}
