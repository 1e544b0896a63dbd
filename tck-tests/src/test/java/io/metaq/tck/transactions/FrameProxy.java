package io.metaq.tck.transactions;

import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;

/**
 * Stands between a client and its broker and knows their frames, so that a test can lose a
 * connection exactly before a request arrives or exactly before its reply does, or hold one frame
 * back.
 */
public final class FrameProxy implements AutoCloseable {
  /** What happens to the first request that a rule fits. */
  enum Fault {
    /** The connection breaks and the broker never sees the request. */
    LOSE_REQUEST,
    /** The broker carries the request out; the connection breaks instead of its reply. */
    LOSE_REPLY,
    /** The connection breaks as soon as the broker has the request; no reply comes through. */
    CUT_BEHIND_REQUEST,
    /** The request waits until {@link FrameProxy#let} is called, those behind it too. */
    HOLD
  }

  /** Is told of every request before it is passed on, and again before its reply is. */
  public interface Observer {
    void request(Frame request);

    void reply(Frame request);
  }

  private record Rule(Predicate<Frame> fits, Fault fault) {}

  private final ServerSocket server;
  private final int brokerPort;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile Rule rule;
  private volatile CountDownLatch struck = new CountDownLatch(1);
  private volatile CountDownLatch held = new CountDownLatch(1);
  private volatile boolean refusing;

  private final Observer observer;

  FrameProxy(int brokerPort) throws IOException {
    this(
        0,
        brokerPort,
        new Observer() {
          @Override
          public void request(Frame request) {}

          @Override
          public void reply(Frame request) {}
        });
  }

  public FrameProxy(int port, int brokerPort, Observer observer) throws IOException {
    this.brokerPort = brokerPort;
    this.observer = observer;
    this.server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    daemon("frame-proxy", this::accept);
  }

  public String url() {
    return "metaq://127.0.0.1:" + server.getLocalPort();
  }

  /** Arms the proxy for one request; returns what is counted down when it has struck. */
  CountDownLatch once(Predicate<Frame> fits, Fault fault) {
    struck = new CountDownLatch(1);
    held = new CountDownLatch(1);
    rule = new Rule(fits, fault);
    return struck;
  }

  /** Takes back what was armed and has not struck. */
  void disarm() {
    rule = null;
  }

  /** Lets the held request go on. */
  void let() {
    held.countDown();
  }

  /** Breaks every connection; a client that tries again gets through. */
  void cut() {
    sockets.forEach(FrameProxy::reset);
  }

  /** Refuses new connections; those that stand go on. */
  void refuseNew() {
    refusing = true;
  }

  /** Breaks every connection and refuses new ones. */
  void refuse() {
    refuseNew();
    cut();
  }

  void admit() {
    refusing = false;
  }

  @Override
  public void close() throws IOException {
    server.close();
    held.countDown();
    cut();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        join(server.accept());
      } catch (IOException closed) {
        cut();
      }
    }
  }

  private void join(Socket client) {
    Socket broker = null;
    try {
      if (refusing) {
        reset(client);
        return;
      }
      broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
      client.setTcpNoDelay(true);
      broker.setTcpNoDelay(true);
      sockets.add(client);
      sockets.add(broker);
      Pair pair = new Pair(client, broker);
      daemon("frame-proxy-requests", pair::requests);
      daemon("frame-proxy-replies", pair::replies);
    } catch (IOException goneOrBrokerDown) {
      // The client finds the broker down as it would without a proxy, or is gone itself.
      reset(client);
      if (broker != null) {
        reset(broker);
      }
    }
  }

  /** One connection: both its sockets, and the correlation whose reply is to be lost. */
  private final class Pair {
    private final Socket client;
    private final Socket broker;
    private final Map<Integer, Frame> asked = new ConcurrentHashMap<>();
    private volatile int losing;
    private volatile boolean deaf;

    Pair(Socket client, Socket broker) {
      this.client = client;
      this.broker = broker;
    }

    void requests() {
      try {
        DataInputStream in = new DataInputStream(client.getInputStream());
        OutputStream out = broker.getOutputStream();
        byte[] preface = new byte[FrameCodec.PREFACE.length];
        in.readFully(preface);
        out.write(preface);
        while (true) {
          byte[] frame = read(in);
          Rule armed = rule;
          Envelope envelope =
              FrameCodec.decode(ByteBuffer.wrap(frame, 4, frame.length - 4).slice());
          if (envelope.correlation() != 0) {
            asked.put(envelope.correlation(), envelope.frame());
          }
          observer.request(envelope.frame());
          if (armed == null || !armed.fits.test(envelope.frame())) {
            out.write(frame);
            continue;
          }
          rule = null;
          strike(armed.fault, envelope.correlation(), frame, out);
        }
      } catch (IOException | InterruptedException over) {
        end();
      }
    }

    private void strike(Fault fault, int correlation, byte[] frame, OutputStream out)
        throws IOException, InterruptedException {
      switch (fault) {
        case LOSE_REQUEST -> {
          struck.countDown();
          end();
        }
        case LOSE_REPLY -> {
          losing = correlation;
          out.write(frame);
        }
        case CUT_BEHIND_REQUEST -> {
          deaf = true;
          out.write(frame);
          out.flush();
          struck.countDown();
          reset(client);
          broker.shutdownOutput();
        }
        case HOLD -> {
          struck.countDown();
          held.await();
          out.write(frame);
        }
      }
    }

    void replies() {
      try {
        DataInputStream in = new DataInputStream(broker.getInputStream());
        OutputStream out = client.getOutputStream();
        while (true) {
          byte[] frame = read(in);
          int correlation = ByteBuffer.wrap(frame).getInt(5);
          Frame request = correlation == 0 ? null : asked.remove(correlation);
          if (request != null) {
            observer.reply(request);
          }
          if (losing != 0 && correlation == losing) {
            struck.countDown();
            end();
          } else if (!deaf) {
            out.write(frame);
          }
        }
      } catch (IOException over) {
        end();
      }
    }

    private void end() {
      reset(client);
      reset(broker);
      sockets.remove(client);
      sockets.remove(broker);
    }
  }

  private static byte[] read(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] frame = new byte[4 + length];
    ByteBuffer.wrap(frame).putInt(length);
    in.readFully(frame, 4, length);
    return frame;
  }

  private static void reset(Socket socket) {
    try {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
        socket.close();
      }
    } catch (IOException alreadyGone) {
      // Whoever closed it first has done what is wanted here.
      return;
    }
  }

  private static void daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
