package io.metaq.broker.engine;

import java.util.function.LongSupplier;

/**
 * The broker's time in milliseconds since the epoch: a wall clock that never runs backwards, since
 * message ids and due times are made from it.
 */
public final class EngineClock {
  private final LongSupplier wallMillis;
  private final LongSupplier nanos;
  private long latest;

  /**
   * @param wallMillis time of day, which may jump
   * @param nanos for measuring, as {@link System#nanoTime}
   */
  public EngineClock(LongSupplier wallMillis, LongSupplier nanos) {
    this.wallMillis = wallMillis;
    this.nanos = nanos;
  }

  /** The clocks of the system. */
  public static EngineClock system() {
    return new EngineClock(System::currentTimeMillis, System::nanoTime);
  }

  /** Loop thread only. */
  long now() {
    latest = Math.max(latest, wallMillis.getAsLong());
    return latest;
  }

  LongSupplier nanos() {
    return nanos;
  }
}
