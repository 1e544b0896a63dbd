package io.metaq.tck.transactions;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.WireWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Speaks bare frames, one request at a time: for what no API asks. */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final UUID id = UUID.randomUUID();
  private int correlation;

  RawClient(String url) throws IOException {
    URI address = URI.create(url);
    socket = new Socket(address.getHost(), address.getPort());
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    in = new DataInputStream(socket.getInputStream());
    socket.getOutputStream().write(FrameCodec.PREFACE);
    ask(new Hello(FrameCodec.PROTOCOL_VERSION, "raw", id, 0, null, null, null, 60_000));
  }

  UUID id() {
    return id;
  }

  /** Sends without waiting for an answer; returns the correlation. */
  int send(Frame frame) throws IOException {
    WireWriter out = new WireWriter();
    FrameCodec.encode(++correlation, frame, out);
    socket.getOutputStream().write(out.toByteArray());
    return correlation;
  }

  void oneWay(Frame frame) throws IOException {
    WireWriter out = new WireWriter();
    FrameCodec.encode(0, frame, out);
    socket.getOutputStream().write(out.toByteArray());
  }

  /** The answer, a {@link Failure} included. */
  Frame ask(Frame frame) throws IOException {
    return answer(send(frame));
  }

  Frame answer(int wanted) throws IOException {
    while (true) {
      Envelope envelope = read();
      if (envelope.correlation() == wanted) {
        return envelope.frame();
      }
    }
  }

  private Envelope read() throws IOException {
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return FrameCodec.decode(ByteBuffer.wrap(frame));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
