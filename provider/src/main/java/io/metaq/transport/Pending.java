package io.metaq.transport;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.Frame;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A request without an answer yet: who waits for it, and what happens to it when the socket breaks.
 */
final class Pending {
  /** What a broken socket means for a request. */
  enum Fate {
    /** Goes out again on the next socket: the broker takes a repetition for what it is. */
    RESENT,
    /**
     * As RESENT, but only to the run of the broker that may have it: a later run remembers nothing
     * of it, and would take the repetition for another one.
     */
    RESENT_TO_ITS_RUN,
    /** Fails: its outcome is for the caller to find out. */
    FAILS,
    /** As FAILS, and belongs to the resumption of a connection. */
    RESUMING;

    boolean isResent() {
      return this == RESENT || this == RESENT_TO_ITS_RUN;
    }
  }

  private static final long SLICE = TimeUnit.SECONDS.toNanos(1);

  private final int correlation;
  private final long order;
  private final Frame frame;
  private final Fate fate;
  private final Completion completion;
  private final Thread waiter;
  private Welcome writtenTo;
  private volatile boolean done;
  private Frame answer;
  private IOException loss;

  /**
   * @param order grows with each request, as a correlation does only until it begins again
   */
  Pending(int correlation, long order, Frame frame, Fate fate, Completion completion) {
    this.correlation = correlation;
    this.order = order;
    this.frame = frame;
    this.fate = fate;
    this.completion = completion;
    this.waiter = completion == null ? Thread.currentThread() : null;
  }

  int correlation() {
    return correlation;
  }

  long order() {
    return order;
  }

  Frame frame() {
    return frame;
  }

  Fate fate() {
    return fate;
  }

  /** With the connection's lock: the request is written to this run of a broker. */
  void written(Welcome run) {
    writtenTo = run;
  }

  /** With the connection's lock: whether the request may go to this run of a broker (again). */
  boolean mayGoTo(Welcome run) {
    return fate != Fate.RESENT_TO_ITS_RUN
        || writtenTo == null
        || writtenTo.generation() == run.generation()
            && writtenTo.brokerIdentity().equals(run.brokerIdentity());
  }

  boolean isAsynchronous() {
    return completion != null;
  }

  private boolean isDone() {
    return done;
  }

  void answered(Frame frame) {
    answer = frame;
    settle();
  }

  void lost(IOException cause) {
    loss = cause;
    settle();
  }

  private void settle() {
    done = true;
    if (completion == null) {
      if (waiter != Thread.currentThread()) {
        LockSupport.unpark(waiter);
      }
    } else if (loss != null) {
      completion.lost(loss);
    } else if (answer instanceof Failure failure) {
      completion.refused(new RequestRefusedException(failure));
    } else {
      completion.answered(answer);
    }
  }

  /**
   * Waits for the answer. An interrupt does not end the wait, since the request is under way; the
   * flag is set again afterwards.
   *
   * @param clock says for how long the connection has stood, in nanoseconds; the limit counts on it
   * @return null if the limit passed
   */
  Frame await(long limitNanos, StandingTime clock, Waiters waiters)
      throws IOException, RequestRefusedException {
    long start = System.nanoTime();
    boolean interrupted = false;
    waiters.enter();
    try {
      while (!waiters.readUntil(this::isDone, SLICE)) {
        LockSupport.parkNanos(this, limitNanos > 0 ? Math.min(SLICE, limitNanos) : SLICE);
        interrupted |= Thread.interrupted();
        long now = System.nanoTime();
        if (limitNanos > 0 && Math.min(now - start, clock.standingFor(now)) > limitNanos && !done) {
          return null;
        }
      }
    } finally {
      waiters.leave();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    if (loss != null) {
      // A fresh one: its trace shows the call that failed, not only the thread that noticed.
      throw loss instanceof ConnectionLostException lost
          ? new ConnectionLostException(lost.getMessage(), lost, lost.isFinal())
          : loss;
    }
    if (answer instanceof Failure failure) {
      throw new RequestRefusedException(failure);
    }
    return answer;
  }

  /** Tells for how long the connection has stood without a break. */
  @FunctionalInterface
  interface StandingTime {
    long standingFor(long nowNanos);
  }
}
