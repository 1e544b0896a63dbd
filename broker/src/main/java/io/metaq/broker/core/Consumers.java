package io.metaq.broker.core;

import io.metaq.broker.core.Consumer.Attachment;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.Consuming;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Predicate;

/**
 * Consumers come, ask for messages, stop and go, and with them the subscriptions that live no
 * longer than they do.
 */
final class Consumers {
  private static final int KEPT_SCANS = 8;

  private final Effects effects;
  private final Destinations destinations;
  private final Lookup lookup;
  private final Subscriptions subscriptions;
  private final Wildcards wildcards;
  private final Selectors selectors;
  private final ScanContext scans;
  private final Dispatcher dispatcher;
  private final Redelivery redelivery;
  private final Settlement settlement;
  private final Answers answers;

  Consumers(
      Effects effects,
      Destinations destinations,
      Lookup lookup,
      Subscriptions subscriptions,
      Wildcards wildcards,
      Selectors selectors,
      ScanContext scans,
      Dispatcher dispatcher,
      Redelivery redelivery,
      Settlement settlement,
      Answers answers) {
    this.effects = effects;
    this.destinations = destinations;
    this.lookup = lookup;
    this.subscriptions = subscriptions;
    this.wildcards = wildcards;
    this.selectors = selectors;
    this.scans = scans;
    this.dispatcher = dispatcher;
    this.redelivery = redelivery;
    this.settlement = settlement;
    this.answers = answers;
  }

  void consume(Session session, int correlation, Consume consume) {
    Connection connection = session.connection;
    if (connection.consumers.containsKey(consume.consumerId())
        || connection.browsers.containsKey(consume.consumerId())) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE,
          "consumer id " + consume.consumerId() + " is in use on this connection");
    }
    connection.firstConsumer = Math.min(connection.firstConsumer, consume.consumerId());
    String selector = Selectors.normal(consume.selector());
    selectors.compile(selector);
    Consumer consumer =
        new Consumer(
            session, consume.consumerId(), consume.priority(), consume.exclusive(), selector);
    if (consume.kind() == SubscriptionKind.BROWSER) {
      browse(connection, correlation, consumer, consume);
      return;
    }
    long subscriptionId = 0;
    if (!consume.destinationKind().isQueue() && Wildcard.isPattern(consume.destination())) {
      watch(consumer, consume);
    } else {
      Subscription subscription = subscriptions.of(connection, consume, selector);
      attach(consumer, subscription);
      subscriptionId = subscription.id;
    }
    session.consumers.add(consumer);
    connection.consumers.put(consumer.id, consumer);
    answers.frame(connection, correlation, new Consuming(subscriptionId));
  }

  private void browse(Connection connection, int correlation, Consumer consumer, Consume consume) {
    Destination destination =
        lookup.resolveToConsume(connection, consume.destinationKind(), consume.destination());
    if (!destination.kind.isQueue()) {
      throw new CoreException(ErrorCode.INVALID_DESTINATION, "a browser of " + destination);
    }
    BrowseScan scan =
        new BrowseScan(destination.queue(), selectors.compile(consumer.selector), scans);
    Browser browser = new Browser(effects, consumer, scan);
    scan.onWake(() -> dispatcher.ready(browser));
    connection.browsers.put(consumer.id, browser);
    answers.frame(connection, correlation, new Consuming(destination.queue().id));
  }

  private void watch(Consumer consumer, Consume consume) {
    if (consume.destinationKind().isTemporary()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, "there is no temporary " + consume.destination());
    }
    if (consume.kind().isDurable()) {
      consumer.pattern =
          subscriptions.durablePattern(consumer.session.connection, consume, consumer.selector);
      consumer.pattern.attach(consumer);
    } else if (consume.kind().isShared()) {
      Subscriptions.checkName(consume.subscriptionName());
    }
    wildcards.watch(consumer, consume);
  }

  /** A topic matches the pattern of a consumer. */
  void attachTo(Consumer consumer, Wildcards.Subscribe match) {
    attach(consumer, subscriptions.matching(consumer, match.consume(), match.topic()));
    ready(consumer);
  }

  /** Makes the consumer one of the subscription's. */
  void attach(Consumer consumer, Subscription subscription) {
    Scan scan = scan(subscription, consumer);
    Attachment attachment = new Attachment(consumer, subscription, scan);
    consumer.attachments.add(attachment);
    if (consumer.draining) {
      subscription.drains++;
    }
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
      String correlationId = queue ? Selectors.correlationId(selector) : null;
      scan = new Scan(subscription, filter, scans, correlationId);
      subscription.scans.put(key, scan);
    }
    return scan;
  }

  private static void forgetUnusedScans(Subscription subscription) {
    if (subscription.scans.size() >= KEPT_SCANS) {
      subscription.scans.values().removeIf(Scan::isUnused);
    }
  }

  void credit(Connection connection, Credit credit) {
    Browser browser = connection.browsers.get(credit.consumerId());
    if (browser != null) {
      browser.credit().credit(credit.messages(), credit.bytes());
      browser.wake();
      dispatcher.ready(browser);
      return;
    }
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
      MessageGroups.left(attachment);
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
