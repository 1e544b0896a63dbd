package io.metaq.broker.core;

import io.metaq.wire.MessageFrames.Send;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A session of a JMS connection: its consumers, and what it has been delivered and not
 * acknowledged, in order of delivery.
 */
final class Session {
  final Connection connection;
  final int id;
  final List<Consumer> consumers = new ArrayList<>();
  final Producers.Producer producer;

  /** A send that waits, and until when at most it does for room. */
  static final class PendingSend {
    private static final int OVERHEAD = 200;

    final int correlation;
    Send send;
    io.metaq.wire.RecordFormat.LargeBody body;
    boolean sealing;
    long deadline;

    PendingSend(int correlation, Send send) {
      this.correlation = correlation;
      this.send = send;
    }

    /** Keeps the content, which until now stands in a buffer of its connection's. */
    void keep() {
      ByteBuffer content = send.content();
      ByteBuffer kept = ByteBuffer.allocate(content.remaining()).put(content.duplicate()).flip();
      send =
          new Send(
              send.sessionId(),
              send.sequence(),
              send.destinationId(),
              send.transaction(),
              send.timeToLiveMillis(),
              send.delayMillis(),
              send.uploadId(),
              kept);
    }

    /** Whether it waits for room itself, as opposed to behind others. */
    boolean blocked() {
      return deadline != 0;
    }

    /** Bytes that it takes up while it waits, about. */
    int cost() {
      return OVERHEAD + send.content().remaining();
    }
  }

  private Delivery first;
  private Delivery last;

  /**
   * Sends that wait: the first for a large body to be sealed or for room in a destination, the
   * others behind it.
   */
  final ArrayDeque<PendingSend> pending = new ArrayDeque<>(0);

  /** What those that wait take up, in bytes. */
  long pendingBytes;

  /** What must not overtake the sends that wait. */
  final ArrayDeque<Runnable> afterSends = new ArrayDeque<>(0);

  Session(Connection connection, int id, Producers.Producer producer) {
    this.connection = connection;
    this.id = id;
    this.producer = producer;
  }

  void add(Delivery delivery) {
    delivery.session = this;
    delivery.before = last;
    delivery.after = null;
    if (last == null) {
      first = delivery;
    } else {
      last.after = delivery;
    }
    last = delivery;
  }

  void remove(Delivery delivery) {
    if (delivery.before == null) {
      first = delivery.after;
    } else {
      delivery.before.after = delivery.after;
    }
    if (delivery.after == null) {
      last = delivery.before;
    } else {
      delivery.after.before = delivery.before;
    }
    delivery.before = null;
    delivery.after = null;
    delivery.session = null;
  }

  /** In order of delivery. The list may be changed while the result is walked. */
  List<Delivery> deliveries(Predicate<Delivery> wanted) {
    List<Delivery> found = new ArrayList<>();
    for (Delivery delivery = first; delivery != null; delivery = delivery.after) {
      if (wanted.test(delivery)) {
        found.add(delivery);
      }
    }
    return found;
  }
}
