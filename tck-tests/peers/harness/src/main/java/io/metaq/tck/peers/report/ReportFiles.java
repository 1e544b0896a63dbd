package io.metaq.tck.peers.report;

import io.metaq.tck.peers.Figure;
import io.metaq.tck.peers.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the results of a run into a folder, and into the page that shows them. */
public final class ReportFiles {

  private static final String BEGIN = "<!-- peers: made by the harness -->\n";
  private static final String END = "<!-- end of peers -->";

  private ReportFiles() {}

  /** Table, JSON and plots. */
  public static void write(Path folder, Run run, Results results) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("peers.md"), MarkdownReport.of(run, results));
    Files.writeString(folder.resolve("peers.json"), JsonReport.of(run, results));
    Files.writeString(
        folder.resolve("rate.svg"),
        BarChart.draw(
            "Messages a second (longer is better)",
            "/s",
            results,
            (workload, product) ->
                results.median(
                    workload, product, workload == Workload.W8 ? Figure.DRAIN_RATE : Figure.RATE)));
    Files.writeString(
        folder.resolve("cpu.svg"),
        BarChart.draw(
            "CPU of broker and client, microseconds a message (shorter is better)",
            " us",
            results,
            results::cpu));
  }

  /** Puts the table of a run between the marks of a page. */
  public static void update(Path page, Run run, Results results) throws IOException {
    String old = Files.readString(page);
    int begin = old.indexOf(BEGIN);
    int end = old.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(page + " has no marks to put the table between");
    }
    Files.writeString(
        page,
        old.substring(0, begin + BEGIN.length())
            + "\n"
            + MarkdownReport.of(run, results)
            + "\n"
            + old.substring(end));
  }
}
