package io.metaq.broker.engine;

import io.metaq.wire.MessageFrames.AckConfirmed;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Tells clients which of their one-way acknowledgements are durable: one frame a connection,
 * however many became so together. Loop thread only.
 */
final class AckConfirmations {

  private record Waiting(long index, int connection, long ackSequence) {}

  private final Network network;
  private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
  private final Map<Integer, Long> durable = new LinkedHashMap<>();

  AckConfirmations(Network network) {
    this.network = network;
  }

  /**
   * Confirms up to {@code ackSequence} once the journal is durable up to {@code index}. Sent with
   * the next {@link #committed}.
   */
  void add(long index, int connection, long ackSequence) {
    Waiting last = waiting.peekLast();
    if (last != null && last.index() == index && last.connection() == connection) {
      waiting.removeLast();
    }
    waiting.add(new Waiting(index, connection, ackSequence));
  }

  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  void committed(long index) {
    while (!waiting.isEmpty() && waiting.peek().index() <= index) {
      Waiting next = waiting.remove();
      durable.merge(next.connection(), next.ackSequence(), Math::max);
    }
    durable.forEach(
        (connection, ackSequence) -> network.send(connection, 0, new AckConfirmed(ackSequence)));
    durable.clear();
  }
}
