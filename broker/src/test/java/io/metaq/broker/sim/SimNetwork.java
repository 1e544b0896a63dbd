package io.metaq.broker.sim;

import io.metaq.broker.engine.Inbound;
import io.metaq.broker.engine.Network;
import io.metaq.wire.Content;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Sockets without a network. Frames cross as bytes; those towards the broker lie in memory that is
 * overwritten when the call returns, as Netty's is. What was not flushed when the broker dies has
 * never left it.
 */
final class SimNetwork implements Network {

  private record Outgoing(int connection, byte[] bytes) {}

  private final Map<Integer, SimClient> clients = new HashMap<>();
  private final List<Outgoing> unflushed = new ArrayList<>();
  private final WireWriter writer = new WireWriter();
  private final Consumer<String> trace;
  private int lastConnection;
  private Inbound broker;
  private Executor loop;

  /**
   * @param trace told of every frame
   */
  SimNetwork(Consumer<String> trace) {
    this.trace = trace;
  }

  void listen(Inbound started, Executor brokerLoop) {
    broker = started;
    loop = brokerLoop;
  }

  int connect(SimClient client) {
    int connection = ++lastConnection;
    clients.put(connection, client);
    broker.connected(connection, "sim:" + connection);
    return connection;
  }

  /** The client's side goes away. */
  void cut(int connection) {
    if (clients.remove(connection) != null) {
      trace.accept(connection + " cut");
      broker.disconnected(connection);
    }
  }

  /** The broker dies with all its sockets. */
  void die() {
    trace.accept("the broker dies");
    unflushed.clear();
    List<SimClient> gone = List.copyOf(clients.values());
    clients.clear();
    gone.forEach(SimClient::lost);
  }

  void toBroker(int connection, int correlation, Frame frame) {
    if (!clients.containsKey(connection)) {
      return;
    }
    trace.accept(connection + " > " + correlation + " " + show(frame));
    FrameCodec.encode(correlation, frame, writer.reset());
    byte[] memory = writer.toByteArray();
    ByteBuffer bytes = ByteBuffer.wrap(memory, 4, memory.length - 4);
    Envelope envelope = FrameCodec.decode(bytes);
    broker.frame(connection, envelope.correlation(), envelope.frame());
    Arrays.fill(memory, (byte) 0x5a);
  }

  @Override
  public void send(int connection, int correlation, Frame frame) {
    FrameCodec.encode(correlation, frame, writer.reset());
    unflushed.add(new Outgoing(connection, writer.toByteArray()));
  }

  @Override
  public void flush() {
    List<Outgoing> now = List.copyOf(unflushed);
    unflushed.clear();
    for (Outgoing out : now) {
      SimClient client = clients.get(out.connection());
      if (client != null) {
        Envelope envelope =
            FrameCodec.decode(ByteBuffer.wrap(out.bytes(), 4, out.bytes().length - 4));
        trace.accept(
            out.connection() + " < " + envelope.correlation() + " " + show(envelope.frame()));
        client.receive(envelope);
      }
    }
  }

  private static String show(Frame frame) {
    if (frame instanceof Deliver deliver) {
      return Content.of(deliver.content()).block().messageId() + " " + frame;
    }
    if (frame instanceof Send send) {
      return Content.of(send.content()).block().messageId() + " " + frame;
    }
    return frame.toString();
  }

  @Override
  public void close(int connection, ErrorCode code, String why) {
    SimClient client = clients.remove(connection);
    if (client != null) {
      client.refused(code, why);
      Inbound to = broker;
      loop.execute(() -> to.disconnected(connection));
    }
  }

  @Override
  public void pauseReading(int connection, boolean paused) {
    SimClient client = clients.get(connection);
    if (client != null) {
      client.pause(paused);
    }
  }

  @Override
  public void pauseReading(boolean paused) {
    clients.values().forEach(client -> client.pause(paused));
  }
}
