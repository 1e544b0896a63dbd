package io.metaq.transport;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Pauses between rounds over the addresses: doubling, spread a little so that clients don't come
 * back in step, and ended.
 */
final class Backoff {
  private static final long LOOK_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);

  private final long largest;
  private final long deadline;
  private final boolean forEver;
  private long next;

  /**
   * @param timeoutMillis when it ends, counted from {@code start}; negative = never
   */
  Backoff(MetaqUri uri, int timeoutMillis, long start) {
    this.next = TimeUnit.MILLISECONDS.toNanos(uri.number(ClientOption.RECONNECT_DELAY));
    this.largest = TimeUnit.MILLISECONDS.toNanos(uri.number(ClientOption.RECONNECT_MAX_DELAY));
    this.forEver = timeoutMillis < 0;
    this.deadline = start + TimeUnit.MILLISECONDS.toNanos(Math.max(0, timeoutMillis));
  }

  /**
   * @param cut looked at all the while; true ends the pause at once
   * @return false if time is up
   */
  boolean pause(BooleanSupplier cut) {
    long now = System.nanoTime();
    if (!forEver && deadline - now <= 0) {
      return false;
    }
    long pause =
        (long) (Math.min(next, largest) * ThreadLocalRandom.current().nextDouble(0.75, 1.25));
    next = Math.min(largest, next * 2);
    long end = now + (forEver ? pause : Math.min(pause, deadline - now));
    boolean interrupted = false;
    while (!cut.getAsBoolean() && end - System.nanoTime() > 0) {
      LockSupport.parkNanos(this, Math.min(LOOK_AGAIN, end - System.nanoTime()));
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return true;
  }
}
