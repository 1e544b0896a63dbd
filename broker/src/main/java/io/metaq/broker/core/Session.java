package io.metaq.broker.core;

import io.metaq.wire.MessageFrames.Send;
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
    final int correlation;
    final Send send;
    io.metaq.wire.RecordFormat.LargeBody body;
    boolean sealing;
    long deadline;

    PendingSend(int correlation, Send send) {
      this.correlation = correlation;
      this.send = send;
    }
  }

  private Delivery first;
  private Delivery last;

  /**
   * Sends that wait: the first for a large body to be sealed or for room in a destination, the
   * others behind it.
   */
  final ArrayDeque<PendingSend> pending = new ArrayDeque<>(0);

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
