package io.metaq.tck.peers;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The workloads, with what MetaQ wants to reach in them against the better peer. */
public enum Workload {
  W1("one synchronous sender", 2, true),
  W2("16 synchronous senders, 4 receivers", 1.8, true),
  W3("non-persistent", 1.3, false),
  W4("asynchronous sends, 1,000 outstanding", 2, true),
  W5("transactions of 100", 2, true),
  W6("durable topic, 5 subscribers (deliveries)", 2, true),
  W7("XA receive + send, 1 thread (transactions)", 2.5, true),
  W7X8("XA receive + send, 8 threads (transactions)", 2, true),
  W8("backlog: restart, drain", 3, false),
  W9("10 selectors, non-persistent", 1.5, true),
  W10("fixed 2,000 messages a second", 0, false),
  W11("10,000 queues", 0, false),
  W12("100 MiB bodies", 0, false);

  private final String title;
  private final double rateGoal;
  private final boolean halfTheCpu;

  Workload(String title, double rateGoal, boolean halfTheCpu) {
    this.title = title;
    this.rateGoal = rateGoal;
    this.halfTheCpu = halfTheCpu;
  }

  /** For a table. */
  public String title() {
    return title;
  }

  /** Factor over the better peer's rate (of the drain in W8); 0 where the rate is not compared. */
  public double rateGoal() {
    return rateGoal;
  }

  /** Whether CPU per message should be at most half of the better peer's. */
  public boolean halfTheCpu() {
    return halfTheCpu;
  }

  /** As a person writes it: {@code W7x8}. */
  public String label() {
    return name().replace("X", "x");
  }

  /**
   * The workload a person wrote.
   *
   * @throws IllegalArgumentException that names those there are
   */
  public static Workload of(String label) {
    try {
      return valueOf(label.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no workload "
              + label
              + "; there are "
              + Arrays.stream(values()).map(Workload::label).collect(Collectors.joining(", ")),
          e);
    }
  }
}
