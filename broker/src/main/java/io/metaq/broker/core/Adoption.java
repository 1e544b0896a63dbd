package io.metaq.broker.core;

import io.metaq.broker.core.Destinations.SubscriptionKey;
import io.metaq.broker.core.Entry.Position;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes over partitions that another broker wrote: their records keep their offsets and bytes but
 * for the message id, since MetaQ's ids neither grow across restarts nor are unique. On the core's
 * thread, between other inputs.
 */
public final class Adoption {
  private final Destinations destinations;
  private final Lookup lookup;
  private final IdClock ids;
  private final Moment moment;
  private final Recorder recorder;

  Adoption(
      Destinations destinations, Lookup lookup, IdClock ids, Moment moment, Recorder recorder) {
    this.destinations = destinations;
    this.lookup = lookup;
    this.ids = ids;
    this.moment = moment;
    this.recorder = recorder;
  }

  /**
   * A destination to be taken over.
   *
   * @param offsets where its partitions begin, in bytes
   * @param subscriptions names of the shared durable subscriptions that get everything of a topic;
   *     none for a queue
   */
  public record Adopted(String name, List<Long> offsets, Set<String> subscriptions) {}

  /**
   * Begins the destinations: all of them or none.
   *
   * @throws IllegalArgumentException if a name cannot be used or is taken, with the reason
   */
  public void begin(List<Adopted> all) {
    try {
      checkFree(all);
    } catch (CoreException refused) {
      throw new IllegalArgumentException(refused.getMessage(), refused);
    }
    all.forEach(this::begin);
  }

  private void begin(Adopted adopted) {
    lookup.create(
        adopted.subscriptions().isEmpty() ? DestinationKind.QUEUE : DestinationKind.TOPIC,
        adopted.name(),
        adopted.offsets().stream().map(offset -> new Position(0, offset)).toList());
    Destination destination = destinations.byName(adopted.name());
    for (String subscription : adopted.subscriptions()) {
      List<Long> from = new ArrayList<>();
      for (Partition partition : destination.partitions) {
        from.add(partition.next);
      }
      recorder.record(
          new Entry.SubscriptionCreated(
              destination.id,
              ids.next(moment.now()),
              0,
              true,
              null,
              subscription,
              null,
              false,
              from),
          true);
    }
  }

  private void checkFree(List<Adopted> all) {
    Set<String> subscriptions = new HashSet<>();
    for (Adopted adopted : all) {
      lookup.checkFree(adopted.name());
      for (String subscription : adopted.subscriptions()) {
        checkFree(subscription);
        if (!subscriptions.add(subscription)) {
          throw new CoreException(
              ErrorCode.INVALID_DESTINATION,
              "the durable subscription " + subscription + " cannot be of two topics");
        }
      }
    }
  }

  private void checkFree(String subscription) {
    Subscriptions.checkName(subscription);
    SubscriptionKey key = new SubscriptionKey(true, null, subscription);
    if (destinations.subscription(key) != null || destinations.pattern(key) != null) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "there is a durable subscription " + subscription + " already");
    }
  }

  /**
   * Appends a record at the end of a partition.
   *
   * @param newSegment whether a segment begins with it
   * @param record a whole record without a JMS block, which is copied
   */
  public void append(String name, int partition, boolean newSegment, ByteBuffer record) {
    Destination destination = destinations.byName(name);
    Partition target = destination.partitions[partition];
    recorder.record(
        new Entry.Appended(
            destination.id,
            partition,
            target.next,
            target.nextOffset(),
            newSegment,
            null,
            0,
            0,
            0,
            RecordView.restamp(record, ids.next(moment.now()))),
        true);
  }
}
