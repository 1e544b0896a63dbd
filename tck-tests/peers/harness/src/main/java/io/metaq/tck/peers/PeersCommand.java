package io.metaq.tck.peers;

import io.metaq.tck.peers.process.Contender;
import io.metaq.tck.peers.process.Machine;
import io.metaq.tck.peers.process.Product;
import io.metaq.tck.peers.report.MarkdownReport;
import io.metaq.tck.peers.report.ReportFiles;
import io.metaq.tck.peers.report.Results;
import io.metaq.tck.peers.report.Run;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Measures MetaQ and its peers side by side and writes what was found. */
@Command(
    name = "peers",
    description = "Measure MetaQ, ActiveMQ Artemis and ActiveMQ Classic side by side.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
public final class PeersCommand implements Callable<Integer> {

  private static final double LONGEST_WARMUP = 3;

  @Spec private CommandSpec spec;

  @Option(names = "--rounds", description = "how often each workload meets each provider")
  private int rounds = 3;

  @Option(
      names = "--seconds",
      description = "measured in each round, after half as long of warming up")
  private double seconds = 6;

  @Option(
      names = "--workloads",
      split = ",",
      paramLabel = "W",
      description = "such as W1,W7x8 (default: all)",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private List<String> workloads = Arrays.stream(Workload.values()).map(Workload::label).toList();

  @Option(
      names = "--providers",
      split = ",",
      paramLabel = "NAME",
      description = "of metaq, artemis, classic (default: all)",
      showDefaultValue = CommandLine.Help.Visibility.NEVER)
  private List<Product> providers = List.of(Product.values());

  @Option(names = "--waiting", paramLabel = "N", description = "messages of the backlog of W8")
  private int waiting = 1_000_000;

  @Option(names = "--queues", paramLabel = "N", description = "queues of W11")
  private int queues = 10_000;

  @Option(
      names = "--project",
      paramLabel = "FOLDER",
      description = "where MetaQ's sources were built")
  private Path project = Path.of("");

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description =
          "where all brokers store, on the disk to be measured; emptied in the end"
              + " (default: target/data of the harness)")
  private Path data;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "for table, JSON and plots (default: target/results of the harness)")
  private Path out;

  @Option(names = "--update", description = "also put table and plots into docs/performance.md")
  private boolean update;

  /** Runs it and ends the process with its exit code: 0 when nothing of MetaQ failed. */
  public static void main(String[] args) {
    System.exit(commandLine().execute(args));
  }

  /** For tests too. */
  static CommandLine commandLine() {
    return new CommandLine(new PeersCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true);
  }

  @Override
  public Integer call() throws Exception {
    Path root = project.toAbsolutePath().normalize();
    Path target = root.resolve("tck-tests/peers/harness/target");
    Path stores = Files.createDirectories(data != null ? data : target.resolve("data"));
    PrintWriter console = spec.commandLine().getOut();
    Results results = measure(root, stores, console);
    Run run = new Run(LocalDate.now(), Machine.describe(), versions(root), settings());
    Path written = out != null ? out : target.resolve("results");
    ReportFiles.write(written, run, results);
    if (update) {
      ReportFiles.write(root.resolve("docs/performance"), run, results);
      ReportFiles.update(root.resolve("docs/performance.md"), run, results);
    }
    console.println();
    console.print(MarkdownReport.of(run, results));
    console.println("written to " + written);
    console.flush();
    return results.failures().keySet().stream()
            .anyMatch(where -> where.endsWith(Product.METAQ.title()))
        ? CommandLine.ExitCode.SOFTWARE
        : CommandLine.ExitCode.OK;
  }

  private Results measure(Path root, Path stores, PrintWriter console) throws Exception {
    List<Workload> chosen = chosen();
    Settings settings = settings();
    Progress progress = new Progress(console, System.console() != null);
    Results results = new Results();
    List<Contender> contenders = new ArrayList<>();
    Path own = Files.createTempDirectory(stores, "peers-");
    Thread ending = new Thread(() -> end(contenders), "ends the brokers");
    Runtime.getRuntime().addShutdownHook(ending);
    try {
      for (Product product : providers) {
        Contender contender =
            new Contender(product, root, own.resolve(product.name().toLowerCase(Locale.ROOT)));
        contenders.add(contender);
        progress.stage("starting " + product.title());
        contender.start();
      }
      new Rounds(settings, chosen, contenders, own, progress, results).run();
    } finally {
      end(contenders);
      Runtime.getRuntime().removeShutdownHook(ending);
    }
    delete(own);
    return results;
  }

  private static void end(List<Contender> contenders) {
    for (Contender contender : contenders) {
      try {
        contender.end();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private List<Workload> chosen() {
    try {
      return workloads.stream().map(Workload::of).sorted().distinct().toList();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private Settings settings() {
    if (rounds < 1 || seconds <= 0 || waiting < 1 || queues < 1) {
      throw new ParameterException(
          spec.commandLine(), "--rounds, --seconds, --waiting and --queues must be above 0");
    }
    return new Settings(rounds, seconds, Math.min(LONGEST_WARMUP, seconds / 2), waiting, queues);
  }

  private Map<Product, String> versions(Path root) throws IOException {
    Map<Product, String> versions = new EnumMap<>(Product.class);
    for (Product product : providers) {
      versions.put(product, product.version(root));
    }
    return versions;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
