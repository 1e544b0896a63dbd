package io.metaq.jms;

/**
 * The open transaction of a transacted session: its number, and whether it can still be committed.
 * Guarded by the session's lock.
 */
final class LocalTransaction {
  private final long number;
  private long epoch;
  private boolean used;
  private boolean lost;

  LocalTransaction(long number) {
    this.number = number;
  }

  long number() {
    return number;
  }

  /** The life of the socket on which it was first used; 0 before. */
  long epoch() {
    return epoch;
  }

  void use(long inEpoch) {
    if (!used) {
      used = true;
      epoch = inEpoch;
    }
  }

  boolean used() {
    return used;
  }

  /** The broker has rolled it back with the connection. */
  void lost() {
    lost = true;
  }

  boolean isLost() {
    return lost;
  }
}
