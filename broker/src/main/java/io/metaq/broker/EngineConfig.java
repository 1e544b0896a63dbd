package io.metaq.broker;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.DeletePolicy;
import io.metaq.broker.config.DestinationConfig;
import io.metaq.broker.config.LimitConfig;
import io.metaq.broker.config.RedeliveryConfig;
import io.metaq.broker.core.DestinationSettings;
import io.metaq.broker.core.DestinationSettings.Access;
import io.metaq.broker.core.DestinationSettings.Declaration;
import io.metaq.broker.core.DestinationSettings.History;
import io.metaq.broker.core.DestinationSettings.Limit;
import io.metaq.broker.core.DestinationSettings.Redelivery;
import io.metaq.broker.core.DestinationSettings.WhenFull;
import io.metaq.broker.engine.EngineSettings;
import io.metaq.broker.store.JournalSettings;
import io.metaq.broker.store.RecoveryMode;
import io.metaq.wire.DestinationKind;
import java.util.List;

/** Translates what stands in the configuration file into the words of engine and core. */
final class EngineConfig {
  private static final long BLOCK_MILLIS = 30_000;
  private static final int LARGEST_ENTRY = 16 << 20;

  private EngineConfig() {}

  static EngineSettings settings(BrokerConfig config, String version) {
    EngineSettings defaults = EngineSettings.defaults(version);
    List<Declaration> declarations =
        config.destinations().stream()
            .map(
                declared ->
                    new Declaration(
                        declared.kind() == DestinationConfig.Kind.QUEUE
                            ? DestinationKind.QUEUE
                            : DestinationKind.TOPIC,
                        declared.name(),
                        destination(config, declared, true)))
            .toList();
    return new EngineSettings(
        config.brokerId(),
        version,
        defaults.heartbeatMillis(),
        config.defaults().limits().maxMessageSize(),
        defaults.cacheBytes(),
        config.autoCreate(),
        destination(config, config.defaults(), false),
        declarations,
        journal(config),
        config.journal().quarantineDamage() ? RecoveryMode.QUARANTINE : RecoveryMode.STRICT,
        defaults.maxUnwrittenBytes(),
        config.journal().checkpointInterval().toMillis(),
        Math.max(defaults.checkpointBytes(), config.journal().fileSize()),
        defaults.reservedDiskBytes(),
        defaults.maxOpenFiles());
  }

  private static JournalSettings journal(BrokerConfig config) {
    int fileSize = JournalSettings.wholeBlocks(config.journal().fileSize());
    return JournalSettings.defaults()
        .withFiles(fileSize, Math.min(LARGEST_ENTRY, fileSize / 2))
        .withInlineForce(config.journal().inlineForce());
  }

  private static DestinationSettings destination(
      BrokerConfig config, DestinationConfig destination, boolean declared) {
    return new DestinationSettings(
        declared ? destination.numPartitions() : 1,
        config.maxSegmentSize(),
        declared,
        Math.max(0, destination.flush().unflushThreshold()),
        new Access(destination.acceptPublish(), destination.acceptSubscribe()),
        declared && destination.kind() == DestinationConfig.Kind.TOPIC
            ? history(destination)
            : History.NONE,
        limit(destination.limits()),
        redelivery(destination.redelivery()),
        destination.redelivery().deadLetterQueue().orElse(null),
        destination.expiryQueue().orElse(null));
  }

  /** What is to be archived stays: nobody else moves it. */
  private static History history(DestinationConfig topic) {
    DeletePolicy policy = topic.deletePolicy();
    boolean delete = policy.action() == DeletePolicy.Action.DELETE;
    return new History(delete ? policy.age().toMillis() : Long.MAX_VALUE, topic.deleteWhen());
  }

  private static Limit limit(LimitConfig limits) {
    return new Limit(
        Math.max(0, limits.maxMessages()),
        Math.max(0, limits.maxBytes()),
        limits.maxMessageSize(),
        limits.nonPersistentMaxBytes(),
        switch (limits.policy()) {
          case BLOCK -> WhenFull.BLOCK;
          case FAIL -> WhenFull.FAIL;
          case DROP_OLDEST -> WhenFull.DROP_OLDEST;
        },
        BLOCK_MILLIS);
  }

  private static Redelivery redelivery(RedeliveryConfig redelivery) {
    return new Redelivery(
        redelivery.maxDeliveries(),
        redelivery.delay().toMillis(),
        redelivery.multiplier(),
        redelivery.maxDelay().toMillis(),
        (int) Math.round(redelivery.jitter() * 100));
  }
}
