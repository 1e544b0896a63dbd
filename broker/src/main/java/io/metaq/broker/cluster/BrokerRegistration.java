package io.metaq.broker.cluster;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ZooKeeperConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This broker's place in ZooKeeper, in MetaQ's layout: {@code <root>/brokers/ids/<id>/master} holds
 * its address while it lives, also over lost sessions. A broker that serves under the same id is a
 * reason not to start; the remains of a killed predecessor at the same address are replaced.
 */
public final class BrokerRegistration implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BrokerRegistration.class);
  private static final int RETRY_MS = 1000;
  private static final long LOOK_NANOS = Duration.ofMillis(200).toNanos();

  private final CuratorFramework curator;
  private final String path;
  private final PersistentNode node;

  private BrokerRegistration(CuratorFramework curator, String path, PersistentNode node) {
    this.curator = curator;
    this.path = path;
    this.node = node;
  }

  /**
   * Registers and returns when the entry stands.
   *
   * @param connect the ensemble, instead of the one that the configuration names
   * @param port on which the broker serves
   * @throws IOException with a message for the operator when ZooKeeper cannot be reached or the id
   *     is taken
   */
  public static BrokerRegistration register(BrokerConfig config, String connect, int port)
      throws IOException, InterruptedException {
    ZooKeeperConfig settings = config.zookeeper();
    CuratorFramework curator =
        CuratorFrameworkFactory.newClient(
            connect,
            Math.toIntExact(settings.sessionTimeout().toMillis()),
            Math.toIntExact(settings.connectionTimeout().toMillis()),
            new RetryForever(RETRY_MS));
    BrokerRegistration registration = null;
    try {
      curator.start();
      if (!curator.blockUntilConnected(
          Math.toIntExact(settings.connectionTimeout().toMillis()), TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "ZooKeeper at "
                + connect
                + " does not answer; start it, bring one along with 'start local', or set"
                + " zk.zkEnable=false");
      }
      registration = register(curator, config, port);
      return registration;
    } finally {
      if (registration == null) {
        curator.close();
      }
    }
  }

  private static BrokerRegistration register(
      CuratorFramework curator, BrokerConfig config, int port)
      throws IOException, InterruptedException {
    String address = "meta://" + PublishedAddress.of(config) + ":" + port;
    String path = config.zookeeper().root() + "/brokers/ids/" + config.brokerId() + "/master";
    PersistentNode node =
        new PersistentNode(
            curator, CreateMode.EPHEMERAL, false, path, address.getBytes(StandardCharsets.UTF_8));
    try {
      waitForPredecessor(curator, config, path, address);
      node.start();
      long patience = config.zookeeper().connectionTimeout().toMillis();
      if (!node.waitForInitialCreate(patience, TimeUnit.MILLISECONDS)) {
        throw new IOException(
            "ZooKeeper did not take the entry " + path + " within " + patience + " ms");
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("cannot register in ZooKeeper at " + path + ": " + e, e);
    }
    LOG.info("registered {} as {}", path, address);
    return new BrokerRegistration(curator, path, node);
  }

  private static void waitForPredecessor(
      CuratorFramework curator, BrokerConfig config, String path, String address) throws Exception {
    long end = System.nanoTime() + config.zookeeper().sessionTimeout().toNanos();
    while (true) {
      Stat stat = new Stat();
      String holder;
      try {
        holder =
            new String(curator.getData().storingStatIn(stat).forPath(path), StandardCharsets.UTF_8);
      } catch (NoNodeException e) {
        return;
      }
      if (holder.equals(address)) {
        curator.delete().quietly().withVersion(stat.getVersion()).forPath(path);
        return;
      }
      if (System.nanoTime() > end) {
        throw new IOException(
            "broker id "
                + config.brokerId()
                + " is taken by "
                + holder
                + "; give each broker a brokerId of its own");
      }
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted while waiting for " + path);
      }
    }
  }

  /** The node that holds this broker's address. */
  public String path() {
    return path;
  }

  /** Takes the entry away at once, so that clients need not wait for the session to end. */
  @Override
  public void close() throws IOException {
    try {
      node.close();
    } finally {
      curator.close();
    }
  }
}
