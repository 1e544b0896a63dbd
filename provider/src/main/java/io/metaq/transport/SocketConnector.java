package io.metaq.transport;

import java.io.IOException;
import java.net.Socket;

/** Makes connected sockets; the seam where TLS, or a test's network, comes in. */
@FunctionalInterface
public interface SocketConnector {
  /**
   * @throws IOException naming the address and what failed
   */
  Socket connect(BrokerAddress address, int timeoutMillis) throws IOException;

  /** Plain TCP. */
  static SocketConnector plain() {
    return (address, timeoutMillis) -> {
      Socket socket = new Socket();
      try {
        socket.setTcpNoDelay(true);
        socket.connect(
            new java.net.InetSocketAddress(address.host(), address.port()), timeoutMillis);
        return socket;
      } catch (IOException e) {
        socket.close();
        throw new IOException("No connection to broker " + address + ": " + e.getMessage(), e);
      }
    };
  }
}
