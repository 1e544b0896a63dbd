package io.metaq.tck.peers;

import io.metaq.tck.peers.process.Contender;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/**
 * Shows where the run stands and when it may be over: on one line that is written over on a
 * terminal, else a line for each step. Used by one thread.
 */
final class Progress {

  private static final int WIDTH = 24;

  private final PrintWriter out;
  private final boolean terminal;
  private final long begin = System.nanoTime();
  private int steps;
  private int done;
  private String current = "";

  Progress(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  void expect(int all) {
    steps = all;
  }

  /** A stage that is no step, such as starting. */
  void stage(String what) {
    if (terminal) {
      out.print("\r\033[K" + what);
      out.flush();
    } else {
      line(what);
    }
  }

  void begin(int round, String workload, String product) {
    current = "round %d  %-5s %-8s".formatted(round, workload, product);
    if (terminal) {
      int full = WIDTH * done / steps;
      out.print(
          "\r\033[K["
              + "#".repeat(full)
              + ".".repeat(WIDTH - full)
              + "] "
              + current
              + "  "
              + rest());
      out.flush();
    }
  }

  void end(Contender.Outcome outcome) {
    done++;
    line((terminal ? "\r\033[K" : "") + current + "  " + summary(outcome));
  }

  private String rest() {
    if (done == 0) {
      return "";
    }
    Duration left = Duration.ofNanos((System.nanoTime() - begin) / done * (steps - done));
    return "about %d:%02d left".formatted(left.toMinutes(), left.toSecondsPart());
  }

  private static String summary(Contender.Outcome outcome) {
    if (outcome.failure().isPresent()) {
      return "FAILED: " + outcome.failure().get();
    }
    Double rate =
        outcome.figures().getOrDefault(Figure.DRAIN_RATE, outcome.figures().get(Figure.RATE));
    return rate == null ? "" : String.format(Locale.ROOT, "%,.1f/s", rate);
  }

  private void line(String text) {
    out.println(text);
    out.flush();
  }
}
