package io.metaq.broker.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How the broker finds its ZooKeeper, and the one it brings along with {@code start local}.
 *
 * @param enabled whether the broker registers at all
 * @param connect {@code host:port[,host:port]}
 * @param sessionTimeout after which ZooKeeper declares the broker gone
 * @param connectionTimeout for the first connection
 * @param syncTime pause between leaving ZooKeeper and the shutdown
 * @param root node under which everything stands
 * @param localPort port of the in-process server; 0 for any free one
 * @param localDirectory its data
 */
public record ZooKeeperConfig(
    boolean enabled,
    String connect,
    Duration sessionTimeout,
    Duration connectionTimeout,
    Duration syncTime,
    String root,
    int localPort,
    Path localDirectory) {
  ZooKeeperConfig withLocalDirectory(Path directory) {
    return new ZooKeeperConfig(
        enabled, connect, sessionTimeout, connectionTimeout, syncTime, root, localPort, directory);
  }
}
