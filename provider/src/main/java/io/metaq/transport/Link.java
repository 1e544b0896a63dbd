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
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One socket and its two buffers. Apart from {@link BrokerConnection} because a connection outlives
 * its sockets. Writing methods are guarded by the connection's lock, reading ones belong to its one
 * reader thread.
 */
final class Link {
  /** From this size on, gathered frames are written without waiting for more. */
  static final int FLUSH_SIZE = 32 * 1024;

  private static final int READ_SIZE = 64 * 1024;

  private final Socket socket;
  private final BrokerAddress address;
  private final InputStream in;
  private final OutputStream out;
  private final WireWriter gathered = new WireWriter(2 * FLUSH_SIZE);
  private final byte[] buffer = new byte[READ_SIZE];
  private int position;
  private int limit;
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

  /** Frames may be as large as after login, and reading waits without limit. */
  void loggedIn() throws IOException {
    largestFrame = FrameCodec.MAX_FRAME;
    socket.setSoTimeout(0);
  }

  void readTimeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
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

  /** Reads the next frame, waiting for it. */
  Envelope read() throws IOException {
    fill(4);
    int length =
        FrameCodec.checkLength(ByteBuffer.wrap(buffer, position, 4).getInt(), largestFrame);
    position += 4;
    if (length > READ_SIZE) {
      return FrameCodec.decode(ByteBuffer.wrap(readLarge(length)));
    }
    fill(length);
    int start = position;
    position += length;
    if (keepsItsBytes(buffer[start])) {
      return FrameCodec.decode(ByteBuffer.wrap(Arrays.copyOfRange(buffer, start, position)));
    }
    return FrameCodec.decode(ByteBuffer.wrap(buffer, start, length));
  }

  /** These share the memory they are decoded from; all others copy what they hold. */
  private static boolean keepsItsBytes(byte type) {
    return type == FrameType.DELIVER.code() || type == FrameType.BODY_CHUNK.code();
  }

  /** Whether a whole frame may stand in the buffer, so that the next read will not wait. */
  boolean hasBuffered() {
    return position < limit;
  }

  private byte[] readLarge(int length) throws IOException {
    byte[] frame = new byte[length];
    int have = limit - position;
    System.arraycopy(buffer, position, frame, 0, have);
    position = 0;
    limit = 0;
    while (have < length) {
      int count = in.read(frame, have, length - have);
      if (count < 0) {
        throw new EOFException("Broker " + address + " closed the connection within a frame");
      }
      lastRead = System.nanoTime();
      have += count;
    }
    return frame;
  }

  private void fill(int count) throws IOException {
    while (limit - position < count) {
      if (position > 0 && position + count > buffer.length || position == limit) {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
      }
      int read = in.read(buffer, limit, buffer.length - limit);
      if (read < 0) {
        throw new EOFException("Broker " + address + " closed the connection");
      }
      lastRead = System.nanoTime();
      limit += read;
    }
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
