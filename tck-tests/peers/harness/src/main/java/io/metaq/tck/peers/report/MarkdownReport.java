package io.metaq.tck.peers.report;

import io.metaq.tck.peers.Figure;
import io.metaq.tck.peers.Workload;
import io.metaq.tck.peers.process.Product;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The tables that people read. */
public final class MarkdownReport {

  private final Run run;
  private final Results results;
  private final StringBuilder text = new StringBuilder();

  private MarkdownReport(Run run, Results results) {
    this.run = run;
    this.results = results;
  }

  /** All tables of a run, with what was run and where. */
  public static String of(Run run, Results results) {
    MarkdownReport report = new MarkdownReport(run, results);
    report.circumstances();
    report.streams();
    report.others();
    report.goals();
    report.failures();
    return report.text.toString();
  }

  private void circumstances() {
    line(
        "%s. %s.",
        run.day(),
        run.versions().entrySet().stream()
            .map(entry -> entry.getKey().title() + " " + entry.getValue())
            .collect(Collectors.joining(", ")));
    line("");
    line("- Machine: %s.", run.machine());
    line(
        "- Medians of **%d %s of %s s** (%s s of warming up before each).",
        run.settings().rounds(),
        run.settings().rounds() == 1 ? "round" : "rounds",
        plain(run.settings().seconds()),
        plain(run.settings().warmup()));
    line(
        "- The bare disk beside it: %,.0f forces of 1 KiB a second (p50 %.0f us, p99 %.0f us, slowest"
            + " probe %,.0f/s); %.0f MB/s in a long write.",
        results.probe(probe -> probe.perSecond()),
        results.probe(probe -> probe.p50()),
        results.probe(probe -> probe.p99()),
        results.probes().stream().mapToDouble(probe -> probe.perSecond()).min().orElse(0),
        results.probe(probe -> probe.megabytesPerSecond()));
    line("");
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }

  private void streams() {
    List<Workload> shown = results.workloads().stream().filter(this::isStream).toList();
    if (shown.isEmpty()) {
      return;
    }
    line(
        "| | | rate | send p50 / p99 | end to end p50 / p99 | CPU broker + client | forces | heap |");
    line("|---|---|--:|--:|--:|--:|--:|--:|");
    for (Workload workload : shown) {
      String head = "**" + workload.label() + "** " + workload.title();
      for (Product product : results.products(workload)) {
        line(
            "| %s | %s | %s/s | %s | %s | %s + %s us | %s | %s MB |",
            head,
            product.title(),
            number(workload, product, Figure.RATE),
            times(workload, product, Figure.SEND_P50, Figure.SEND_P99),
            times(workload, product, Figure.END_P50, Figure.END_P99),
            number(workload, product, Figure.BROKER_CPU),
            number(workload, product, Figure.CLIENT_CPU),
            number(workload, product, Figure.FORCES),
            number(workload, product, Figure.HEAP_MB));
        head = "";
      }
    }
    line("");
    line("Times are milliseconds; CPU, forces and end-to-end times are per message.");
    line("");
  }

  private boolean isStream(Workload workload) {
    return workload != Workload.W8 && workload != Workload.W11 && workload != Workload.W12;
  }

  private void others() {
    table(
        Workload.W8,
        "| **W8** | waiting | filled | restart to first message | drained | CPU of a drain | heap a"
            + " message |",
        product ->
            "%s | %s/s | %s ms | %s/s | %s + %s us | %s B"
                .formatted(
                    number(Workload.W8, product, Figure.WAITING),
                    number(Workload.W8, product, Figure.FILL_RATE),
                    number(Workload.W8, product, Figure.FIRST_MS),
                    number(Workload.W8, product, Figure.DRAIN_RATE),
                    number(Workload.W8, product, Figure.BROKER_CPU),
                    number(Workload.W8, product, Figure.CLIENT_CPU),
                    number(Workload.W8, product, Figure.HEAP_EACH)));
    table(
        Workload.W11,
        "| **W11** | queues made | queues a second | heap a queue |",
        product ->
            "%s | %s/s | %s B"
                .formatted(
                    number(Workload.W11, product, Figure.QUEUES),
                    number(Workload.W11, product, Figure.RATE),
                    number(Workload.W11, product, Figure.HEAP_EACH)));
    table(
        Workload.W12,
        "| **W12** | send | send and receive | speed | heap after |",
        product ->
            "%s ms | %s ms | %s MB/s | %s MB"
                .formatted(
                    milliseconds(results.median(Workload.W12, product, Figure.SEND_P50)),
                    milliseconds(results.median(Workload.W12, product, Figure.END_P50)),
                    number(Workload.W12, product, Figure.MB_PER_SECOND),
                    number(Workload.W12, product, Figure.HEAP_MB)));
  }

  private void table(Workload workload, String head, Function<Product, String> row) {
    if (!results.workloads().contains(workload)) {
      return;
    }
    line("%s", head);
    line("%s", "|---" + "|--:".repeat(head.split("\\|").length - 2) + "|");
    for (Product product : results.products(workload)) {
      line("| %s | %s |", product.title(), row.apply(product));
    }
    line("");
  }

  private void goals() {
    List<Goals.Goal> goals = Goals.of(results);
    if (goals.isEmpty()) {
      return;
    }
    line("Against the better peer of this run, figure by figure:");
    line("");
    line("| | goal | measured | |");
    line("|---|---|--:|---|");
    for (Goals.Goal goal : goals) {
      line(
          "| %s | %s | %s | %s |",
          goal.workload(),
          goal.wanted(),
          goal.measured(),
          goal.reached() ? "reached" : "**not reached**");
    }
    line("");
  }

  private void failures() {
    results.failures().forEach((where, why) -> line("- %s failed: %s", where, why));
    for (Workload workload : results.workloads()) {
      for (Product product : results.products(workload)) {
        OptionalDouble missing = results.median(workload, product, Figure.UNDELIVERED);
        if (missing.orElse(0) > 0) {
          line(
              "- %s, %s: %,.0f messages had not arrived in the end.",
              workload.label(), product.title(), missing.getAsDouble());
        }
      }
    }
  }

  private String times(Workload workload, Product product, Figure half, Figure most) {
    OptionalDouble p50 = results.median(workload, product, half);
    return p50.isEmpty()
        ? "-"
        : milliseconds(p50) + " / " + milliseconds(results.median(workload, product, most));
  }

  private static String milliseconds(OptionalDouble micros) {
    return micros.isEmpty() ? "-" : number(micros.getAsDouble() / 1e3);
  }

  private String number(Workload workload, Product product, Figure figure) {
    OptionalDouble value = results.median(workload, product, figure);
    return value.isEmpty() ? "-" : number(value.getAsDouble());
  }

  private static String number(double value) {
    String format = value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : value >= 1 ? "%.2f" : "%.3f";
    return String.format(Locale.ROOT, format, value);
  }

  private void line(String format, Object... values) {
    text.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
