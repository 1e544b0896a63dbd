package io.metaq.broker.core;

import io.metaq.broker.core.Destinations.SubscriptionKey;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.SubscriptionFrames.Consume;
import java.util.ArrayList;
import java.util.List;

/**
 * Durable subscriptions come and go, on one topic or on all that match a pattern. Identity is
 * (client id or none, name); an identity has {@link DurableTerms}, and changing them creates it
 * anew while nobody uses it.
 */
final class DurableSubscriptions {
  /** One that exists, with all its parts; {@code pattern} null if it is on one topic. */
  private record Found(
      String name, DurableTerms terms, DurablePattern pattern, List<Subscription> parts) {
    boolean hasConsumers() {
      return pattern == null ? parts.get(0).hasConsumers() : pattern.consumers() > 0;
    }
  }

  private final Destinations destinations;
  private final IdClock ids;
  private final Moment moment;
  private final Recorder recorder;
  private final Effects effects;

  DurableSubscriptions(
      Destinations destinations, IdClock ids, Moment moment, Recorder recorder, Effects effects) {
    this.destinations = destinations;
    this.ids = ids;
    this.moment = moment;
    this.recorder = recorder;
    this.effects = effects;
  }

  /** The subscription on one topic that a consumer is to get, created if need be. */
  Subscription onTopic(Connection connection, Consume consume, Destination topic, String selector) {
    if (topic.kind.isTemporary()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, "a durable subscription on the temporary " + topic);
    }
    DurableTerms terms = terms(connection, consume, selector);
    Found found = find(connection.clientId, consume.subscriptionName());
    if (found != null && isUsable(connection, found, terms)) {
      return found.parts.get(0);
    }
    long id = ids.next(moment.now());
    recorder.record(
        new Entry.SubscriptionCreated(
            topic.id,
            id,
            0,
            terms.shared(),
            connection.clientId,
            consume.subscriptionName(),
            terms.selector(),
            terms.noLocal(),
            starts(topic)),
        true);
    return destinations.subscription(id);
  }

  /** The subscription on a pattern that a consumer is to get, created if need be. */
  DurablePattern onPattern(Connection connection, Consume consume, String selector) {
    Lookup.checkNameOrPattern(consume.destination());
    DurableTerms terms = terms(connection, consume, selector);
    Found found = find(connection.clientId, consume.subscriptionName());
    if (found != null && isUsable(connection, found, terms)) {
      return found.pattern;
    }
    DurablePattern pattern =
        new DurablePattern(
            ids.next(moment.now()), connection.clientId, consume.subscriptionName(), terms);
    List<Entry> parts = new ArrayList<>();
    parts.add(
        new Entry.PatternCreated(
            pattern.id,
            pattern.clientId,
            pattern.name,
            terms.topics(),
            terms.shared(),
            terms.selector(),
            terms.noLocal()));
    for (Destination topic : destinations.all()) {
      if (Wildcards.isCovered(topic) && pattern.matches(topic.name)) {
        parts.add(part(pattern, topic.id, starts(topic)));
      }
    }
    recorder.record(new Entry.Group(parts), true);
    return destinations.pattern(pattern.id);
  }

  /** What begins with a new topic: its part of every pattern that matches. */
  List<Entry.SubscriptionCreated> withTopic(
      long topicId, String name, List<Entry.Position> partitions) {
    if (!destinations.settings(DestinationKind.TOPIC, name).access().subscribe()) {
      return List.of();
    }
    List<Long> starts = partitions.stream().map(Entry.Position::sequence).toList();
    return destinations.patterns().stream()
        .filter(pattern -> pattern.matches(name))
        .map(pattern -> part(pattern, topicId, starts))
        .toList();
  }

  /**
   * What a pattern's subscription has on a topic. Begins now where the configuration has opened the
   * topic to consumers since.
   */
  Subscription partOn(DurablePattern pattern, Destination topic) {
    if (destinations.part(pattern, topic) == null) {
      recorder.record(part(pattern, topic.id, starts(topic)), true);
    }
    return destinations.part(pattern, topic);
  }

  private Entry.SubscriptionCreated part(DurablePattern pattern, long topicId, List<Long> from) {
    return new Entry.SubscriptionCreated(
        topicId,
        ids.next(moment.now()),
        pattern.id,
        pattern.terms.shared(),
        pattern.clientId,
        pattern.name,
        pattern.terms.selector(),
        pattern.terms.noLocal(),
        from);
  }

  private static List<Long> starts(Destination topic) {
    List<Long> from = new ArrayList<>();
    for (Partition partition : topic.partitions) {
      from.add(partition.next);
    }
    return from;
  }

  private static DurableTerms terms(Connection connection, Consume consume, String selector) {
    boolean shared = consume.kind().isShared();
    if (!shared && connection.clientId == null) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE, "an unshared durable subscription needs a client id");
    }
    return new DurableTerms(consume.destination(), shared, selector, !shared && consume.noLocal());
  }

  /** Null if there is none. */
  private Found find(String clientId, String name) {
    SubscriptionKey key = new SubscriptionKey(true, clientId, name);
    DurablePattern pattern = destinations.pattern(key);
    if (pattern != null) {
      return new Found(name, pattern.terms, pattern, destinations.parts(pattern));
    }
    Subscription found = destinations.subscription(key);
    if (found == null) {
      return null;
    }
    DurableTerms terms =
        new DurableTerms(found.destination.name, found.shared, found.selector, found.noLocal);
    return new Found(name, terms, null, List.of(found));
  }

  /** False if the terms are others: what was found is deleted then. */
  private boolean isUsable(Connection connection, Found found, DurableTerms terms) {
    boolean same = found.terms.equals(terms);
    if (found.hasConsumers() && (!terms.shared() || !same)) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "the durable subscription "
              + found.name
              + " on "
              + found.terms.topics()
              + " has an active consumer");
    }
    if (found.terms.shared() != terms.shared()) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "the durable subscription "
              + found.name
              + " exists as "
              + (found.terms.shared() ? "a shared" : "an unshared")
              + " one; unsubscribe it first");
    }
    if (!same) {
      long waiting = found.parts.stream().mapToLong(Subscription::depth).sum();
      delete(found);
      effects.note(
          "the durable subscription "
              + found.name
              + " begins anew for "
              + connection
              + ": it was on "
              + found.terms
              + " and is now on "
              + terms
              + "; "
              + waiting
              + " messages that it held are gone");
    }
    return same;
  }

  private void delete(Found found) {
    if (found.hasConsumers()) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "the durable subscription " + found.name + " has an active consumer; close it first");
    }
    List<Entry> entries = new ArrayList<>();
    for (Subscription part : found.parts) {
      checkUnused(part);
      entries.add(new Entry.SubscriptionDeleted(part.destination.id, part.id));
    }
    if (found.pattern != null) {
      entries.add(new Entry.PatternDeleted(found.pattern.id));
    }
    recorder.record(entries.size() == 1 ? entries.get(0) : new Entry.Group(entries), true);
  }

  private static void checkUnused(Subscription subscription) {
    if (subscription.inFlight() > 0) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "messages of the durable subscription "
              + subscription.name
              + " are delivered and not acknowledged; acknowledge them first");
    }
    if (subscription.pins > 0 || subscription.held > 0) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "a transaction holds messages of the durable subscription "
              + subscription.name
              + "; complete it first");
    }
  }

  /**
   * Removes it with all it holds.
   *
   * @param clientId null for none
   */
  void delete(String clientId, String name) {
    Found found = find(clientId, name);
    if (found == null) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "there is no durable subscription "
              + name
              + (clientId == null ? " without client id" : " of client id " + clientId));
    }
    delete(found);
  }
}
