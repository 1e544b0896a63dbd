package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.MessageFrames.Range;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Deliveries in the hands of transactions. A held message stays out, so that it hides from
 * everybody else and hides nothing behind it; it ends as an acknowledgement or comes back in its
 * place.
 */
final class Holds {
  private static final Comparator<Delivery> BY_PLACE =
      Comparator.<Delivery>comparingLong(delivery -> delivery.subscription.id)
          .thenComparingInt(delivery -> delivery.lane)
          .thenComparingLong(delivery -> delivery.sequence);

  private final Destinations destinations;
  private final Redelivery redelivery;
  private final Settlement settlement;

  Holds(Destinations destinations, Redelivery redelivery, Settlement settlement) {
    this.destinations = destinations;
    this.redelivery = redelivery;
    this.settlement = settlement;
  }

  /**
   * Holds what of the ranges is out with the consumers that they name. A message that is done with
   * is passed over; one that is with somebody else, or free, dooms the transaction: its client
   * believes in a delivery that is void.
   */
  void hold(Connection from, List<Range> ranges, TransactionWork work) {
    for (Range range : ranges) {
      Subscription subscription = destinations.subscription(range.subscriptionId());
      LaneState lane = subscription == null ? null : subscription.lane(range.lane());
      if (lane != null) {
        hold(from, range, subscription, lane, work);
      }
    }
  }

  private void hold(
      Connection from,
      Range range,
      Subscription subscription,
      LaneState lane,
      TransactionWork work) {
    long end = Math.min(range.last(), subscription.destination.lane(range.lane()).next - 1);
    for (long sequence = lane.acked.nextAbsent(Math.max(0, range.first()));
        sequence <= end;
        sequence = lane.acked.nextAbsent(sequence + 1)) {
      Delivery delivery = lane.out.get(sequence);
      if (delivery != null && delivery.holder == work) {
        continue;
      }
      if (delivery == null
          || delivery.holder != null
          || delivery.session == null
          || delivery.session.connection != from
          || delivery.consumer.id != range.consumerId()) {
        work.doom(
            "message "
                + sequence
                + " of "
                + subscription.destination
                + " was taken back before it was acknowledged");
        return;
      }
      delivery.holder = work;
      subscription.held++;
      work.held.add(delivery);
    }
  }

  /** A branch is prepared: nothing that it holds may go. */
  void pin(TransactionWork work) {
    for (Delivery delivery : work.held) {
      detach(delivery);
      delivery.subscription.pins++;
    }
  }

  private static void detach(Delivery delivery) {
    if (delivery.session != null) {
      delivery.session.remove(delivery);
    }
  }

  /** A session ends in order: what branches hold of its deliveries is theirs alone from now on. */
  void detach(Session session) {
    session.deliveries(delivery -> delivery.holder != null).forEach(Holds::detach);
  }

  /** Takes up what a prepared branch held before a restart. */
  void restore(List<Entry.Held> held, TransactionWork work) {
    for (Entry.Held one : held) {
      Subscription subscription = destinations.subscription(one.subscriptionId());
      LaneState lane = subscription == null ? null : subscription.lane(one.lane());
      if (lane == null || !lane.isFree(one.sequence())) {
        continue;
      }
      Delivery delivery =
          new Delivery(
              subscription,
              one.lane(),
              one.sequence(),
              one.priority(),
              one.messageId(),
              one.size());
      delivery.holder = work;
      lane.out.put(one.sequence(), delivery);
      if (lane.attempts.get(one.sequence()) == null) {
        // Its one delivery is known for certain: the mark of an unclean end does not apply to it.
        lane.attempts.put(one.sequence(), new Subscription.Attempts(0, 0));
      }
      subscription.held++;
      subscription.pins++;
      work.held.add(delivery);
    }
  }

  private static void let(Delivery delivery, boolean prepared) {
    delivery.holder = null;
    delivery.subscription.held--;
    if (prepared) {
      delivery.subscription.pins--;
    }
  }

  /** Lets go without saying what becomes of the messages: they are with their sessions again. */
  void let(TransactionWork work, boolean prepared) {
    work.held.forEach(delivery -> let(delivery, prepared));
    work.held.clear();
  }

  /** Everything comes back, counted: the application has seen it. */
  void giveBack(TransactionWork work, boolean prepared) {
    List<Delivery> back = List.copyOf(work.held);
    let(work, prepared);
    back.forEach(redelivery::seen);
  }

  /** Messages that a client acknowledges for a transaction that is gone. */
  void refuse(Connection from, List<Range> ranges) {
    for (Delivery delivery : Deliveries.named(from, ranges)) {
      if (delivery.holder == null) {
        redelivery.seen(delivery);
      }
    }
  }

  /** What a prepared entry says about the held messages that a restart leaves. */
  List<Entry.Held> facts(TransactionWork work) {
    List<Entry.Held> facts = new ArrayList<>();
    for (Delivery delivery : work.held) {
      if (delivery.subscription.isJournaled(delivery.lane) && !delivery.subscription.deleted) {
        facts.add(
            new Entry.Held(
                delivery.subscription.destination.id,
                delivery.subscription.id,
                delivery.lane,
                delivery.sequence,
                delivery.priority,
                delivery.messageId,
                delivery.size));
      }
    }
    return facts;
  }

  /** The entries that acknowledge what is held, runs of sequences together. */
  void acknowledge(TransactionWork work, List<Entry> parts) {
    List<Delivery> sorted = new ArrayList<>(work.held);
    sorted.sort(BY_PLACE);
    for (int i = 0; i < sorted.size(); ) {
      Delivery first = sorted.get(i);
      int end = i + 1;
      while (end < sorted.size() && follows(sorted.get(end - 1), sorted.get(end))) {
        end++;
      }
      if (first.subscription.isJournaled(first.lane) && !first.subscription.deleted) {
        parts.add(
            new Entry.Acked(
                first.subscription.destination.id,
                first.subscription.id,
                first.lane,
                first.sequence,
                sorted.get(end - 1).sequence));
      }
      i = end;
    }
  }

  private static boolean follows(Delivery one, Delivery next) {
    return one.subscription == next.subscription
        && one.lane == next.lane
        && one.sequence + 1 == next.sequence;
  }

  /**
   * Lets go for good, right before the entry that acknowledges; answers what no entry will:
   * messages and subscriptions that live in memory only.
   */
  List<Delivery> finish(TransactionWork work, boolean prepared) {
    List<Delivery> inMemory = new ArrayList<>();
    for (Delivery delivery : work.held) {
      if (!delivery.subscription.isJournaled(delivery.lane)) {
        inMemory.add(delivery);
      }
    }
    let(work, prepared);
    return inMemory;
  }

  /** Acknowledges what {@link #finish} answered. */
  void settle(List<Delivery> inMemory) {
    for (Delivery delivery : inMemory) {
      if (!delivery.subscription.deleted) {
        settlement.acknowledged(
            delivery.subscription, delivery.lane, delivery.sequence, delivery.sequence);
      }
    }
  }
}
