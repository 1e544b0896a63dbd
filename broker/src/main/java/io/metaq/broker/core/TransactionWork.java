package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.Content;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.RecordFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * What transactions do to destinations and subscriptions: hold deliveries, take sends without a
 * place, and in the end turn both into entries or give them back. It decides nothing about when.
 */
final class TransactionWork {
  private final Destinations destinations;
  private final Sends sends;
  private final Settlement settlement;
  private final Redelivery redelivery;
  private final DelayedMessages delayed;
  private final Room room;
  private final Bodies bodies;
  private final IdClock ids;
  private final Moment moment;

  TransactionWork(
      Destinations destinations,
      Sends sends,
      Settlement settlement,
      Redelivery redelivery,
      DelayedMessages delayed,
      Room room,
      Bodies bodies,
      IdClock ids,
      Moment moment) {
    this.destinations = destinations;
    this.sends = sends;
    this.settlement = settlement;
    this.redelivery = redelivery;
    this.delayed = delayed;
    this.room = room;
    this.bodies = bodies;
    this.ids = ids;
    this.moment = moment;
  }

  /**
   * Takes a send: checked, copied out of its frame, its times counted from now, without a place. A
   * large body's reference stands in it already.
   */
  Entry.PreparedSend take(Session session, Send send) {
    Destination destination = sends.checked(send, null);
    Content.of(send.content());
    boolean durable = !destination.kind.isTemporary();
    if (!room.has(destination, durable, send.content().remaining())) {
      throw new CoreException(ErrorCode.RESOURCE_LIMIT, room.full(destination));
    }
    long now = moment.now();
    boolean large = send.uploadId() != 0;
    ByteBuffer record =
        RecordView.make(
            send.content(), 0, Sends.expiration(now, send.timeToLiveMillis()), now, large);
    if (large) {
      bodies.hold(Bodies.reference(record).fileId());
    }
    long dueAt = send.delayMillis() > 0 ? Sends.expiration(now, send.delayMillis()) : 0;
    return new Entry.PreparedSend(
        destination.id, session.connection.id, session.id, send.sequence(), dueAt, record);
  }

  /**
   * Lets go of what {@link #take} holds beyond the send itself: after its commit's entry was
   * recorded, or at its rollback.
   */
  void letGo(List<Entry.PreparedSend> taken) {
    for (Entry.PreparedSend send : taken) {
      if (RecordFormat.isLarge(send.record())) {
        bodies.release(Bodies.reference(send.record()).fileId());
      }
    }
  }

  /**
   * For sends that come out of a snapshot or a {@link Entry.BranchPrepared}: holds their bodies as
   * {@link #take} did.
   */
  void holdBodies(List<Entry.PreparedSend> restored) {
    for (Entry.PreparedSend send : restored) {
      if (RecordFormat.isLarge(send.record())) {
        bodies.hold(Bodies.reference(send.record()).fileId());
      }
    }
  }

  /**
   * Holds for {@code holder} the named deliveries that are out with this connection and not held;
   * others are passed over in silence.
   */
  List<Delivery> hold(Connection connection, List<Range> ranges, Object holder) {
    List<Delivery> held = new ArrayList<>();
    for (Delivery delivery : Deliveries.named(connection, ranges)) {
      if (delivery.holder == null) {
        delivery.holder = holder;
        delivery.subscription.held++;
        held.add(delivery);
      }
    }
    return held;
  }

  /**
   * From now on no session's end gives them back: a branch is prepared, or outlives its session.
   */
  void detach(List<Delivery> held) {
    for (Delivery delivery : held) {
      if (delivery.session != null) {
        delivery.session.remove(delivery);
      }
    }
  }

  /** Pins what a prepared branch holds: their subscription and destination can't be deleted. */
  void pin(List<Delivery> held) {
    held.forEach(delivery -> delivery.subscription.pins++);
  }

  void unpin(List<Delivery> held) {
    held.forEach(delivery -> delivery.subscription.pins--);
  }

  /**
   * Holds and pins again what a prepared branch holds, in recovery. Nothing of a subscription that
   * is gone.
   */
  List<Delivery> holdAgain(List<Entry.Acked> acks, Object holder) {
    List<Delivery> held = new ArrayList<>();
    for (Entry.Acked ack : acks) {
      Subscription subscription = destinations.subscription(ack.subscriptionId());
      LaneState lane = subscription == null ? null : subscription.lane(ack.lane());
      if (lane == null) {
        continue;
      }
      for (long sequence = ack.first(); sequence <= ack.last(); sequence++) {
        if (!lane.acked.contains(sequence)) {
          Delivery delivery =
              new Delivery(subscription, ack.lane(), sequence, PriorityIndex.DEFAULT, 0, 0);
          delivery.unknown = true;
          delivery.holder = holder;
          subscription.held++;
          lane.out.put(sequence, delivery);
          held.add(delivery);
        }
      }
    }
    pin(held);
    return held;
  }

  /** Entries that acknowledge the durable ones, in runs. Valid until anything else is recorded. */
  List<Entry.Acked> acknowledgements(List<Delivery> held) {
    List<Delivery> sorted = new ArrayList<>();
    for (Delivery delivery : held) {
      if (isOut(delivery) && delivery.subscription.isJournaled(delivery.lane)) {
        sorted.add(delivery);
      }
    }
    sorted.sort(
        Comparator.comparingLong((Delivery delivery) -> delivery.subscription.id)
            .thenComparingInt(delivery -> delivery.lane)
            .thenComparingLong(delivery -> delivery.sequence));
    List<Entry.Acked> runs = new ArrayList<>();
    Entry.Acked run = null;
    for (Delivery delivery : sorted) {
      boolean joins =
          run != null
              && run.subscriptionId() == delivery.subscription.id
              && run.lane() == delivery.lane
              && run.last() + 1 == delivery.sequence;
      if (run != null && !joins) {
        runs.add(run);
      }
      run =
          new Entry.Acked(
              delivery.subscription.destination.id,
              delivery.subscription.id,
              delivery.lane,
              joins ? run.first() : delivery.sequence,
              delivery.sequence);
    }
    if (run != null) {
      runs.add(run);
    }
    return runs;
  }

  /** Settles those that leave no entry. Call when the transaction is committed. */
  void settleTransient(List<Delivery> held) {
    for (Delivery delivery : held) {
      if (isOut(delivery) && !delivery.subscription.isJournaled(delivery.lane)) {
        settlement.acknowledged(
            delivery.subscription, delivery.lane, delivery.sequence, delivery.sequence);
      }
    }
    unhold(held);
  }

  /** They are nobody's any more: after commit. What is still out stays so. */
  private static void unhold(List<Delivery> held) {
    for (Delivery delivery : held) {
      if (delivery.holder != null) {
        delivery.holder = null;
        delivery.subscription.held--;
      }
    }
  }

  private static boolean isOut(Delivery delivery) {
    return !delivery.subscription.deleted
        && delivery.subscription.lane(delivery.lane).out.get(delivery.sequence) == delivery;
  }

  /**
   * Rolled back: they come again, those in {@code counted} counted. Pinned ones must be unpinned
   * before.
   */
  void giveBack(List<Delivery> held, Set<Delivery> counted) {
    unhold(held);
    for (Delivery delivery : held) {
      if (counted.contains(delivery)) {
        redelivery.seen(delivery);
      } else {
        redelivery.unseen(delivery);
      }
    }
  }

  /** Rolled back, all were handed to the application. */
  void giveBack(List<Delivery> held) {
    unhold(held);
    held.forEach(redelivery::seen);
  }

  /** Whether a destination that is to be sent to is gone. */
  boolean isGone(Entry.PreparedSend send) {
    return destinations.byId(send.destinationId()) == null;
  }

  /**
   * Gives sends their places. The entries must be recorded at once, together; then {@link
   * #sendTransient} brings out the rest. Sends to a destination that is gone are left out.
   */
  List<Entry> place(List<Entry.PreparedSend> taken) {
    Placement placement = new Placement();
    List<Entry> entries = new ArrayList<>(taken.size());
    long now = moment.now();
    for (Entry.PreparedSend send : taken) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination == null || destination.kind.isTemporary()) {
        continue;
      }
      if (send.dueAt() > now) {
        entries.add(delayed.place(placement, destination, send));
      } else if (destination.isStoring()) {
        ByteBuffer record = RecordView.restamp(send.record(), ids.next(now));
        Partition partition =
            Sends.partition(
                destination, send.producer(), send.session(), RecordFormat.body(record));
        entries.add(
            placement.place(
                destination,
                partition,
                send.producer(),
                send.session(),
                send.sendSequence(),
                0,
                record));
      }
    }
    return entries;
  }

  /** Sends what leaves no entry: messages for temporary destinations. */
  void sendTransient(List<Entry.PreparedSend> taken) {
    long now = moment.now();
    for (Entry.PreparedSend send : taken) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination != null && destination.kind.isTemporary()) {
        ByteBuffer record = RecordView.restamp(send.record(), ids.next(now));
        if (send.dueAt() > now) {
          delayed.remember(destination, record, send.dueAt());
        } else {
          sends.remember(destination, record, 0);
        }
      }
    }
  }
}
