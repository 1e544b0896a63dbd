package io.metaq.tck.transactions;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM on this one's class path, with its output at hand, to be killed. */
public final class ChildProcess implements AutoCloseable {
  private final Process process;
  private final List<String> lines = new ArrayList<>();

  private ChildProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "child-output");
    reader.setDaemon(true);
    reader.start();
  }

  public static ChildProcess start(Class<?> main, String... arguments) throws IOException {
    return start(List.of("-Xmx256m"), main, arguments);
  }

  public static ChildProcess start(List<String> options, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(options);
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-XX:+UseSerialGC");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return new ChildProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        synchronized (this) {
          lines.add(line);
          notifyAll();
        }
      }
    } catch (IOException closed) {
      if (process.isAlive()) {
        throw new UncheckedIOException(closed);
      }
    }
    synchronized (this) {
      notifyAll();
    }
  }

  long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Waits for a line that begins so; returns it. */
  public synchronized String await(String beginning, long millis) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (true) {
      for (String line : lines) {
        if (line.startsWith(beginning)) {
          return line;
        }
      }
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left <= 0) {
        throw new IllegalStateException("no line '" + beginning + "' but " + lines);
      }
      wait(Math.min(left, 200));
    }
  }

  /** Writes a line to its standard input. */
  public void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** How many lines begin so. */
  synchronized long count(String beginning) {
    return lines.stream().filter(line -> line.startsWith(beginning)).count();
  }

  /** Whether it ended by itself, or was killed by another, within the time. */
  public boolean ends(long millis) throws InterruptedException {
    return process.waitFor(millis, TimeUnit.MILLISECONDS);
  }

  /** As {@code kill -9}. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  public synchronized String output() {
    return String.join("\n", lines);
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
