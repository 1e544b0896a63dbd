package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.Attempts;
import io.metaq.broker.core.Subscription.LaneState;

/**
 * Carries entries out on the state, the same way live and in recovery. Looks at nothing but the
 * entry and the state; what names an object that is gone is passed over, since its end stands later
 * in the journal.
 */
final class Applier {
  private final Destinations destinations;
  private final Producers producers;
  private final IdClock ids;
  private final Settlement settlement;
  private final DelayedMessages delayed;
  private TransactionSink transactions = TransactionSink.NONE;

  Applier(
      Destinations destinations,
      Producers producers,
      IdClock ids,
      Settlement settlement,
      DelayedMessages delayed) {
    this.destinations = destinations;
    this.producers = producers;
    this.ids = ids;
    this.settlement = settlement;
    this.delayed = delayed;
  }

  void setTransactions(TransactionSink sink) {
    this.transactions = sink;
  }

  void apply(long index, Entry entry) {
    if (entry instanceof Entry.Appended appended) {
      appended(index, appended);
    } else if (entry instanceof Entry.Acked acked) {
      Subscription subscription =
          subscription(index, acked.destinationId(), acked.subscriptionId());
      if (subscription != null) {
        settlement.acknowledged(subscription, acked.lane(), acked.first(), acked.last());
      }
    } else if (entry instanceof Entry.Dispatched dispatched) {
      LaneState lane =
          lane(index, dispatched.destinationId(), dispatched.subscriptionId(), dispatched.lane());
      if (lane != null) {
        lane.marked = dispatched.upTo();
      }
    } else if (entry instanceof Entry.Counted counted) {
      LaneState lane =
          lane(index, counted.destinationId(), counted.subscriptionId(), counted.lane());
      if (lane != null && !lane.acked.contains(counted.sequence())) {
        lane.attempts.put(counted.sequence(), new Attempts(counted.count(), counted.notBefore()));
      }
    } else if (entry instanceof Entry.Group group) {
      group.parts().forEach(part -> apply(index, part));
    } else {
      applyRare(index, entry);
    }
  }

  private void applyRare(long index, Entry entry) {
    if (entry instanceof Entry.Due due) {
      Destination destination = changing(index, due.destinationId());
      if (destination != null) {
        delayed.applyDue(destination, due.sequence());
      }
    } else if (entry instanceof Entry.SegmentsDropped dropped) {
      Destination destination = changing(index, dropped.destinationId());
      if (destination != null) {
        destination.partition(dropped.partition()).dropBelow(dropped.first());
      }
    } else if (entry instanceof Entry.DestinationCreated created) {
      ids.seen(Math.max(created.destinationId(), created.queueSubscriptionId()));
      destinations.created(index, created);
      created.subscriptions().forEach(part -> subscriptionCreated(index, part));
    } else if (entry instanceof Entry.DestinationDeleted deleted) {
      Destination destination = changing(index, deleted.destinationId());
      if (destination != null) {
        settlement.deleted(destination);
        destinations.deleted(index, destination);
      }
    } else if (entry instanceof Entry.SubscriptionCreated created) {
      subscriptionCreated(index, created);
    } else if (entry instanceof Entry.SubscriptionDeleted deleted) {
      Subscription subscription =
          subscription(index, deleted.destinationId(), deleted.subscriptionId());
      if (subscription != null) {
        settlement.deleted(subscription);
        destinations.remove(subscription);
      }
    } else if (entry instanceof Entry.PatternCreated created) {
      ids.seen(created.patternId());
      destinations.patternCreated(index, created);
    } else if (entry instanceof Entry.PatternDeleted deleted) {
      destinations.patternDeleted(index, deleted.patternId());
    } else if (entry instanceof Entry.ProducersForgotten forgotten) {
      producers.applyForgotten(index, forgotten.producers());
    } else {
      transactions.apply(index, entry, part -> apply(index, part));
    }
  }

  private void appended(long index, Entry.Appended entry) {
    producers.applySent(index, entry.producer(), entry.session(), entry.sendSequence());
    ids.seen(RecordView.messageId(entry.record()));
    Destination destination = changing(index, entry.destinationId());
    if (destination == null) {
      return;
    }
    if (entry.partition() == Partition.DELAYED) {
      delayed.applyDelayed(destination, entry);
      return;
    }
    Partition partition = destination.partitions[entry.partition()];
    partition.append(entry.sequence(), entry.offset(), entry.newSegment(), entry.record());
    settlement.appended(destination, partition, entry);
  }

  private void subscriptionCreated(long index, Entry.SubscriptionCreated created) {
    ids.seen(created.subscriptionId());
    Destination destination = changing(index, created.destinationId());
    if (destination == null) {
      return;
    }
    Subscription subscription =
        new Subscription(
            created.subscriptionId(),
            destination,
            created.patternId(),
            true,
            created.shared(),
            created.clientId(),
            created.name(),
            created.selector(),
            created.noLocal());
    for (int i = 0; i < created.from().size(); i++) {
      subscription.startAt(i, created.from().get(i));
    }
    destinations.add(subscription);
  }

  /** The destination, unless it is gone or its snapshot already reflects this entry. */
  private Destination changing(long index, long destinationId) {
    Destination destination = destinations.byId(destinationId);
    if (destination == null || index <= destination.restored) {
      return null;
    }
    destination.changed = index;
    return destination;
  }

  private Subscription subscription(long index, long destinationId, long subscriptionId) {
    return changing(index, destinationId) == null
        ? null
        : destinations.subscription(subscriptionId);
  }

  private LaneState lane(long index, long destinationId, long subscriptionId, int lane) {
    Subscription subscription = subscription(index, destinationId, subscriptionId);
    return subscription == null ? null : subscription.lane(lane);
  }
}
