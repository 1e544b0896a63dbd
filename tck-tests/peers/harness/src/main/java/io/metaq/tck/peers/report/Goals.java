package io.metaq.tck.peers.report;

import io.metaq.tck.peers.Figure;
import io.metaq.tck.peers.Workload;
import io.metaq.tck.peers.process.Product;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The goals of the project, each with what was reached. */
final class Goals {

  /**
   * One goal.
   *
   * @param reached as far as the run can tell
   */
  record Goal(String workload, String wanted, String measured, boolean reached) {}

  private static final double FIRST_MS = 3_000;
  private static final double HEAP_PER_MESSAGE = 1;
  private static final double QUEUES_PER_SECOND = 2_000;
  private static final double HEAP_PER_QUEUE = 5_000;
  private static final double MEGABYTES = 200;
  private static final double SHARE_OF_DISK = 2.0 / 3;

  private final Results results;
  private final Comparison comparison;
  private final List<Goal> goals = new ArrayList<>();

  private Goals(Results results) {
    this.results = results;
    this.comparison = new Comparison(results);
  }

  static List<Goal> of(Results results) {
    Goals goals = new Goals(results);
    results.workloads().forEach(goals::add);
    return goals.goals;
  }

  private void add(Workload workload) {
    if (workload.rateGoal() > 0) {
      atLeast(
          workload,
          workload == Workload.W8 ? "drain" : "rate",
          comparison.rate(workload),
          workload.rateGoal(),
          "x");
    }
    if (workload.halfTheCpu()) {
      atMost(workload, "CPU", comparison.cpu(workload), 0.5, "x");
    }
    switch (workload) {
      case W8 -> {
        atMost(workload, "first message", ours(workload, Figure.FIRST_MS), FIRST_MS, " ms");
        atMost(
            workload, "heap a message", ours(workload, Figure.HEAP_EACH), HEAP_PER_MESSAGE, " B");
      }
      case W10 -> atMost(workload, "p99", comparison.of(workload, Figure.END_P99), 0.5, "x");
      case W11 -> {
        atLeast(workload, "queues", ours(workload, Figure.RATE), QUEUES_PER_SECOND, "/s");
        atMost(workload, "heap a queue", ours(workload, Figure.HEAP_EACH), HEAP_PER_QUEUE, " B");
      }
      case W12 ->
          atLeast(
              workload,
              "speed",
              ours(workload, Figure.MB_PER_SECOND),
              Math.min(
                  MEGABYTES, SHARE_OF_DISK * results.probe(probe -> probe.megabytesPerSecond())),
              " MB/s");
      default -> {} // nothing beyond rate and CPU
    }
  }

  private OptionalDouble ours(Workload workload, Figure figure) {
    return results.median(workload, Product.METAQ, figure);
  }

  private void atLeast(
      Workload workload, String what, OptionalDouble value, double wanted, String unit) {
    value.ifPresent(
        measured ->
            goals.add(
                new Goal(
                    workload.label(),
                    what + " at least " + number(wanted) + unit,
                    number(measured) + unit,
                    measured >= wanted)));
  }

  private void atMost(
      Workload workload, String what, OptionalDouble value, double wanted, String unit) {
    value.ifPresent(
        measured ->
            goals.add(
                new Goal(
                    workload.label(),
                    what + " at most " + number(wanted) + unit,
                    number(measured) + unit,
                    measured <= wanted)));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value >= 100 ? "%,.0f" : "%.2f", value);
  }
}
