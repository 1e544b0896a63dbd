package io.metaq.transport;

import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.FrameType;
import io.metaq.wire.WireWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One socket and its two buffers. Apart from {@link BrokerConnection} because a connection outlives
 * its sockets. Writing methods are guarded by the connection's lock, reading ones belong to whoever
 * has the {@link LinkReader}'s turn.
 */
final class Link {
  /** From this size on, gathered frames are written without waiting for more. */
  static final int FLUSH_SIZE = 32 * 1024;

  private static final int READ_SIZE = 64 * 1024;
  private static final int LENGTH = 4;

  private final Socket socket;
  private final BrokerAddress address;
  private final InputStream in;
  private final OutputStream out;
  private final WireWriter gathered = new WireWriter(2 * FLUSH_SIZE);
  private final byte[] buffer = new byte[READ_SIZE];
  private int position;
  private int limit;
  private byte[] large;
  private int largeFilled;
  private int timeout;
  private volatile IOException failure;
  private int largestFrame = FrameCodec.MAX_FRAME_BEFORE_LOGIN;
  private volatile long lastRead = System.nanoTime();
  private volatile long lastWrite = lastRead;
  private volatile boolean dirty;
  private volatile boolean dead;

  Link(Socket socket, BrokerAddress address) throws IOException {
    this.socket = socket;
    this.address = address;
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
    gathered.raw(FrameCodec.PREFACE);
  }

  BrokerAddress address() {
    return address;
  }

  /** Frames may be as large as after login. */
  void loggedIn() {
    largestFrame = FrameCodec.MAX_FRAME;
  }

  void append(int correlation, Frame frame) {
    FrameCodec.encode(correlation, frame, gathered);
    dirty = true;
  }

  int gatheredSize() {
    return gathered.position();
  }

  /** Whether something is appended and not written. */
  boolean dirty() {
    return dirty;
  }

  void flush() throws IOException {
    ByteBuffer bytes = gathered.written();
    if (bytes.hasRemaining()) {
      dirty = false;
      out.write(bytes.array(), 0, bytes.limit());
      gathered.reset();
      lastWrite = System.nanoTime();
    }
  }

  /**
   * Reads the next frame. Whoever reads next goes on with a frame that did not come whole.
   *
   * @param millis to wait for each of its parts, 0 = without limit
   * @return null if it did not come in time
   * @throws IOException if the link is at its end; then always
   */
  Envelope read(int millis) throws IOException {
    IOException ended = failure;
    if (ended != null) {
      throw ended;
    }
    if (millis != timeout) {
      socket.setSoTimeout(millis);
      timeout = millis;
    }
    try {
      return large != null ? readLarge() : readSmall();
    } catch (SocketTimeoutException e) {
      return null;
    }
  }

  private Envelope readSmall() throws IOException {
    fill(LENGTH);
    int length = nextLength();
    if (LENGTH + length > READ_SIZE) {
      position += LENGTH;
      large = new byte[length];
      largeFilled = limit - position;
      System.arraycopy(buffer, position, large, 0, largeFilled);
      position = 0;
      limit = 0;
      return readLarge();
    }
    fill(LENGTH + length);
    int start = position + LENGTH;
    position = start + length;
    if (keepsItsBytes(buffer[start])) {
      return FrameCodec.decode(ByteBuffer.wrap(Arrays.copyOfRange(buffer, start, position)));
    }
    return FrameCodec.decode(ByteBuffer.wrap(buffer, start, length));
  }

  private int nextLength() {
    return FrameCodec.checkLength(ByteBuffer.wrap(buffer, position, LENGTH).getInt(), largestFrame);
  }

  /** These share the memory they are decoded from; all others copy what they hold. */
  private static boolean keepsItsBytes(byte type) {
    return type == FrameType.DELIVER.code() || type == FrameType.BODY_CHUNK.code();
  }

  /** Whether anything stands in the buffer. */
  boolean hasBuffered() {
    return position < limit;
  }

  /** Whether the next read will not wait. */
  boolean hasWholeFrame() {
    int have = limit - position;
    return large == null && have >= LENGTH && have - LENGTH >= nextLength();
  }

  private Envelope readLarge() throws IOException {
    while (largeFilled < large.length) {
      largeFilled += received(in.read(large, largeFilled, large.length - largeFilled));
    }
    byte[] frame = large;
    large = null;
    return FrameCodec.decode(ByteBuffer.wrap(frame));
  }

  private void fill(int count) throws IOException {
    while (limit - position < count) {
      if (position + count > buffer.length || position == limit) {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
      }
      limit += received(in.read(buffer, limit, buffer.length - limit));
    }
  }

  private int received(int count) throws EOFException {
    if (count < 0) {
      throw new EOFException("Broker " + address + " closed the connection");
    }
    lastRead = System.nanoTime();
    return count;
  }

  long lastRead() {
    return lastRead;
  }

  long lastWrite() {
    return lastWrite;
  }

  /** Tells the peer that nothing more will come, so that it closes once it has read everything. */
  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  boolean dead() {
    return dead;
  }

  /** Reading has failed: nobody reads on, and all hear why. */
  void fail(IOException cause) {
    failure = cause;
    kill();
  }

  void kill() {
    dead = true;
    try {
      socket.close();
    } catch (IOException e) {
      System.getLogger(Link.class.getName())
          .log(System.Logger.Level.DEBUG, "Closing the socket to " + address + " failed", e);
    }
  }
}
