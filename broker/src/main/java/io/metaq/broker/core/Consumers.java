package io.metaq.broker.core;

import io.metaq.broker.core.Consumer.Attachment;
import io.metaq.broker.core.Destinations.SubscriptionKey;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.Consuming;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * Consumers come, ask for messages, stop and go, and with them the subscriptions that live no
 * longer than they do.
 */
final class Consumers {
  private static final int KEPT_SCANS = 8;

  private final Destinations destinations;
  private final Lookup lookup;
  private final Selectors selectors;
  private final ScanContext scans;
  private final Dispatcher dispatcher;
  private final Redelivery redelivery;
  private final Settlement settlement;
  private final MessageGroups groups;
  private final IdClock ids;
  private final Moment moment;
  private final Answers answers;
  private Recorder recorder;

  Consumers(
      Destinations destinations,
      Lookup lookup,
      Selectors selectors,
      ScanContext scans,
      Dispatcher dispatcher,
      Redelivery redelivery,
      Settlement settlement,
      MessageGroups groups,
      IdClock ids,
      Moment moment,
      Answers answers) {
    this.destinations = destinations;
    this.lookup = lookup;
    this.selectors = selectors;
    this.scans = scans;
    this.dispatcher = dispatcher;
    this.redelivery = redelivery;
    this.settlement = settlement;
    this.groups = groups;
    this.ids = ids;
    this.moment = moment;
    this.answers = answers;
  }

  void connect(Recorder entries) {
    this.recorder = entries;
  }

  void consume(Session session, int correlation, Consume consume) {
    Connection connection = session.connection;
    if (connection.consumers.containsKey(consume.consumerId())
        || connection.browsers.containsKey(consume.consumerId())) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE,
          "consumer id " + consume.consumerId() + " is in use on this connection");
    }
    String selector = Selectors.normal(consume.selector());
    selectors.compile(selector);
    Subscription subscription = subscription(connection, consume, selector);
    Consumer consumer =
        new Consumer(
            session,
            consume.consumerId(),
            consume.priority(),
            consume.exclusive(),
            consume.noLocal(),
            selector);
    attach(consumer, subscription);
    session.consumers.add(consumer);
    connection.consumers.put(consumer.id, consumer);
    answers.frame(connection, correlation, new Consuming(subscription.id));
  }

  /** Makes the consumer one of the subscription's. */
  void attach(Consumer consumer, Subscription subscription) {
    Scan scan = scan(subscription, consumer);
    Attachment attachment = new Attachment(consumer, subscription, scan);
    consumer.attachments.add(attachment);
    subscription.attach(attachment);
  }

  private Scan scan(Subscription subscription, Consumer consumer) {
    boolean queue = subscription.destination.kind.isQueue();
    String selector = queue ? consumer.selector : subscription.selector;
    String key = selector == null ? "" : selector;
    Scan scan = subscription.scans.get(key);
    if (scan == null) {
      forgetUnusedScans(subscription);
      Predicate<ByteBuffer> filter = selectors.compile(selector);
      if (!queue && subscription.noLocal) {
        Predicate<ByteBuffer> foreign =
            NoLocal.filter(subscription, consumer.session.connection.id);
        filter = filter == null ? foreign : foreign.and(filter);
      }
      scan = new Scan(subscription, filter, scans);
      subscription.scans.put(key, scan);
    }
    return scan;
  }

  private static void forgetUnusedScans(Subscription subscription) {
    if (subscription.scans.size() >= KEPT_SCANS) {
      subscription.scans.values().removeIf(Scan::isUnused);
    }
  }

  private Subscription subscription(Connection connection, Consume consume, String selector) {
    SubscriptionKind kind = consume.kind();
    DestinationKind destinationKind = consume.destinationKind();
    boolean queue = kind == SubscriptionKind.QUEUE || kind == SubscriptionKind.BROWSER;
    if (queue != destinationKind.isQueue()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "a subscription of kind "
              + kind
              + " on the "
              + destinationKind
              + " "
              + consume.destination());
    }
    Destination destination =
        lookup.resolveToConsume(connection, destinationKind, consume.destination());
    if (queue) {
      return destination.queue();
    }
    if (kind == SubscriptionKind.NON_DURABLE) {
      return transientSubscription(
          destination, false, connection.clientId, null, selector, consume.noLocal());
    }
    checkName(consume.subscriptionName());
    if (kind.isDurable()) {
      return durable(connection, consume, destination, selector);
    }
    return sharedNonDurable(connection, consume, destination, selector);
  }

  private static void checkName(String name) {
    boolean fits =
        name != null
            && !name.isEmpty()
            && name.length() <= 1024
            && name.chars().noneMatch(Character::isISOControl);
    if (!fits) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "a subscription name has 1 to 1024 characters, none of them a control character");
    }
  }

  private Subscription transientSubscription(
      Destination destination,
      boolean shared,
      String clientId,
      String name,
      String selector,
      boolean noLocal) {
    Subscription subscription =
        new Subscription(
            ids.next(moment.now()), destination, false, shared, clientId, name, selector, noLocal);
    destinations.add(subscription);
    return subscription;
  }

  private Subscription sharedNonDurable(
      Connection connection, Consume consume, Destination destination, String selector) {
    SubscriptionKey key =
        new SubscriptionKey(false, connection.clientId, consume.subscriptionName());
    Subscription found = destinations.subscription(key);
    if (found == null) {
      return transientSubscription(
          destination, true, connection.clientId, consume.subscriptionName(), selector, false);
    }
    if (found.destination != destination || !Objects.equals(found.selector, selector)) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "the shared subscription "
              + consume.subscriptionName()
              + " is active on "
              + found.destination
              + " with selector "
              + found.selector);
    }
    return found;
  }

  private Subscription durable(
      Connection connection, Consume consume, Destination destination, String selector) {
    boolean shared = consume.kind().isShared();
    if (destination.kind.isTemporary()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, "a durable subscription on the temporary " + destination);
    }
    if (!shared && connection.clientId == null) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE, "an unshared durable subscription needs a client id");
    }
    String name = consume.subscriptionName();
    boolean noLocal = !shared && consume.noLocal();
    Subscription found =
        destinations.subscription(new SubscriptionKey(true, connection.clientId, name));
    if (found != null) {
      boolean same =
          found.shared == shared
              && found.destination == destination
              && Objects.equals(found.selector, selector)
              && found.noLocal == noLocal;
      if (found.hasConsumers() && (!shared || !same)) {
        throw new CoreException(
            ErrorCode.IN_USE,
            "the durable subscription "
                + name
                + " on "
                + found.destination
                + " has an active consumer");
      }
      if (same) {
        return found;
      }
      if (found.shared != shared) {
        throw new CoreException(
            ErrorCode.IN_USE,
            "the durable subscription "
                + name
                + " exists as "
                + (found.shared ? "a shared" : "an unshared")
                + " one; unsubscribe it first");
      }
      deleteDurable(found);
    }
    List<Long> from = new ArrayList<>();
    for (Partition partition : destination.partitions) {
      from.add(partition.next);
    }
    long id = ids.next(moment.now());
    recorder.record(
        new Entry.SubscriptionCreated(
            destination.id, id, shared, connection.clientId, name, selector, noLocal, from),
        true);
    return destinations.subscription(id);
  }

  private void deleteDurable(Subscription subscription) {
    if (subscription.hasConsumers()) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "the durable subscription "
              + subscription.name
              + " has an active consumer; close it first");
    }
    if (subscription.pins > 0 || subscription.held > 0) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "a transaction holds messages of the durable subscription "
              + subscription.name
              + "; complete it first");
    }
    recorder.record(
        new Entry.SubscriptionDeleted(subscription.destination.id, subscription.id), true);
  }

  void unsubscribe(Connection connection, String name) {
    Subscription found =
        destinations.subscription(new SubscriptionKey(true, connection.clientId, name));
    if (found == null) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "there is no durable subscription " + name + " of client id " + connection.clientId);
    }
    deleteDurable(found);
  }

  void credit(Connection connection, Credit credit) {
    Consumer consumer = connection.consumers.get(credit.consumerId());
    if (consumer == null) {
      return;
    }
    consumer.credit(credit.messages(), credit.bytes());
    if (credit.drain() && !consumer.draining) {
      consumer.draining = true;
      consumer.attachments.forEach(attachment -> attachment.subscription.drains++);
    }
    ready(consumer);
    if (consumer.draining) {
      dispatcher.drain(consumer);
    }
  }

  /** Puts the consumer in line if it can take something. */
  void ready(Consumer consumer) {
    if (consumer.hasCredit()) {
      for (Attachment attachment : consumer.attachments) {
        attachment.subscription.ring.add(attachment);
        dispatcher.ready(attachment.subscription);
      }
    }
  }

  /** A consumer that is not there is closed already. */
  void stop(Connection connection, int consumerId, long handedOrdinal) {
    Consumer consumer = connection.consumers.get(consumerId);
    if (consumer != null) {
      stop(consumer, handedOrdinal);
    }
  }

  /** A consumer or browser that is not there is closed already. */
  void close(Connection connection, int consumerId, long handedOrdinal) {
    Consumer consumer = connection.consumers.get(consumerId);
    if (consumer != null) {
      close(consumer, handedOrdinal);
    }
    Browser browser = connection.browsers.remove(consumerId);
    if (browser != null) {
      browser.close();
    }
  }

  /** Takes its credit back; what the application was not handed goes back too. */
  void stop(Consumer consumer, long handedOrdinal) {
    consumer.handed(handedOrdinal);
    consumer.stop();
    List<Delivery> unseen =
        consumer.session.deliveries(
            delivery ->
                delivery.consumer == consumer
                    && delivery.ordinal > consumer.handed
                    && delivery.holder == null);
    unseen.forEach(redelivery::unseen);
  }

  /** Closes it in order; what was handed stays with the session. */
  void close(Consumer consumer, long handedOrdinal) {
    stop(consumer, handedOrdinal);
    remove(consumer);
  }

  /** Takes it out of everything but the session's deliveries. */
  void remove(Consumer consumer) {
    consumer.closed = true;
    consumer.stop();
    consumer.session.consumers.remove(consumer);
    consumer.session.connection.consumers.remove(consumer.id);
    for (Attachment attachment : consumer.attachments) {
      Subscription subscription = attachment.subscription;
      subscription.detach(attachment);
      groups.left(consumer, subscription);
      boolean ended =
          !subscription.durable
              && !subscription.hasConsumers()
              && !subscription.destination.kind.isQueue();
      if (ended && !subscription.deleted) {
        end(subscription);
      } else {
        dispatcher.ready(subscription);
      }
    }
  }

  /** A non-durable subscription ends with its last consumer, whatever is un-acknowledged. */
  private void end(Subscription subscription) {
    settlement.deleted(subscription);
    destinations.remove(subscription);
  }
}
