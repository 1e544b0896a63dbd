package io.metaq.broker.core;

import io.metaq.broker.core.DestinationSettings.Declaration;
import java.util.List;
import java.util.UUID;

/**
 * What the core is told when it is made.
 *
 * @param brokerIdentity names the data directory
 * @param generation grows with every start on it
 * @param heartbeatMillis longest silence the broker allows itself
 * @param maxMessageSize of any message, bytes
 * @param cacheBytes bound of records kept in memory
 * @param autoCreateQueues whether a queue comes into being when it is first used
 * @param defaults of destinations that are not declared
 */
public record CoreSettings(
    UUID brokerIdentity,
    int brokerId,
    long generation,
    String version,
    int heartbeatMillis,
    long maxMessageSize,
    long cacheBytes,
    boolean autoCreateQueues,
    boolean autoCreateTopics,
    DestinationSettings defaults,
    List<Declaration> declarations) {

  public CoreSettings {
    declarations = List.copyOf(declarations);
  }

  public static CoreSettings defaults(
      UUID brokerIdentity, int brokerId, long generation, String version) {
    return new CoreSettings(
        brokerIdentity,
        brokerId,
        generation,
        version,
        10_000,
        1L << 30,
        Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 8),
        true,
        true,
        DestinationSettings.DEFAULT,
        List.of());
  }
}
