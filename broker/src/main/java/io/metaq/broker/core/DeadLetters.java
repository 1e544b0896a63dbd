package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.RecordFormat;
import io.metaq.wire.WireException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Moves messages that failed too often, or whose time is over, to the queue that is configured for
 * them: one copy per subscription, with where it came from and why as properties, never expiring.
 */
final class DeadLetters {
  static final String DESTINATION = "JMS_MetaQ_OriginalDestination";
  static final String SUBSCRIPTION = "JMS_MetaQ_OriginalSubscription";
  static final String EXPIRATION = "JMS_MetaQ_OriginalExpiration";
  static final String REASON = "JMS_MetaQ_DeadLetterReason";
  static final String COUNT = "JMS_MetaQ_DeadLetterDeliveries";
  static final String TIME = "JMS_MetaQ_DeadLetterTime";
  static final String TOO_MANY = "too many deliveries";
  static final String EXPIRED = "expired";

  private final Destinations destinations;
  private final Reads reads;
  private final IdClock ids;
  private final Moment moment;
  private final Settlement settlement;
  private Recorder recorder;
  private Lookup lookup;
  private Sends sends;

  DeadLetters(
      Destinations destinations, Reads reads, IdClock ids, Moment moment, Settlement settlement) {
    this.destinations = destinations;
    this.reads = reads;
    this.ids = ids;
    this.moment = moment;
    this.settlement = settlement;
  }

  void connect(Recorder entries, Lookup names, Sends accepted) {
    this.recorder = entries;
    this.lookup = names;
    this.sends = accepted;
  }

  private static boolean isUsable(Subscription subscription, String queue) {
    return queue != null && !queue.isEmpty() && !queue.equals(subscription.destination.name);
  }

  /** Whether there is anywhere to put what failed. */
  boolean takes(Delivery delivery) {
    return isUsable(
        delivery.subscription, delivery.subscription.destination.settings.deadLetterQueue());
  }

  /** Moves a message that is free; {@code otherwise} if it cannot be moved. */
  void bury(Delivery delivery, int count, Consumer<Delivery> otherwise) {
    String queue = delivery.subscription.destination.settings.deadLetterQueue();
    move(delivery, queue, TOO_MANY, count, otherwise);
  }

  /** Moves an expired message that is free; false if it is just to go. */
  boolean buryExpired(Subscription subscription, Lane lane, long sequence) {
    String queue = subscription.destination.settings.expiryQueue();
    if (!isUsable(subscription, queue)) {
      return false;
    }
    int count = subscription.lane(lane.number).handed(sequence);
    Delivery delivery =
        new Delivery(subscription, lane.number, sequence, PriorityIndex.DEFAULT, 0, 0);
    move(delivery, queue, EXPIRED, count, this::settle);
    return true;
  }

  /** While its record is fetched, the message is out with nobody. */
  private void move(
      Delivery delivery, String queue, String reason, int count, Consumer<Delivery> otherwise) {
    Subscription subscription = delivery.subscription;
    LaneState state = subscription.lane(delivery.lane);
    Lane lane = subscription.destination.lane(delivery.lane);
    delivery.holder = this;
    subscription.held++;
    state.out.put(delivery.sequence, delivery);
    Consumer<ByteBuffer> fetched =
        record -> {
          delivery.holder = null;
          subscription.held--;
          if (subscription.deleted || state.out.get(delivery.sequence) != delivery) {
            return;
          }
          state.out.remove(delivery.sequence);
          if (record == null) {
            settle(delivery);
          } else {
            move(delivery, record, queue, reason, count, otherwise);
          }
        };
    ByteBuffer record = lane.record(delivery.sequence);
    if (record != null || !lane.isDurable()) {
      fetched.accept(record);
    } else {
      reads.one(subscription.destination, lane.number, delivery.sequence, fetched);
    }
  }

  private void move(
      Delivery delivery,
      ByteBuffer record,
      String queue,
      String reason,
      int count,
      Consumer<Delivery> otherwise) {
    Subscription subscription = delivery.subscription;
    Destination target = destinations.byName(queue);
    if (target == null) {
      target = lookup.create(DestinationKind.QUEUE, queue);
    }
    if (!target.kind.isQueue() || target.kind.isTemporary()) {
      otherwise.accept(delivery);
      return;
    }
    ByteBuffer copy = copy(record, subscription, reason, count);
    boolean persistent =
        delivery.lane >= 0
            || !RecordFormat.isJms(record)
            || RecordView.content(record).persistent();
    if (!persistent) {
      sends.remember(target, copy, 0);
      settle(delivery);
      return;
    }
    Entry.Appended appended = Placement.single(target, target.partitions[0], null, 0, 0, copy);
    if (subscription.isJournaled(delivery.lane)) {
      recorder.record(new Entry.Group(List.of(appended, acked(delivery))), false);
    } else {
      recorder.record(appended, false);
      settle(delivery);
    }
  }

  private static Entry.Acked acked(Delivery delivery) {
    return new Entry.Acked(
        delivery.subscription.destination.id,
        delivery.subscription.id,
        delivery.lane,
        delivery.sequence,
        delivery.sequence);
  }

  private void settle(Delivery delivery) {
    if (delivery.subscription.isJournaled(delivery.lane)) {
      recorder.record(acked(delivery), false);
    } else {
      settlement.acknowledged(
          delivery.subscription, delivery.lane, delivery.sequence, delivery.sequence);
    }
  }

  private ByteBuffer copy(ByteBuffer stored, Subscription from, String reason, int count) {
    long id = ids.next(moment.now());
    ByteBuffer record = PlainRecord.toJms(stored, from.destination.kind, from.destination.name);
    Content content = RecordView.content(record);
    MessageBlock block;
    try {
      block = content.block();
    } catch (WireException unreadable) {
      return RecordView.restamp(record, id);
    }
    Map<String, Object> properties = new LinkedHashMap<>(block.properties());
    properties.put(DESTINATION, from.destination.name);
    if (from.name != null) {
      properties.put(SUBSCRIPTION, from.name);
    }
    properties.put(REASON, reason);
    properties.put(COUNT, count);
    properties.put(TIME, moment.now());
    if (block.expiration() != 0) {
      properties.put(EXPIRATION, block.expiration());
    }
    ByteBuffer changed = Content.build(RecordView.with(block, properties), content.payload());
    return RecordView.make(changed, id, 0, content.acceptedAt(), RecordFormat.isLarge(record));
  }
}
