package io.metaq.tck.original;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * The original server and its client, in a process and a network of their own: it listens on every
 * address of the machine, and must find no other broker's port taken.
 */
final class OriginalProcess {
  static final String TOPIC = "orders";
  static final int PARTITIONS = 3;

  private static final int PATIENCE_SECONDS = 120;
  private static final List<String> NETWORK =
      List.of("unshare", "-rn", "sh", "-c", "ip link set lo up && exec \"$@\"", "sh");

  private final Path folder;
  private final Path data;

  /**
   * @param folder for everything the original needs beside its data
   */
  OriginalProcess(Path folder, Path data) {
    this.folder = folder;
    this.data = data;
  }

  /** Skips the test, and says so, where the machine gives no network of one's own. */
  static void needsANetworkOfItsOwn() throws IOException, InterruptedException {
    if (run(List.of("true"), null) != 0) {
      System.err.println(
          "SKIPPED: the proof of the format against the original server. It needs a network"
              + " namespace, and 'unshare -rn' with 'ip link set lo up' does not work here.");
      Assumptions.abort("no network namespace can be made here");
    }
  }

  /** Has the original's client send what stands in a file of messages. */
  void write(Path messages) throws IOException, InterruptedException {
    start("write", messages);
  }

  /** Has the original's client read everything, into a file of messages. */
  void read(Path messages) throws IOException, InterruptedException {
    start("read", messages);
  }

  private void start(String what, Path messages) throws IOException, InterruptedException {
    Path libraries = Path.of("..", "server", "target").toRealPath();
    Path log = folder.resolve(what + ".log");
    int code =
        run(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Duser.home=" + folder,
                "-cp",
                libraries.resolve("original.jar") + ":" + libraries.resolve("lib") + "/*",
                "io.metaq.tck.original.server.OriginalMain",
                what,
                configuration().toString(),
                TOPIC,
                Integer.toString(PARTITIONS),
                messages.toString()),
            log);
    assertThat(code).as(Files.readString(log)).isZero();
  }

  /** Its data log stands apart: a folder of transactions makes it overlook partitions. */
  private Path configuration() throws IOException {
    Path file = folder.resolve("home/conf/server.ini");
    Files.createDirectories(file.getParent());
    Files.createDirectories(folder.resolve("log"));
    return Files.writeString(
        file,
        String.join(
            "\n",
            "[system]",
            "brokerId=0",
            "numPartitions=" + PARTITIONS,
            "serverPort=8123",
            "dataPath=" + data,
            "dataLogPath=" + folder.resolve("log"),
            "unflushThreshold=0",
            "unflushInterval=10000",
            "maxSegmentSize=4096",
            "maxTransferSize=1048576",
            "[zookeeper]",
            "zk.zkConnect=127.0.0.1:2181",
            "zk.zkSyncTimeMs=100",
            "[topic=" + TOPIC + "]",
            ""));
  }

  private static int run(List<String> command, Path log) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(NETWORK);
    all.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.redirectOutput(
        log == null ? ProcessBuilder.Redirect.DISCARD : ProcessBuilder.Redirect.to(log.toFile()));
    Process process;
    try {
      process = builder.start();
    } catch (IOException noSuchProgram) {
      if (log == null) {
        return -1;
      }
      throw noSuchProgram;
    }
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("the original did not end within " + PATIENCE_SECONDS + " seconds");
    }
    return process.exitValue();
  }
}
