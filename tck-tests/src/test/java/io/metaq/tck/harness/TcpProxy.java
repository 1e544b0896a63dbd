package io.metaq.tck.harness;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between a client and its broker, so that a test can lose a connection the way a network
 * does: without either side having asked for it.
 */
public final class TcpProxy implements AutoCloseable {

  private static final int BUFFER_BYTES = 64 * 1024;

  private final ServerSocket server;
  private final int brokerPort;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private volatile boolean refusing;

  public TcpProxy(int brokerPort) throws IOException {
    this.brokerPort = brokerPort;
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    thread("tcp-proxy-accept", this::acceptUntilClosed);
  }

  public int port() {
    return server.getLocalPort();
  }

  /** Resets every open connection; a client that tries again gets through. */
  public void cut() {
    for (Socket socket : sockets) {
      reset(socket);
    }
  }

  /** Resets every open connection and each later one, until {@link #admit()}. */
  public void refuse() {
    refusing = true;
    cut();
  }

  public void admit() {
    refusing = false;
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }

  private void acceptUntilClosed() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        if (refusing) {
          reset(client);
        } else {
          join(client);
        }
      } catch (IOException closedOrBrokerDown) {
        // Either the loop ends with the server socket, or the next client tries again.
        continue;
      }
    }
  }

  private void join(Socket client) throws IOException {
    Socket broker = new Socket();
    try {
      broker.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), brokerPort));
    } catch (IOException brokerDown) {
      reset(client);
      throw brokerDown;
    }
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    broker.setOption(StandardSocketOptions.TCP_NODELAY, true);
    sockets.add(client);
    sockets.add(broker);
    thread("tcp-proxy-up", () -> pump(client, broker));
    thread("tcp-proxy-down", () -> pump(broker, client));
    if (refusing) {
      cut();
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        out.write(buffer, 0, read);
      }
    } catch (IOException lost) {
      reset(from);
    } finally {
      reset(to);
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void reset(Socket socket) {
    try {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot reset " + socket, e);
    }
  }

  private static void thread(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }
}
