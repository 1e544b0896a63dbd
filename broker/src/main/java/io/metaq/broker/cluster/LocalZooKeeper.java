package io.metaq.broker.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/**
 * A ZooKeeper server inside this process, on loopback only, for a broker that stands alone. Apart
 * from the broker so that one that joins a real ensemble never loads it.
 */
public final class LocalZooKeeper implements AutoCloseable {

  private static final int TICK_MS = 2000;
  private static final int MAX_CONNECTIONS = 1000;

  private final ServerCnxnFactory connections;

  private LocalZooKeeper(ServerCnxnFactory connections) {
    this.connections = connections;
  }

  /**
   * Starts the server.
   *
   * @param directory of its data; made if missing
   * @param port 0 for any free one
   * @throws IOException if the port is taken or the directory cannot be used
   */
  public static LocalZooKeeper start(Path directory, int port)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    ZooKeeperServer server = new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MS);
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    ServerCnxnFactory connections;
    try {
      connections = ServerCnxnFactory.createFactory(address, MAX_CONNECTIONS);
    } catch (IOException e) {
      throw new IOException(
          "the in-process ZooKeeper cannot listen on port "
              + port
              + " ("
              + e.getMessage()
              + "); end what uses it or set zk.server.port",
          e);
    }
    connections.startup(server);
    return new LocalZooKeeper(connections);
  }

  /** {@code host:port} for clients in this process and on this machine. */
  public String connectString() {
    return InetAddress.getLoopbackAddress().getHostAddress() + ":" + connections.getLocalPort();
  }

  /** Stops the server; its data stays. */
  @Override
  public void close() {
    connections.shutdown();
  }
}
