package io.metaq.broker.config;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Settings of one destination, of a pattern of destinations, or of all that were not declared.
 *
 * @param kind queue or topic
 * @param name the declared name; {@code *} in it stands for any run of characters
 * @param numPartitions partitions on this broker
 * @param dataPath folder of its partition logs
 * @param acceptPublish whether producers may find it here
 * @param acceptSubscribe whether consumers may find it here
 * @param stat whether real-time statistics are kept
 * @param deletePolicy what becomes of old segments
 * @param deleteWhen Quartz cron expression of the times at which old segments are looked for
 * @param flush when a receipt waits for the disk
 * @param limits how much it may hold
 * @param redelivery what happens to messages not acknowledged
 * @param expiryQueue where expired messages go; empty to discard them
 * @param filters class of the server-side filter for each consumer group that has one
 */
public record DestinationConfig(
    Kind kind,
    String name,
    int numPartitions,
    Path dataPath,
    boolean acceptPublish,
    boolean acceptSubscribe,
    boolean stat,
    DeletePolicy deletePolicy,
    String deleteWhen,
    FlushConfig flush,
    LimitConfig limits,
    RedeliveryConfig redelivery,
    Optional<String> expiryQueue,
    Map<String, String> filters) {

  /** The two kinds of destination; a name is one or the other. */
  public enum Kind {
    /** Each message goes to one consumer. */
    QUEUE,
    /** Each message goes to every subscription. */
    TOPIC
  }

  /** Copies the map so that the record cannot change. */
  public DestinationConfig {
    filters = Map.copyOf(filters);
  }

  /** Whether the declared name stands for more than one destination. */
  public boolean isPattern() {
    return name.indexOf('*') >= 0;
  }

  /** Whether this declaration covers the destination {@code concrete}. */
  public boolean covers(String concrete) {
    if (!isPattern()) {
      return name.equals(concrete);
    }
    StringBuilder regex = new StringBuilder();
    for (String literal : name.split("\\*", -1)) {
      regex
          .append(regex.isEmpty() ? "" : ".*")
          .append(literal.isEmpty() ? "(?:)" : Pattern.quote(literal));
    }
    return concrete.matches(regex.toString());
  }

  DestinationConfig withDataPath(Path path) {
    return new DestinationConfig(
        kind,
        name,
        numPartitions,
        path,
        acceptPublish,
        acceptSubscribe,
        stat,
        deletePolicy,
        deleteWhen,
        flush,
        limits,
        redelivery,
        expiryQueue,
        filters);
  }
}
