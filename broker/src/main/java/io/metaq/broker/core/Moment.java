package io.metaq.broker.core;

/** The broker's time as handed to the core with its latest input. It never goes back. */
final class Moment {
  private long now;

  long now() {
    return now;
  }

  void reached(long time) {
    now = Math.max(now, time);
  }
}
