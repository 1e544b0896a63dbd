package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Position;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import java.util.List;

/** Finds destinations by name for clients, and creates and deletes them where that is allowed. */
final class Lookup {
  /** Names of temporary destinations begin so, and hold the id of the connection that owns them. */
  private static final String TEMPORARY_QUEUE = "temporary-queue-";

  private static final String TEMPORARY_TOPIC = "temporary-topic-";
  private static final int LONGEST_NAME = 255;

  private final CoreSettings settings;
  private final Destinations destinations;
  private final RecordCache cache;
  private final IdClock ids;
  private final Moment moment;
  private final Settlement settlement;
  private Recorder recorder;
  private Wildcards wildcards;
  private DurableSubscriptions durables;

  Lookup(
      CoreSettings settings,
      Destinations destinations,
      RecordCache cache,
      IdClock ids,
      Moment moment,
      Settlement settlement) {
    this.settings = settings;
    this.destinations = destinations;
    this.cache = cache;
    this.ids = ids;
    this.moment = moment;
    this.settlement = settlement;
  }

  void connect(Recorder entries, Wildcards patterns, DurableSubscriptions durableSubscriptions) {
    this.recorder = entries;
    this.wildcards = patterns;
    this.durables = durableSubscriptions;
  }

  Destination resolve(Connection connection, DestinationKind kind, String name) {
    Destination found = destinations.byName(name);
    if (found == null) {
      return kind.isTemporary() ? createTemporary(connection, kind, name) : autoCreate(kind, name);
    }
    if (found.kind.isQueue() != kind.isQueue()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          name + " is a " + word(found.kind) + ", not a " + word(kind));
    }
    if (found.kind.isTemporary()
        && connection.id.equals(found.owner)
        && !connection.temporaries.contains(found)) {
      connection.temporaries.add(found);
    }
    return found;
  }

  /** The destination for a consumer or browser: a temporary one only for its owner. */
  Destination resolveToConsume(Connection connection, DestinationKind kind, String name) {
    Destination destination = resolve(connection, kind, name);
    if (destination.kind.isTemporary() && !connection.id.equals(destination.owner)) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, name + " is temporary and belongs to another connection");
    }
    if (!destination.acceptsConsumers()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          destination + " has no consumers on this broker: its acceptSubscribe is false");
    }
    return destination;
  }

  private static String word(DestinationKind kind) {
    return kind.isQueue() ? "queue" : "topic";
  }

  private Destination autoCreate(DestinationKind kind, String name) {
    checkName(name);
    boolean temporaryName = name.startsWith(TEMPORARY_QUEUE) || name.startsWith(TEMPORARY_TOPIC);
    boolean allowed = kind.isQueue() ? settings.autoCreateQueues() : settings.autoCreateTopics();
    if (temporaryName || !allowed && !destinations.settings(kind, name).declared()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "there is no "
              + word(kind)
              + " named "
              + name
              + (temporaryName ? ": it was temporary" : ", and auto-create is off"));
    }
    return create(kind, name);
  }

  private static void checkName(String name) {
    checkNameOrPattern(name);
    if (Wildcard.isPattern(name)) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, name + " is a pattern of names, for consumers only");
    }
  }

  static void checkNameOrPattern(String name) {
    if (name.isEmpty()
        || name.length() > LONGEST_NAME
        || name.chars().anyMatch(Character::isISOControl)) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "the name of a destination has 1 to "
              + LONGEST_NAME
              + " characters, none of them a control character");
    }
  }

  Destination createByOperator(DestinationKind kind, String name) {
    checkFree(name);
    return create(kind, name);
  }

  /** Refuses a name that no destination may have, or that one has already. */
  void checkFree(String name) {
    checkName(name);
    if (destinations.byName(name) != null) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, "there is " + destinations.byName(name) + " already");
    }
  }

  /** Creates it durably, whatever auto-create says. */
  Destination create(DestinationKind kind, String name) {
    return create(kind, name, destinations.positions(kind, name));
  }

  /** Its partitions begin at the given positions. */
  Destination create(DestinationKind kind, String name, List<Position> positions) {
    long now = moment.now();
    long id = ids.next(now);
    long queueSubscription = kind.isQueue() ? ids.next(now) : 0;
    List<Entry.SubscriptionCreated> subscriptions =
        kind.isQueue() ? List.of() : durables.withTopic(id, name, positions);
    recorder.record(
        new Entry.DestinationCreated(id, kind, name, queueSubscription, positions, subscriptions),
        true);
    Destination created = destinations.byId(id);
    wildcards.created(created);
    return created;
  }

  private Destination createTemporary(Connection connection, DestinationKind kind, String name) {
    checkName(name);
    if (!name.contains(connection.id.toString())) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          "the temporary " + word(kind) + " " + name + " no longer exists");
    }
    long now = moment.now();
    Destination destination =
        new Destination(
            ids.next(now),
            kind,
            name,
            destinations.settings(kind, name),
            List.of(),
            cache,
            destinations.memoryLane());
    destination.owner = connection.id;
    destinations.addTemporary(destination);
    if (kind.isQueue()) {
      destinations.add(
          new Subscription(ids.next(now), destination, 0, false, true, null, null, null, false));
    }
    connection.temporaries.add(destination);
    return destination;
  }

  /** By its owner for a temporary one, else by an operator. */
  void delete(Connection connection, DestinationKind kind, String name) {
    Destination found = destinations.byName(name);
    if (found == null || found.kind.isQueue() != kind.isQueue()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, "there is no " + word(kind) + " named " + name);
    }
    if (found.kind.isTemporary() && !connection.id.equals(found.owner)) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION, name + " is temporary and belongs to another connection");
    }
    if (found.subscriptions.stream().anyMatch(Subscription::hasConsumers)) {
      throw new CoreException(ErrorCode.IN_USE, found + " has consumers; close them first");
    }
    delete(found);
    connection.temporaries.remove(found);
  }

  /** Its owner is gone. */
  void deleteOwned(Destination temporary) {
    if (!temporary.deleted) {
      delete(temporary);
    }
  }

  void delete(Destination destination) {
    if (destination.pins > 0
        || destination.subscriptions.stream().anyMatch(subscription -> subscription.pins > 0)) {
      throw new CoreException(
          ErrorCode.IN_USE,
          "a prepared transaction needs "
              + destination
              + "; complete it first (see metaq tx list)");
    }
    if (destination.kind.isTemporary()) {
      settlement.deleted(destination);
      destinations.remove(destination);
    } else {
      recorder.record(new Entry.DestinationDeleted(destination.id), true);
    }
  }
}
