package io.metaq.broker.engine;

import io.metaq.broker.core.DestinationSettings;
import io.metaq.broker.core.DestinationSettings.Declaration;
import io.metaq.broker.store.JournalSettings;
import io.metaq.broker.store.RecoveryMode;
import java.util.List;

/**
 * What an engine is told when it is made.
 *
 * @param brokerId stands in message ids
 * @param version told to clients
 * @param heartbeatMillis longest silence the broker allows itself
 * @param maxMessageSize of any message, in bytes
 * @param cacheBytes records kept in memory
 * @param autoCreate whether a destination comes into being on first use
 * @param defaults of destinations that are not declared
 * @param declarations destinations and patterns of the configuration
 * @param journal files and bounds of the journal
 * @param recovery what to do about damage at a start
 * @param maxUnwrittenBytes records in the journal but not yet in their logs at which clients wait
 * @param checkpointMillis longest time between two checkpoints; 0 = none by time
 * @param checkpointBytes journal bytes after which a checkpoint is taken
 * @param reservedDiskBytes free space below which senders are refused, so that consumers can go on
 * @param maxOpenFiles of partition logs and of bodies
 */
public record EngineSettings(
    int brokerId,
    String version,
    int heartbeatMillis,
    long maxMessageSize,
    long cacheBytes,
    boolean autoCreate,
    DestinationSettings defaults,
    List<Declaration> declarations,
    JournalSettings journal,
    RecoveryMode recovery,
    long maxUnwrittenBytes,
    long checkpointMillis,
    long checkpointBytes,
    long reservedDiskBytes,
    int maxOpenFiles) {

  public EngineSettings {
    declarations = List.copyOf(declarations);
  }

  /** Settings of a broker without a configuration. */
  public static EngineSettings defaults(String version) {
    return new EngineSettings(
        0,
        version,
        10_000,
        1L << 30,
        Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 8),
        true,
        DestinationSettings.DEFAULT,
        List.of(),
        JournalSettings.defaults(),
        RecoveryMode.STRICT,
        Math.min(64L << 20, Math.max(4L << 20, Runtime.getRuntime().maxMemory() / 8)),
        3_600_000,
        64L << 20,
        256L << 20,
        256);
  }
}
