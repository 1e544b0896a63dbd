package io.metaq.broker.core;

import io.metaq.broker.core.DestinationSettings.Limit;

/** Limits of destinations: whether there is room, and who waits for it. */
final class Room {
  private static final int MOST_PENDING = 64;

  private final Effects effects;
  private final java.util.Set<Integer> paused = new java.util.TreeSet<>();

  Room(Effects effects) {
    this.effects = effects;
  }

  boolean has(Destination destination, boolean durable, int size) {
    Limit limit = destination.settings.limit();
    if (!durable) {
      return destination.memory.bytes() == 0
          || destination.memory.bytes() + MemoryLane.cost(size) <= limit.maxMemoryBytes();
    }
    return (limit.maxMessages() <= 0 || destination.waitingMessages < limit.maxMessages())
        && (limit.maxBytes() <= 0 || destination.waitingBytes + size <= limit.maxBytes());
  }

  String full(Destination destination) {
    return destination + " is full";
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
