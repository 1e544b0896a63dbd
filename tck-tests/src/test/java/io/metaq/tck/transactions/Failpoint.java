package io.metaq.tck.transactions;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A named moment at which processes die. Written as {@code name:count:victim}, for example {@code
 * broker.prepare.after:7:both}: when the moment comes for the seventh time.
 */
final class Failpoint {
  /** Who is killed. */
  enum Victim {
    APPLICATION,
    BROKER,
    BOTH
  }

  private final String name;
  private final Victim victim;
  private final long brokerProcess;
  private final AtomicInteger left;

  private Failpoint(String name, int count, Victim victim, long brokerProcess) {
    this.name = name;
    this.victim = victim;
    this.brokerProcess = brokerProcess;
    this.left = new AtomicInteger(count);
  }

  static Failpoint parse(String text, long brokerProcess) {
    String[] parts = text.split(":");
    return new Failpoint(
        parts[0],
        Integer.parseInt(parts[1]),
        Victim.valueOf(parts[2].toUpperCase(java.util.Locale.ROOT)),
        brokerProcess);
  }

  /** Nothing ever happens. */
  static Failpoint none() {
    return new Failpoint("none", 1, Victim.APPLICATION, 0);
  }

  /** The moment is here: whoever is to die at it does. */
  void reached(String moment) {
    if (!moment.equals(name) || left.decrementAndGet() != 0) {
      return;
    }
    if (victim != Victim.APPLICATION) {
      ProcessHandle.of(brokerProcess).ifPresent(ProcessHandle::destroyForcibly);
    }
    if (victim != Victim.BROKER) {
      Runtime.getRuntime().halt(137);
    }
  }
}
