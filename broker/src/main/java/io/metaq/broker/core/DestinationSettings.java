package io.metaq.broker.core;

import io.metaq.wire.DestinationKind;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is configured for a destination. In force when something is decided; the decision then
 * stands in an entry.
 *
 * @param partitions of a new destination
 * @param segmentSize bytes after which a partition log begins a new segment
 * @param declared stands in the configuration: stores without subscribers, and exists before it is
 *     used
 * @param unflushThreshold 0: each receipt waits for a force; else only that of every so many-th
 *     message does
 * @param access what clients may do with it
 * @param history what becomes of segments that no subscription needs
 */
public record DestinationSettings(
    int partitions,
    long segmentSize,
    boolean declared,
    int unflushThreshold,
    Access access,
    History history,
    Limit limit,
    Redelivery redelivery,
    String deadLetterQueue,
    String expiryQueue) {

  /** What a full destination does to a sender. */
  public enum WhenFull {
    /** Its answer waits until there is room, for at most the blocking time. */
    BLOCK,
    FAIL,
    /** The oldest messages that nobody holds go. */
    DROP_OLDEST
  }

  /**
   * What clients may do with a destination that is not temporary. The broker itself may always put
   * dead and expired messages there.
   *
   * @param publish send to it
   * @param subscribe consume from it and browse it
   */
  public record Access(boolean publish, boolean subscribe) {
    public static final Access OPEN = new Access(true, true);
  }

  /**
   * How long segments stay that no subscription needs.
   *
   * @param millis since the next segment was begun
   * @param when they are looked for: a Quartz cron expression, to the core a mere name; empty =
   *     they go as soon as they are not needed
   */
  public record History(long millis, String when) {
    public static final History NONE = new History(0, "");

    public boolean isKept() {
      return !when.isEmpty();
    }
  }

  /**
   * Bounds of what waits in a destination; 0 = none.
   *
   * @param maxMemoryBytes of the in-memory lane, which is always bounded
   */
  public record Limit(
      long maxMessages,
      long maxBytes,
      long maxMessageSize,
      long maxMemoryBytes,
      WhenFull whenFull,
      long blockMillis) {
    public static final Limit NONE = new Limit(0, 0, 0, 64L << 20, WhenFull.BLOCK, 30_000);
  }

  /**
   * What happens to a message that comes back.
   *
   * @param maxDeliveries after so many it goes to the dead-letter queue; 0 or less = never
   * @param delayMillis before it comes again, 0 = at once and in its place
   * @param multiplier of the delay with every further delivery
   * @param maxDelayMillis bound of the growing delay
   * @param jitterPercent by which the delay varies either way, decided by the message's place
   */
  public record Redelivery(
      int maxDeliveries,
      long delayMillis,
      double multiplier,
      long maxDelayMillis,
      int jitterPercent) {
    public static final Redelivery DEFAULT = new Redelivery(20, 0, 1, 3_600_000, 0);
  }

  public static final DestinationSettings DEFAULT =
      new DestinationSettings(
          1,
          64L << 20,
          false,
          0,
          Access.OPEN,
          History.NONE,
          Limit.NONE,
          Redelivery.DEFAULT,
          "DLQ",
          null);

  public DestinationSettings {
    if (partitions < 1 || segmentSize < 1) {
      throw new IllegalArgumentException("a destination needs a partition and a segment size");
    }
  }

  /**
   * What the configuration declares.
   *
   * @param pattern a name; {@code *} in it stands for any run of characters
   */
  public record Declaration(DestinationKind kind, String pattern, DestinationSettings settings) {
    public boolean isPattern() {
      return pattern.indexOf('*') >= 0;
    }

    /** Whether this declares a destination of the given name. */
    boolean covers(String name) {
      return name.matches(
          Stream.of(pattern.split("\\*", -1))
              .map(Pattern::quote)
              .collect(Collectors.joining(".*")));
    }
  }
}
