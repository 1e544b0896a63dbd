package io.metaq.ra.inbound;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * How long to wait before the next try (0.1 s doubling to 30 s), and at most one log line a minute
 * about it.
 */
final class ReconnectBackoff {
  private static final long FIRST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 30_000;
  private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

  private long delay = FIRST_MILLIS;
  private boolean failing;
  private boolean logged;
  private long lastLog;

  synchronized void failed(Logger log, String message, Exception why) {
    failing = true;
    long now = System.nanoTime();
    if (!logged || now - lastLog >= LOG_NANOS) {
      logged = true;
      lastLog = now;
      log.log(Level.WARNING, message + ": " + why.getMessage() + ". Trying again until it works.");
      log.log(Level.DEBUG, message, why);
    }
  }

  synchronized void succeeded(Logger log, String message) {
    if (failing && logged) {
      log.log(Level.INFO, message);
    }
    failing = false;
    delay = FIRST_MILLIS;
  }

  synchronized long nextMillis() {
    long next = delay;
    delay = Math.min(LONGEST_MILLIS, delay * 2);
    return next;
  }
}
