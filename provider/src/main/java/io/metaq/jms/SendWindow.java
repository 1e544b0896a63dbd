package io.metaq.jms;

import jakarta.jms.JMSException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the bytes of a session that have been sent and not yet answered, so that a sender that
 * waits for no answer goes no faster than the broker takes its messages. Thread-safe.
 */
final class SendWindow {
  private static final long SLICE = TimeUnit.MILLISECONDS.toNanos(50);

  private final SessionCore session;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition freed = lock.newCondition();
  private long sends;
  private long bytes;
  private boolean waited;

  SendWindow(SessionCore session) {
    this.session = session;
  }

  void taken(int size) {
    lock.lock();
    try {
      sends++;
      bytes += size;
    } finally {
      lock.unlock();
    }
  }

  void freed(int size) {
    lock.lock();
    try {
      sends--;
      bytes -= size;
      if (waited) {
        waited = false;
        freed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until one more send of this size fits. A send larger than the window goes alone.
   *
   * @throws JMSException if the session is closed or the thread interrupted meanwhile
   */
  void awaitRoom(int size) throws JMSException {
    int limit = session.connection().options().sendWindow();
    lock.lock();
    try {
      while (bytes > 0 && bytes + size > limit) {
        session.requireOpen();
        session.connection().requireLiving("Sending");
        awaitChange(SLICE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.caused(
          new JMSException("The thread was interrupted while it waited to send"), e);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until all is answered, the deadline has passed, or the connection does not stand. */
  void awaitEmpty(long deadlineNanos) {
    boolean interrupted = false;
    lock.lock();
    try {
      long left = deadlineNanos - System.nanoTime();
      while (sends > 0 && left > 0 && session.connection().broker().isOpen()) {
        try {
          awaitChange(Math.min(left, SLICE));
        } catch (InterruptedException e) {
          interrupted = true;
        }
        left = deadlineNanos - System.nanoTime();
      }
    } finally {
      lock.unlock();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitChange(long nanos) throws InterruptedException {
    session.connection().broker().flush();
    waited = true;
    freed.awaitNanos(nanos);
  }
}
