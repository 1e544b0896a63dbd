package io.metaq.jms;

import jakarta.jms.MessageListener;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;

/**
 * The thread that runs the listeners of a session, one message at a time, in the order in which
 * they arrived over all its consumers. Started with the first listener. Its state is guarded by the
 * session's lock.
 */
final class SessionDispatcher {
  private final SessionCore session;
  private final Condition arrival;
  private final Condition idle;
  private final Deque<ConsumerCore> ready = new ArrayDeque<>();
  private Thread thread;
  private ConsumerCore running;
  private boolean waiting;

  SessionDispatcher(SessionCore session) {
    this.session = session;
    this.arrival = session.lock.newCondition();
    this.idle = session.lock.newCondition();
  }

  /** With the session's lock: so many more deliveries of the consumer wait for its listener. */
  void ready(ConsumerCore consumer, int count) {
    for (int i = 0; i < count; i++) {
      ready.add(consumer);
    }
    if (thread == null) {
      thread = new Thread(this::run, "metaq-session-" + session.id());
      thread.setDaemon(true);
      thread.start();
    } else if (waiting) {
      session.signal(arrival);
    }
  }

  /**
   * With the session's lock: the state changed in a way that may let deliveries through, or end the
   * thread.
   */
  void wake() {
    session.signalAll(arrival);
  }

  boolean isCurrentThread() {
    return Thread.currentThread() == thread;
  }

  /** With the session's lock: whether a consumer of this session has, or had, a listener. */
  boolean isUsed() {
    return thread != null;
  }

  /**
   * With the session's lock, which is given up meanwhile: waits until no listener runs, or not that
   * of the given consumer. Returns at once on the listener thread itself.
   *
   * @param consumer null for all
   * @return false if the deadline passed first
   */
  boolean awaitIdle(ConsumerCore consumer, long deadlineNanos) {
    boolean interrupted = false;
    try {
      while (running != null && (consumer == null || running == consumer) && !isCurrentThread()) {
        try {
          if (idle.awaitNanos(deadlineNanos - System.nanoTime()) <= 0) {
            return false;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void run() {
    Handover.Taken taken;
    MessageListener listener;
    while (true) {
      session.lock.lock();
      try {
        taken = next();
        if (taken == null) {
          return;
        }
        listener = running.lockedListener();
      } finally {
        session.lock.unlock();
      }
      try {
        session.handover().listen(listener, taken);
      } finally {
        finished();
      }
    }
  }

  private void finished() {
    session.lock.lock();
    try {
      ConsumerCore consumer = running;
      running = null;
      idle.signalAll();
      session.wantOneMore(consumer);
    } finally {
      session.lock.unlock();
    }
  }

  private Handover.Taken next() {
    while (!session.isEnding()) {
      ConsumerCore consumer = session.started() ? ready.poll() : null;
      if (consumer == null) {
        await();
      } else if (!consumer.isClosed() && consumer.lockedListener() != null) {
        Handover.Taken taken = session.handover().take(consumer, true);
        if (taken != null) {
          running = consumer;
          return taken;
        }
      }
    }
    return null;
  }

  private void await() {
    session.handover().beforeWaiting();
    waiting = true;
    try {
      session.await(arrival, ConsumerCore.FOREVER);
    } catch (InterruptedException e) {
      // Nobody of ours interrupts this thread; a listener's left-over must not end it.
      System.getLogger(SessionDispatcher.class.getName())
          .log(System.Logger.Level.DEBUG, "An interrupt meant for a listener ended with it", e);
    } finally {
      waiting = false;
    }
  }
}
