package io.metaq.broker;

import io.metaq.wire.ConnectionFrames.Heartbeat;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.AckConfirmed;
import io.metaq.wire.MessageFrames.BodyChunk;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.ReadBody;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.MessageFrames.UploadChunk;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.Consuming;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.WireWriter;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The protocol by hand, one blocking socket, for tests of the broker without the client library.
 */
final class WireClient implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final UUID id = UUID.randomUUID();
  private final ArrayDeque<Deliver> deliveries = new ArrayDeque<>();
  private long confirmed;
  private long acknowledgements;
  private int correlation;
  private long sequence;

  WireClient(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(20_000);
    in = new DataInputStream(new java.io.BufferedInputStream(socket.getInputStream()));
    out = socket.getOutputStream();
    out.write(FrameCodec.PREFACE);
    Frame answer =
        ask(new Hello(FrameCodec.PROTOCOL_VERSION, "wire client", id, 0, null, null, null, 30_000));
    if (!(answer instanceof Welcome)) {
      throw new IOException("login was answered by " + answer);
    }
  }

  int write(Frame frame, boolean answered) throws IOException {
    WireWriter writer = new WireWriter();
    int number = answered ? ++correlation : 0;
    FrameCodec.encode(number, frame, writer);
    out.write(writer.toByteArray());
    return number;
  }

  Envelope read() throws IOException {
    while (true) {
      byte[] frame = new byte[in.readInt()];
      in.readFully(frame);
      Envelope envelope = FrameCodec.decode(ByteBuffer.wrap(frame));
      if (envelope.frame() instanceof Deliver deliver) {
        deliveries.add(deliver);
        return envelope;
      } else if (envelope.frame() instanceof AckConfirmed ack) {
        confirmed = ack.ackSequence();
        return envelope;
      } else if (!(envelope.frame() instanceof Heartbeat)) {
        return envelope;
      }
    }
  }

  Frame answer(int number) throws IOException {
    while (true) {
      Envelope envelope = read();
      if (envelope.correlation() == number
          || envelope.frame() instanceof io.metaq.wire.ConnectionFrames.Failure) {
        return envelope.frame();
      }
    }
  }

  Frame ask(Frame frame) throws IOException {
    return answer(write(frame, true));
  }

  long queue(String name) throws IOException {
    return ((Resolved) ask(new Resolve(DestinationKind.QUEUE, name))).destinationId();
  }

  Send message(String queue, long destinationId, int size) {
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_BYTES,
            MessageBlock.FLAG_PERSISTENT,
            4,
            0,
            0,
            0,
            0,
            0,
            size,
            id,
            null,
            null,
            0,
            null,
            "ID:" + id + "-" + ++sequence,
            DestinationKind.QUEUE,
            queue,
            null,
            null,
            null,
            Map.of());
    ByteBuffer content = Content.build(block, ByteBuffer.allocate(size));
    return new Send(1, sequence, destinationId, 0, 0, 0, 0, content);
  }

  void send(String queue, int size) throws IOException {
    Frame answer = ask(message(queue, queue(queue), size));
    if (!(answer instanceof Ok)) {
      throw new IOException("a send was answered by " + answer);
    }
  }

  void consume(int consumer, String queue, int credit) throws IOException {
    Frame answer =
        ask(
            new Consume(
                consumer,
                2,
                SubscriptionKind.QUEUE,
                DestinationKind.QUEUE,
                queue,
                null,
                null,
                false,
                false,
                0));
    if (!(answer instanceof Consuming)) {
      throw new IOException("a consumer was answered by " + answer);
    }
    write(new Credit(consumer, credit, Integer.MAX_VALUE, false), false);
  }

  Deliver receive() throws IOException {
    while (deliveries.isEmpty()) {
      read();
    }
    return deliveries.remove();
  }

  Frame acknowledge(Deliver deliver) throws IOException {
    Range range = Range.of(deliver);
    return ask(new Ack(++sequence, 0, List.of(range)));
  }

  /** Acknowledges one-way and waits until the broker has confirmed it. */
  void acknowledgeUntilConfirmed(Deliver deliver) throws IOException {
    Range range = Range.of(deliver);
    write(new Ack(++acknowledgements, 0, List.of(range)), false);
    while (confirmed < acknowledgements) {
      read();
    }
  }

  /** Reads nothing but heart-beats until so many have come. */
  void awaitHeartbeats(int count) throws IOException {
    for (int seen = 0; seen < count; ) {
      byte[] frame = new byte[in.readInt()];
      in.readFully(frame);
      if (FrameCodec.decode(ByteBuffer.wrap(frame)).frame() instanceof Heartbeat) {
        seen++;
      }
    }
  }

  void upload(long upload, byte[] body, int piece) throws IOException {
    for (int at = 0; at < body.length; at += piece) {
      int length = Math.min(piece, body.length - at);
      boolean last = at + length == body.length;
      ByteBuffer bytes = ByteBuffer.wrap(body, at, length).slice();
      Frame answer = ask(new UploadChunk(upload, at, last, bytes));
      if (!(answer instanceof Ok)) {
        throw new IOException("an upload was answered by " + answer);
      }
    }
  }

  void sendLarge(String queue, byte[] body, int piece) throws IOException {
    long destination = queue(queue);
    upload(77, body, piece);
    Send small = message(queue, destination, 0);
    Frame answer = ask(new Send(1, small.sequence(), destination, 0, 0, 0, 77, small.content()));
    if (!(answer instanceof Ok)) {
      throw new IOException("a large send was answered by " + answer);
    }
  }

  byte[] readBody(Deliver deliver, int piece) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (body.size() < deliver.largeBody()) {
      Frame answer =
          ask(
              new ReadBody(
                  deliver.subscriptionId(),
                  deliver.lane(),
                  deliver.sequence(),
                  body.size(),
                  piece));
      if (!(answer instanceof BodyChunk chunk)) {
        throw new IOException("reading a body was answered by " + answer);
      }
      byte[] bytes = new byte[chunk.bytes().remaining()];
      chunk.bytes().get(bytes);
      body.write(bytes);
    }
    return body.toByteArray();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
