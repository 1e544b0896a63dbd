package io.metaq.tck.peers.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A broker in a process of its own, on one port and directory from one start to the next. */
public final class BrokerProcess {

  private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(120);
  private static final int STOP_SECONDS = 60;

  private final Product product;
  private final Path project;
  private final Path directory;
  private final int port;
  private Process process;
  private long startedAt;

  /** Nothing runs yet. {@code directory} is made when it is missing. */
  public BrokerProcess(Product product, Path project, Path directory) throws IOException {
    this.product = product;
    this.project = project;
    this.directory = Files.createDirectories(directory);
    try (ServerSocket free = new ServerSocket(0)) {
      this.port = free.getLocalPort();
    }
  }

  /** Starts the process; {@link #awaitPort()} tells when it serves. */
  public void start() throws IOException {
    List<String> command = new ArrayList<>(List.of(Java.tool("java"), "-Xmx1g", "-XX:+UseG1GC"));
    command.addAll(product.brokerOptions(project));
    command.addAll(List.of("-cp", product.classPath(project)));
    command.addAll(product.brokerCommand(directory, port));
    startedAt = System.currentTimeMillis();
    process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
  }

  /** Waits until somebody listens. */
  public void awaitPort() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT;
    while (true) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IOException(product.title() + " does not serve; see " + log(), e);
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  /** Asks it to end, in order. */
  public void stop() throws InterruptedException {
    if (process != null) {
      process.destroy();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  /** Stops it and deletes what it stored; the logs stay. */
  void forget() throws IOException, InterruptedException {
    stop();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(directory) && !isLog(file)) {
          Files.delete(file);
        }
      }
    }
  }

  /**
   * Bytes of heap still in use after a full collection, which counting the objects brings about.
   */
  public long heap() throws IOException, InterruptedException {
    Process counting =
        new ProcessBuilder(Java.tool("jcmd"), String.valueOf(pid()), "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String total = "";
    for (String line : (Iterable<String>) counting.inputReader().lines()::iterator) {
      if (line.startsWith("Total")) {
        total = line;
      }
    }
    counting.waitFor();
    if (total.isEmpty()) {
      throw new IOException("no figures of the heap of " + product.title());
    }
    return Long.parseLong(total.split("\\s+")[2]);
  }

  public long pid() {
    return process.pid();
  }

  public int port() {
    return port;
  }

  /** When {@link #start()} was called last, in milliseconds. */
  public long startedAt() {
    return startedAt;
  }

  public Path directory() {
    return directory;
  }

  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  private boolean isLog(Path file) {
    return file.getParent().equals(directory) && file.toString().endsWith(".log");
  }

  private Path log() {
    return directory.resolve("broker.log");
  }
}
