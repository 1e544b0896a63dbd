package io.metaq.broker.engine;

import io.metaq.wire.Frame;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Holds back what clients may not hear before the journal is durable up to a position. Answers
 * leave in the order in which they were made, so that no client sees the effect of a later command
 * before that of an earlier one. Loop thread only.
 */
final class Gate {

  private record Held(long index, int connection, int correlation, Frame frame) {}

  private record Later(long index, Runnable action) {}

  private final Network network;
  private final LongSupplier committed;
  private final ArrayDeque<Held> held = new ArrayDeque<>();

  /**
   * Apart from the answers: these wait for entries that nobody forces and must not hold answers up.
   */
  private final ArrayDeque<Later> later = new ArrayDeque<>();

  /** How many held answers each connection has, so that none overtakes another of its own. */
  private final Map<Integer, Integer> waiting = new HashMap<>();

  private long gateIndex;
  private boolean closed;

  Gate(Network network, LongSupplier committed) {
    this.network = network;
    this.committed = committed;
  }

  /** Everything that is answered from now on waits for this entry. */
  void raise(long index) {
    gateIndex = index;
  }

  void send(int connection, int correlation, Frame frame) {
    if (held.isEmpty() && gateIndex <= committed.getAsLong()) {
      if (!closed) {
        network.send(connection, correlation, frame);
      }
    } else {
      hold(connection, correlation, frame);
    }
  }

  /** Sends without waiting for the journal, yet behind what waits for the same connection. */
  void sendNow(int connection, int correlation, Frame frame) {
    if (waiting.containsKey(connection)) {
      hold(connection, correlation, frame);
    } else if (!closed) {
      network.send(connection, correlation, frame);
    }
  }

  private void hold(int connection, int correlation, Frame frame) {
    held.add(new Held(gateIndex, connection, correlation, frame));
    waiting.merge(connection, 1, Integer::sum);
  }

  /**
   * Runs an action once the journal is durable up to an entry; entries must not go back from call
   * to call.
   */
  void whenCommitted(long index, Runnable action) {
    if (later.isEmpty() && index <= committed.getAsLong()) {
      action.run();
    } else {
      later.add(new Later(index, action));
    }
  }

  /** Whether anything waits that demands a force. */
  boolean isWaiting() {
    return !held.isEmpty();
  }

  /** Answers held back. */
  int size() {
    return held.size();
  }

  /** The journal is durable up to an entry. */
  void release(long index) {
    while (!closed && !held.isEmpty() && held.peek().index <= index) {
      Held next = held.remove();
      waiting.computeIfPresent(next.connection, (id, count) -> count == 1 ? null : count - 1);
      network.send(next.connection, next.correlation, next.frame);
    }
    while (!closed && !later.isEmpty() && later.peek().index <= index) {
      later.remove().action.run();
    }
  }

  /** After a failure of the journal nothing may leave any more. */
  void close() {
    closed = true;
    held.clear();
    waiting.clear();
    later.clear();
  }
}
