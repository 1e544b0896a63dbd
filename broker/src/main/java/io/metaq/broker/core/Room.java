package io.metaq.broker.core;

import io.metaq.broker.core.DestinationSettings.Limit;
import io.metaq.broker.core.DestinationSettings.WhenFull;
import java.util.Set;
import java.util.TreeSet;

/** Limits of destinations: whether there is room, who waits for it, and who makes it. */
final class Room {
  private static final int MOST_PENDING = 64;
  private static final int MOST_DROPPED = 1000;

  private final Effects effects;
  private final Purge purge;
  private final Set<Integer> paused = new TreeSet<>();

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
    boolean queue = destination.kind.isQueue();
    long messages = queue ? destination.waitingMessages : destination.depth();
    long bytes = queue ? destination.waitingBytes : messages * destination.averageSize();
    return (limit.maxMessages() <= 0 || messages < limit.maxMessages())
        && (limit.maxBytes() <= 0 || messages == 0 || bytes + size <= limit.maxBytes());
  }

  String full(Destination destination) {
    return destination + " is full (" + destination.depth() + " messages wait)";
  }

  /** A send had to queue: beyond some, the socket is not read any further. */
  void queued(Session session) {
    if (session.pending.size() > MOST_PENDING && paused.add(session.connection.number)) {
      effects.pauseReading(session.connection.number, true);
    }
  }

  void resumed(Session session) {
    if (paused.contains(session.connection.number)
        && session.connection.sessions.values().stream()
            .allMatch(other -> other.pending.size() <= MOST_PENDING)) {
      paused.remove(session.connection.number);
      effects.pauseReading(session.connection.number, false);
    }
  }

  void gone(Connection connection) {
    paused.remove(connection.number);
  }
}
