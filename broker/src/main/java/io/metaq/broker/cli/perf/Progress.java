package io.metaq.broker.cli.perf;

import java.io.PrintWriter;
import java.time.Duration;

/**
 * Shows rates while a run goes on: once a second, on one line that is written over where that can
 * be seen, else on a line each. Used by one thread.
 */
public final class Progress {

  private static final long INTERVAL = Duration.ofSeconds(1).toNanos();

  private final PrintWriter out;
  private final boolean overwrite;
  private long last = System.nanoTime();
  private long begin = last;
  private long sent;
  private long received;

  /** Prints to {@code out}; overwriting its line suits a terminal. */
  public Progress(PrintWriter out, boolean overwrite) {
    this.out = out;
    this.overwrite = overwrite;
  }

  void at(String stage, long sentNow, long receivedNow) {
    long now = System.nanoTime();
    if (now - last < INTERVAL) {
      return;
    }
    double seconds = (now - last) / 1e9;
    String line =
        "%-10s %4d s  sent %,10.0f/s  received %,10.0f/s  under way %,d"
            .formatted(
                stage,
                (now - begin) / INTERVAL,
                (sentNow - sent) / seconds,
                (receivedNow - received) / seconds,
                Math.max(0, sentNow - receivedNow));
    out.print(overwrite ? "\r" + line : line + System.lineSeparator());
    out.flush();
    last = now;
    sent = sentNow;
    received = receivedNow;
  }

  void ended(String stage) {
    if (overwrite) {
      out.println();
    }
    begin = System.nanoTime();
  }
}
