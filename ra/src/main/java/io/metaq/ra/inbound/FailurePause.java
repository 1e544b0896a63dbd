package io.metaq.ra.inbound;

import java.util.concurrent.TimeUnit;

/**
 * Rest after failures in a row: counts them over all endpoints of an activation, and holds the
 * workers back for the configured time, or until somebody resumes them. Thread-safe.
 */
final class FailurePause {
  private final int maxFailures;
  private final int pauseSeconds;
  private int failures;
  private boolean paused;
  private long until;
  private boolean stopped;

  /**
   * @param maxFailures failures in a row that lead to a pause, 0 = never
   * @param pauseSeconds length of the pause, 0 = until resumed
   */
  FailurePause(int maxFailures, int pauseSeconds) {
    this.maxFailures = maxFailures;
    this.pauseSeconds = pauseSeconds;
  }

  synchronized void succeeded() {
    failures = 0;
  }

  synchronized void failed() {
    failures++;
    if (maxFailures > 0 && failures >= maxFailures && !paused) {
      paused = true;
      until =
          pauseSeconds == 0
              ? Long.MAX_VALUE
              : System.nanoTime() + TimeUnit.SECONDS.toNanos(pauseSeconds);
    }
  }

  synchronized void pauseByOperator() {
    paused = true;
    until = Long.MAX_VALUE;
  }

  synchronized void resume() {
    paused = false;
    failures = 0;
    notifyAll();
  }

  synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  synchronized boolean isPaused() {
    return paused;
  }

  synchronized int failures() {
    return failures;
  }

  /** Returns when delivery may go on, or the activation is stopped. */
  synchronized void await() throws InterruptedException {
    while (paused && !stopped) {
      long left =
          until == Long.MAX_VALUE ? 0 : TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (until != Long.MAX_VALUE && left <= 0) { // less than a millisecond is over, too
        resume();
      } else {
        wait(left);
      }
    }
  }
}
