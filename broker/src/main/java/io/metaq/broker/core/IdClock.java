package io.metaq.broker.core;

/**
 * Makes the 64-bit ids of messages, destinations and subscriptions in MetaQ's layout: milliseconds
 * since MetaQ's epoch, broker id, counter. They grow strictly, whatever the clock does, and so tell
 * the order of acceptance.
 */
final class IdClock {
  private static final long EPOCH = 1_303_895_660_503L;
  private static final int TIME_SHIFT = 22;
  private static final int BROKER_SHIFT = 12;
  private static final long COUNTER = (1 << BROKER_SHIFT) - 1;
  private static final int BROKER_MASK = (1 << TIME_SHIFT - BROKER_SHIFT) - 1;

  private final long broker;
  private long last;

  IdClock(int brokerId) {
    this.broker = (long) (brokerId & BROKER_MASK) << BROKER_SHIFT;
  }

  long next(long now) {
    long earliest = Math.max(0, now - EPOCH) << TIME_SHIFT | broker;
    if (earliest > last) {
      last = earliest;
    } else if ((last & COUNTER) < COUNTER) {
      last++;
    } else {
      last = (last >>> TIME_SHIFT) + 1 << TIME_SHIFT | broker;
    }
    return last;
  }

  /** When an id was made, in milliseconds since 1970. */
  static long timeOf(long id) {
    return (id >> TIME_SHIFT) + EPOCH;
  }

  /** An id of the past: later ones are greater. */
  void seen(long id) {
    last = Math.max(last, id);
  }

  long last() {
    return last;
  }
}
