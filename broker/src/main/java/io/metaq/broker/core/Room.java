package io.metaq.broker.core;

import io.metaq.broker.core.DestinationSettings.Limit;
import io.metaq.broker.core.DestinationSettings.WhenFull;
import io.metaq.broker.core.Session.PendingSend;
import java.util.Set;
import java.util.TreeSet;

/** Limits of destinations: whether there is room, who waits for it, and who makes it. */
final class Room {
  private static final long MOST_PENDING = 32 << 20;
  private static final long MOST_OF_ALL = 64 << 20;
  private static final long MOST_WHEN_MANY = 64 << 10;
  private static final int MOST_DROPPED = 1000;

  private final Effects effects;
  private final Purge purge;
  private final Set<Integer> paused = new TreeSet<>();
  private long allPending;

  Room(Effects effects, Purge purge) {
    this.effects = effects;
    this.purge = purge;
  }

  /**
   * Whether a message of this size may come in; drops the oldest ones for it where that is the
   * policy.
   */
  boolean has(Destination destination, boolean durable, int size) {
    if (fits(destination, durable, size)) {
      return true;
    }
    if (destination.settings.limit().whenFull() != WhenFull.DROP_OLDEST) {
      return false;
    }
    for (int dropped = 0; dropped < MOST_DROPPED && dropOldest(destination, durable); dropped++) {
      if (fits(destination, durable, size)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a transaction may send a message of this size; where the oldest go, its commit does.
   */
  boolean admits(Destination destination, boolean durable, int size) {
    return fits(destination, durable, size)
        || destination.settings.limit().whenFull() == WhenFull.DROP_OLDEST;
  }

  /** A transaction has brought messages: the oldest go where that is the policy. */
  void trim(Destination destination, boolean durable) {
    if (destination.settings.limit().whenFull() == WhenFull.DROP_OLDEST) {
      int dropped = 0;
      while (exceeds(destination, durable)
          && dropped++ < MOST_DROPPED
          && dropOldest(destination, durable)) {}
    }
  }

  private boolean dropOldest(Destination destination, boolean durable) {
    if (!durable) {
      return purge.oldest(destination, destination.memory);
    }
    for (Partition partition : destination.partitions) {
      if (purge.oldest(destination, partition)) {
        return true;
      }
    }
    return false;
  }

  private static boolean fits(Destination destination, boolean durable, int size) {
    Limit limit = destination.settings.limit();
    if (!durable) {
      long bytes = destination.memory.bytes();
      return bytes == 0 || bytes + MemoryLane.cost(size) <= limit.maxMemoryBytes();
    }
    if (limit.maxMessages() <= 0 && limit.maxBytes() <= 0) {
      return true;
    }
    long messages = messages(destination);
    return (limit.maxMessages() <= 0 || messages < limit.maxMessages())
        && (limit.maxBytes() <= 0
            || messages == 0
            || bytes(destination, messages) + size <= limit.maxBytes());
  }

  private static boolean exceeds(Destination destination, boolean durable) {
    Limit limit = destination.settings.limit();
    if (!durable) {
      return destination.memory.bytes() > limit.maxMemoryBytes();
    }
    long messages = messages(destination);
    return limit.maxMessages() > 0 && messages > limit.maxMessages()
        || limit.maxBytes() > 0 && messages > 1 && bytes(destination, messages) > limit.maxBytes();
  }

  private static long messages(Destination destination) {
    return destination.kind.isQueue() ? destination.waitingMessages : destination.depth();
  }

  private static long bytes(Destination destination, long messages) {
    return destination.kind.isQueue()
        ? destination.waitingBytes
        : messages * destination.averageSize();
  }

  String full(Destination destination) {
    return destination + " is full (" + destination.depth() + " messages wait)";
  }

  /**
   * A send has to wait. A connection is read on, so that its acknowledgements can make the room,
   * until its waiting sends take up a lot, or those of all connections do.
   */
  void queued(Session session, PendingSend waiting) {
    session.pendingBytes += waiting.cost();
    allPending += waiting.cost();
    if (isTooMuch(session.connection, 1) && paused.add(session.connection.number)) {
      effects.pauseReading(session.connection.number, true);
    }
  }

  /** It waits no longer. */
  void left(Session session, PendingSend waiting) {
    session.pendingBytes -= waiting.cost();
    allPending -= waiting.cost();
    if (paused.contains(session.connection.number) && !isTooMuch(session.connection, 2)) {
      paused.remove(session.connection.number);
      effects.pauseReading(session.connection.number, false);
    }
  }

  private boolean isTooMuch(Connection connection, int divisor) {
    long bytes = 0;
    for (Session session : connection.sessions.values()) {
      bytes += session.pendingBytes;
    }
    return bytes > (allPending > MOST_OF_ALL ? MOST_WHEN_MANY : MOST_PENDING) / divisor;
  }

  void gone(Connection connection) {
    paused.remove(connection.number);
  }
}
