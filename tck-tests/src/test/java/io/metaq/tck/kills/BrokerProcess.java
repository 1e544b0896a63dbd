package io.metaq.tck.kills;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts a broker in a process of its own on one port and directory, and kills it. */
public final class BrokerProcess implements AutoCloseable {
  private final Path directory;
  private final int port;
  private Process process;

  public BrokerProcess(Path directory) throws IOException {
    this.directory = directory;
    try (ServerSocket free = new ServerSocket(0)) {
      this.port = free.getLocalPort();
    }
  }

  public String url() {
    return "metaq://127.0.0.1:" + port;
  }

  int port() {
    return port;
  }

  /** Files that hold bodies, whole or in part. */
  List<Path> bodies() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("data").resolve("bodies"))) {
      return files.toList();
    }
  }

  public void start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                KillableBroker.class.getName(),
                String.valueOf(port),
                directory.resolve("data").toString())
            .redirectError(ProcessBuilder.Redirect.appendTo(log()))
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null && !line.equals("ready")) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException(
          "the broker did not start: " + Files.readString(log().toPath(), StandardCharsets.UTF_8));
    }
    Thread drain = new Thread(() -> out.lines().forEach(ignored -> {}), "broker output");
    drain.setDaemon(true);
    drain.start();
  }

  private File log() {
    return directory.resolve("broker.log").toFile();
  }

  /** SIGKILL. */
  public void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the broker process does not die");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (process != null) {
      kill();
    }
  }
}
