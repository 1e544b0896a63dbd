package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.metaq.wire.ConnectionFrames.Ok;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A start does not read what waits. */
@Tag("slow")
@Timeout(300)
class BacklogTest {
  private static final int BACKLOG = 1_000_000;
  private static final int BURST = 500;

  @TempDir Path directory;

  private EmbeddedBroker start() throws IOException {
    return EmbeddedBroker.builder().port(0).dataDirectory(directory).start();
  }

  private void fill(EmbeddedBroker broker) throws IOException {
    try (WireClient client = new WireClient(broker.port())) {
      long queue = client.queue("deep");
      for (int sent = 0; sent < BACKLOG; sent += BURST) {
        int last = 0;
        for (int i = 0; i < BURST; i++) {
          last = client.write(client.message("deep", queue, 100), true);
        }
        assertThat(client.answer(last)).isInstanceOf(Ok.class);
      }
    }
  }

  /** Time of the processor rather than the clock: the machine may be busy with other things. */
  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private Duration firstMessage(Path report, String how) throws IOException {
    long began = System.nanoTime();
    long cpu = cpuNanos();
    try (EmbeddedBroker broker = start();
        WireClient client = new WireClient(broker.port())) {
      client.consume(1, "deep", 1);
      client.receive();
      Duration took = Duration.ofNanos(cpuNanos() - cpu);
      long wall = (System.nanoTime() - began) / 1_000_000;
      Files.writeString(report, how + " " + took.toMillis() + " ms of CPU in " + wall + " ms\n");
      return took;
    }
  }

  @Test
  void aRestartWithAMillionMessagesWaitingTakesSeconds() throws IOException {
    EmbeddedBroker killed = start();
    long began = System.nanoTime();
    fill(killed);
    long seconds = Math.max(1, (System.nanoTime() - began) / 1_000_000_000);
    killed.kill();
    Path report = Files.createDirectories(Path.of("target")).resolve("backlog.txt");
    Duration afterKill = firstMessage(report, "sent at " + BACKLOG / seconds + "/s; after a kill");
    Duration afterClose = firstMessage(report.resolveSibling("backlog2.txt"), "after a close");
    assertThat(afterKill).isLessThan(Duration.ofSeconds(3));
    assertThat(afterClose).isLessThan(Duration.ofSeconds(3));
  }
}
