package io.metaq.transport;

import static org.assertj.core.api.Assertions.fail;

import io.metaq.wire.ConnectionFrames.Goodbye;
import io.metaq.wire.ConnectionFrames.Heartbeat;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Drained;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.Consuming;
import io.metaq.wire.WireWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A peer that speaks frames and keeps no messages: it writes down what comes in, answers what it
 * has an answer for, and breaks connections when told. One connection at a time matters, the
 * latest.
 */
public final class ScriptedBroker implements AutoCloseable {
  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(20);

  /** Gives an answer, or null to let the next rule decide; {@link #SILENCE} for none at all. */
  @FunctionalInterface
  public interface Rule {
    Frame answer(Frame request);
  }

  /** Stands for no answer. */
  public static final Frame SILENCE = new Goodbye();

  private final ServerSocket server;
  private final UUID identity = UUID.randomUUID();
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private final List<Frame> received = new ArrayList<>();
  private volatile Socket current;
  private volatile boolean silent;
  private volatile boolean refusing;
  private int heartbeatMillis = 10_000;

  public ScriptedBroker() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread acceptor = new Thread(this::accept, "scripted-broker");
    acceptor.setDaemon(true);
    acceptor.start();
  }

  public String url() {
    return "metaq://127.0.0.1:" + server.getLocalPort();
  }

  public ScriptedBroker heartbeat(int millis) {
    heartbeatMillis = millis;
    return this;
  }

  /** A rule before all others. */
  public void rule(Rule rule) {
    rules.add(0, rule);
  }

  /** Frames of one type are answered so. */
  public <F extends Frame> void answer(Class<F> type, Frame with) {
    rule(frame -> type.isInstance(frame) ? with : null);
  }

  /** From now on nothing is written, not even a heart-beat. */
  public void fallSilent() {
    silent = true;
  }

  /** New connections are closed at once, or served again. */
  public void refuse(boolean refuse) {
    refusing = refuse;
  }

  /** Breaks the connection. */
  public void cut() throws IOException {
    current.close();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        if (refusing) {
          socket.close();
          continue;
        }
        current = socket;
        Thread reader = new Thread(() -> serve(socket), "scripted-broker-reader");
        reader.setDaemon(true);
        reader.start();
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      in.readFully(new byte[FrameCodec.PREFACE.length]);
      while (true) {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        Envelope envelope = FrameCodec.decode(ByteBuffer.wrap(frame));
        synchronized (received) {
          received.add(envelope.frame());
          received.notifyAll();
        }
        if (envelope.frame() instanceof Goodbye) {
          socket.close();
          return;
        }
        answer(socket, envelope);
      }
    } catch (IOException e) {
      // the client is gone, or we cut it off
    }
  }

  private void answer(Socket socket, Envelope request) throws IOException {
    Frame frame = request.frame();
    Frame answer = null;
    for (Rule rule : rules) {
      answer = rule.answer(frame);
      if (answer != null) {
        break;
      }
    }
    if (answer == null) {
      answer = usual(frame, request.correlation());
    }
    if (answer != SILENCE && !silent) {
      write(socket, answer instanceof Drained ? 0 : request.correlation(), answer);
    }
  }

  private Frame usual(Frame frame, int correlation) {
    if (frame instanceof Hello) {
      return new Welcome(
          1,
          identity,
          0,
          1,
          System.currentTimeMillis(),
          heartbeatMillis,
          1 << 20,
          1L << 31,
          "test");
    }
    if (frame instanceof Resolve resolve) {
      return new Resolved(resolve.name().hashCode() & 0xffff);
    }
    if (frame instanceof Consume) {
      return new Consuming(7);
    }
    if (frame instanceof Heartbeat) {
      return Heartbeat.INSTANCE;
    }
    if (frame instanceof Credit credit && credit.drain()) {
      return new Drained(credit.consumerId());
    }
    return correlation == 0 ? SILENCE : Ok.INSTANCE;
  }

  private static synchronized void write(Socket socket, int correlation, Frame frame)
      throws IOException {
    WireWriter out = new WireWriter();
    FrameCodec.encode(correlation, frame, out);
    socket.getOutputStream().write(out.toByteArray());
  }

  /** Writes a frame that is no answer. */
  public void push(Frame frame) throws IOException {
    write(current, 0, frame);
  }

  /** All that came in so far. */
  public List<Frame> received() {
    synchronized (received) {
      return List.copyOf(received);
    }
  }

  /** All of one type that came in so far. */
  public <F extends Frame> List<F> received(Class<F> type) {
    return received().stream().filter(type::isInstance).map(type::cast).toList();
  }

  /** Waits for so many frames of a type; returns the last of them. */
  public <F extends Frame> F await(Class<F> type, int count) {
    return await(type, count, frame -> true);
  }

  /** Waits for so many frames of a type that fulfil a condition. */
  public <F extends Frame> F await(Class<F> type, int count, Predicate<F> condition) {
    long deadline = System.nanoTime() + PATIENCE;
    synchronized (received) {
      while (true) {
        List<F> found = received(type).stream().filter(condition).toList();
        if (found.size() >= count) {
          return found.get(count - 1);
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return fail("Waited in vain for %d %s; got %s", count, type.getSimpleName(), received);
        }
        try {
          TimeUnit.NANOSECONDS.timedWait(received, left);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return fail("interrupted");
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    if (current != null) {
      current.close();
    }
  }
}
