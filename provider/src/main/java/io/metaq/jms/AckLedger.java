package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.RequestRefusedException;
import io.metaq.transport.Resumption;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Range;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The acknowledgements of a connection that the broker has not confirmed. One-way ones stay here
 * until it has, and go out again after a reconnect before any consumer is made again, so that what
 * is acknowledged is not delivered twice.
 */
final class AckLedger {
  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<Ack> unconfirmed = new ArrayDeque<>();
  private final Set<Ack> awaited = new LinkedHashSet<>();
  private long lastSequence;
  private long lastWritten;
  private volatile long confirmed;

  /**
   * Acknowledges one-way; on the wire when this returns, unless the connection is broken: then
   * after the reconnect.
   */
  void acknowledge(BrokerConnection connection, List<Range> ranges) {
    if (ranges.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      prune();
      lastSequence++;
      Ack ack = new Ack(lastSequence, 0, ranges);
      unconfirmed.add(ack);
      if (lastWritten == lastSequence - 1 && connection.postNow(ack, BrokerConnection.ANY_EPOCH)) {
        lastWritten = lastSequence;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Acknowledges and returns when that is durable.
   *
   * @param epoch in which the messages were delivered; in a later one they may have come again
   */
  void acknowledgeDurably(BrokerConnection connection, List<Range> ranges, long epoch)
      throws IOException, RequestRefusedException {
    Ack ack = new Ack(0, 0, ranges);
    lock.lock();
    try {
      awaited.add(ack);
    } finally {
      lock.unlock();
    }
    try {
      if (connection.epoch() != epoch) {
        throw new IOException("The connection was lost before the messages were acknowledged");
      }
      connection.request(ack);
    } finally {
      lock.lock();
      try {
        awaited.remove(ack);
      } finally {
        lock.unlock();
      }
    }
  }

  /** Never waits, since the one who reads must not wait for one who writes. */
  void confirmed(long ackSequence) {
    confirmed = ackSequence;
    if (lock.tryLock()) {
      try {
        prune();
      } finally {
        lock.unlock();
      }
    }
  }

  private void prune() {
    while (!unconfirmed.isEmpty() && unconfirmed.peek().ackSequence() <= confirmed) {
      unconfirmed.remove();
    }
  }

  /** How many one-way acknowledgements are not confirmed. */
  int unconfirmed() {
    lock.lock();
    try {
      prune();
      return unconfirmed.size();
    } finally {
      lock.unlock();
    }
  }

  void resume(Resumption resumption) throws IOException {
    List<Ack> again;
    lock.lock();
    try {
      prune();
      again = new ArrayList<>(awaited);
      again.addAll(unconfirmed);
      lastWritten = lastSequence;
    } finally {
      lock.unlock();
    }
    for (Ack ack : again) {
      resumption.post(ack);
    }
  }

  /** The connection stands again: writes what came in since {@link #resume}. */
  void resumed(BrokerConnection connection) {
    lock.lock();
    try {
      for (Ack ack : unconfirmed) {
        if (ack.ackSequence() > lastWritten) {
          if (!connection.post(ack, BrokerConnection.ANY_EPOCH)) {
            return;
          }
          lastWritten = ack.ackSequence();
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
