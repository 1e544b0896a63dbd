package io.metaq.tck.peers.process;

import io.metaq.tck.peers.Figure;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The load generator of one product in a process of its own, and the talk with it. */
public final class LoadProcess {

  /** Hears, on the caller's thread, what the load generator has to say during a step. */
  public interface Listener {
    /** The window of measuring opens. */
    void opened() throws IOException;

    /** The window of measuring is over. */
    void closed() throws IOException;

    /** A figure of the step. */
    void figure(Figure figure, double value);
  }

  private final Process process;
  private final BufferedReader from;
  private final PrintWriter to;

  private LoadProcess(Process process) {
    this.process = process;
    this.from = process.inputReader();
    this.to = new PrintWriter(process.outputWriter(), true);
  }

  /** Starts it and waits until it can take steps. */
  public static LoadProcess start(Product product, Path project, BrokerProcess broker)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Java.tool("java"),
                "-Xmx1g",
                "-XX:+UseParallelGC",
                "-cp",
                ours() + File.pathSeparator + product.classPath(project),
                "io.metaq.tck.peers.load.LoadMain"));
    command.addAll(product.clientArguments(broker.port()));
    Path log = broker.directory().resolve("load.log");
    LoadProcess load =
        new LoadProcess(
            new ProcessBuilder(command)
                .directory(broker.directory().toFile())
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start());
    if (!"ready".equals(load.from.readLine())) {
      throw new IOException("the load generator of " + product.title() + " ended; see " + log);
    }
    return load;
  }

  /** What it needs of this program; everything else on its class path is the product's. */
  private static String ours() {
    return location(LoadProcess.class) + File.pathSeparator + location(Histogram.class);
  }

  private static Path location(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()));
  }

  /**
   * Has a step done.
   *
   * @return why it failed, if it did
   */
  public Optional<String> run(String step, Listener listener) throws IOException {
    to.println(step);
    String failure = null;
    for (String line = from.readLine(); line != null; line = from.readLine()) {
      String[] words = line.split(" ", 2);
      switch (words[0]) {
        case "opened" -> listener.opened();
        case "closed" -> listener.closed();
        case "figure" -> {
          String[] pair = words[1].split(" ");
          listener.figure(Figure.valueOf(pair[0]), Double.parseDouble(pair[1]));
        }
        case "failed" -> failure = words[1];
        case "done" -> {
          return Optional.ofNullable(failure);
        }
        default -> throw new IOException("the load generator says: " + line);
      }
    }
    return Optional.of("the load generator ended");
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Ends it, in order if that goes quickly. */
  public void end() throws InterruptedException {
    to.close();
    if (!process.waitFor(5, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
