package io.metaq.broker.config;

import io.metaq.broker.config.DestinationConfig.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Everything a broker is told before it starts; made by {@link ServerIni}.
 *
 * @param brokerId unique among the brokers of a cluster, 0 to 1023
 * @param hostName published to clients; empty for the first address that is not loopback
 * @param bindAddress address listened on
 * @param serverPort port of all protocols; 0 for any free one
 * @param dashboardHttpPort port of the console; 0 for any free one
 * @param dataPath folder of everything the broker stores, but for what is set elsewhere
 * @param usersFile names and password hashes; need not exist on loopback
 * @param lineProtocolUser user as whom line-protocol clients act beyond loopback; empty to turn
 *     them away
 * @param autoCreate whether a destination comes into being on first use
 * @param maxSegmentSize bytes at which a partition log starts another segment
 * @param maxTransferSize most bytes one fetch answers with
 * @param maxTransactionTimeout longest time a line-protocol transaction may ask for
 * @param updateConsumerOffsets whether a fetch beyond the end is sent back to the end
 * @param appClassPath folder of server-side filters
 * @param journal the journal
 * @param zookeeper coordination
 * @param defaults settings of topics that were not declared
 * @param destinations what was declared, in the order of the file
 * @param notes what an operator should know of the file though it is no fault
 */
public record BrokerConfig(
    int brokerId,
    Optional<String> hostName,
    String bindAddress,
    int serverPort,
    int dashboardHttpPort,
    Path dataPath,
    Path usersFile,
    Optional<String> lineProtocolUser,
    boolean autoCreate,
    int maxSegmentSize,
    int maxTransferSize,
    Duration maxTransactionTimeout,
    boolean updateConsumerOffsets,
    Path appClassPath,
    JournalConfig journal,
    ZooKeeperConfig zookeeper,
    DestinationConfig defaults,
    List<DestinationConfig> destinations,
    List<Fault> notes) {

  /** Copies the lists so that the record cannot change. */
  public BrokerConfig {
    destinations = List.copyOf(destinations);
    notes = List.copyOf(notes);
  }

  /**
   * The declaration that covers a destination: the one of exactly its name, else the pattern with
   * the most characters. Empty when none does; then {@link #autoCreate} decides and {@link
   * #defaults} apply.
   */
  public Optional<DestinationConfig> declared(Kind kind, String name) {
    return destinations.stream()
        .filter(d -> d.kind() == kind && d.covers(name))
        .max(
            Comparator.comparing((DestinationConfig d) -> !d.isPattern())
                .thenComparingInt(d -> d.name().length()));
  }

  /** The same with another port. */
  public BrokerConfig withServerPort(int port) {
    return copy(port, dataPath, autoCreate, journal, zookeeper, defaults, destinations);
  }

  /** The same with or without creation on first use. */
  public BrokerConfig withAutoCreate(boolean create) {
    return copy(serverPort, dataPath, create, journal, zookeeper, defaults, destinations);
  }

  /** The same, everything that stood in the former data folder standing in another. */
  public BrokerConfig withDataPath(Path path) {
    return copy(
        serverPort,
        path,
        autoCreate,
        journal.withPath(moved(journal.path(), path)),
        zookeeper.withLocalDirectory(moved(zookeeper.localDirectory(), path)),
        defaults.withDataPath(moved(defaults.dataPath(), path)),
        destinations.stream().map(d -> d.withDataPath(moved(d.dataPath(), path))).toList());
  }

  private Path moved(Path old, Path to) {
    return old.startsWith(dataPath) ? to.resolve(dataPath.relativize(old)).normalize() : old;
  }

  private BrokerConfig copy(
      int serverPort,
      Path dataPath,
      boolean autoCreate,
      JournalConfig journal,
      ZooKeeperConfig zookeeper,
      DestinationConfig defaults,
      List<DestinationConfig> destinations) {
    return new BrokerConfig(
        brokerId,
        hostName,
        bindAddress,
        serverPort,
        dashboardHttpPort,
        dataPath,
        usersFile,
        lineProtocolUser,
        autoCreate,
        maxSegmentSize,
        maxTransferSize,
        maxTransactionTimeout,
        updateConsumerOffsets,
        appClassPath,
        journal,
        zookeeper,
        defaults,
        destinations,
        notes);
  }
}
