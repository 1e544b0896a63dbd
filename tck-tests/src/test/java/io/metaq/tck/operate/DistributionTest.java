package io.metaq.tck.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.tck.operate.Distribution.Outcome;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The distribution as it is shipped: every command of the README and the manual, run for real. */
@Tag("distribution")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class DistributionTest {

  private static final String ANY_PORTS =
      "[system]\nserverPort=0\ndataPath=../data\n[zookeeper]\nzk.server.port=0\n";

  @TempDir Path folder;

  private Distribution metaq;

  @BeforeEach
  void unpack() throws Exception {
    metaq = Distribution.unpack(folder);
    metaq.configure(ANY_PORTS);
  }

  @AfterEach
  void stop() throws Exception {
    metaq.run("bin/metaServer.sh", "stop");
  }

  private void started() throws Exception {
    Outcome outcome = metaq.run("bin/metaServer.sh", "start", "local");
    assertThat(outcome.code()).as(outcome.output()).isZero();
    assertThat(outcome.output()).contains("started (pid ").contains("serving on 127.0.0.1:");
  }

  @Test
  void theDemoSendsReceivesSaysWhatHappenedAndLeavesNothingRunning() throws Exception {
    Outcome outcome = metaq.run("bin/metaq", "demo");

    assertThat(outcome.code()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .contains("Sent 10 persistent messages to queue 'orders'")
        .contains(
            "Received 3 from 'orders', by the selector number > 7: order 8, order 9, order 10")
        .contains("Received 1 from topic 'prices'")
        .contains("nothing is left running")
        .contains("bin/metaServer.sh start local");
    assertThat(metaq.run("bin/metaq", "demo").code()).as("a second time on the same data").isZero();
  }

  @Test
  void aBrokerStartsAnswersRestartsAndStops() throws Exception {
    started();
    Outcome status = metaq.run("bin/metaServer.sh", "status");
    assertThat(status.code()).isZero();
    assertThat(status.output()).contains("running (pid " + metaq.state("pid") + ")");
    assertThat(metaq.run("bin/metaServer.sh", "stats").output()).contains("STATS").contains("END");

    String before = metaq.state("pid");
    assertThat(metaq.run("bin/metaServer.sh", "restart").code()).isZero();
    assertThat(metaq.state("pid")).isNotEqualTo(before);
    assertThat(metaq.state("mode")).isEqualTo("local");

    Outcome stopped = metaq.run("bin/metaServer.sh", "stop");
    assertThat(stopped.code()).isZero();
    assertThat(stopped.output()).contains("stopped");
    assertThat(metaq.run("bin/metaServer.sh", "status").code()).isEqualTo(3);
    assertThat(metaq.run("bin/metaServer.sh", "stats").code()).isEqualTo(1);
  }

  @Test
  void aSecondStartIsRefusedAndHarmsNothing() throws Exception {
    started();

    Outcome second = metaq.run("bin/metaServer.sh", "start", "local");
    assertThat(second.code()).isEqualTo(1);
    assertThat(second.output()).contains("already running");
    assertThat(metaq.run("bin/metaServer.sh", "status").code()).isZero();
  }

  @Test
  void aTerminatedBrokerEndsCleanly() throws Exception {
    started();
    ProcessHandle broker = ProcessHandle.of(Long.parseLong(metaq.state("pid"))).orElseThrow();

    assertThat(broker.destroy()).isTrue();

    await().atMost(Duration.ofSeconds(30)).until(() -> !broker.isAlive());
    assertThat(metaq.home().resolve("run/broker")).doesNotExist();
    started();
  }

  @Test
  void aFaultyConfigurationStopsTheStartWithEveryFault() throws Exception {
    metaq.configure("[system]\nserverPort=x\nnumPartition=1\nbindAddress=0.0.0.0\n");

    Outcome outcome = metaq.run("bin/metaServer.sh", "start", "local");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.output())
        .contains("3 faults")
        .contains("server.ini:2: serverPort=x")
        .contains("server.ini:3: unknown key 'numPartition'")
        .contains("server.ini:4: bindAddress: 0.0.0.0 is reachable from other machines")
        .contains("did not start");
  }

  @Test
  void aTakenPortStopsTheStartWithAMessage() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = other.getLocalPort();
      metaq.configure(ANY_PORTS.replace("serverPort=0", "serverPort=" + port));

      Outcome outcome = metaq.run("bin/metaServer.sh", "start", "local");

      assertThat(outcome.code()).isEqualTo(1);
      assertThat(outcome.output()).contains(String.valueOf(port)).contains("did not start");
    }
  }

  @Test
  void withoutAZooKeeperAPlainStartSaysWhatToDo() throws Exception {
    metaq.configure(ANY_PORTS + "zk.zkConnect=127.0.0.1:1\nzk.zkConnectionTimeoutMs=1000\n");

    Outcome outcome = metaq.run("bin/metaServer.sh", "start");

    assertThat(outcome.code()).isEqualTo(1);
    assertThat(outcome.output()).contains("does not answer").contains("start local");
  }

  @Test
  void aUserAddedByTheCommandLetsTheBrokerServeBeyondLoopback() throws Exception {
    metaq.configure(ANY_PORTS.replace("[system]", "[system]\nbindAddress=0.0.0.0"));
    assertThat(metaq.runWith("secret\n", "bin/metaq", "user", "add", "alice").code()).isZero();
    assertThat(metaq.run("bin/metaq", "user", "list").output()).isEqualTo("alice\n");

    Outcome outcome = metaq.run("bin/metaServer.sh", "start", "local");
    assertThat(outcome.code()).as(outcome.output()).isZero();
  }

  @Test
  void theLoadGeneratorMeasuresTheBroker() throws Exception {
    started();

    Outcome outcome =
        metaq.run(
            "bin/metaq",
            "perf",
            "--url",
            "metaq://127.0.0.1:" + metaq.state("port"),
            "--broker-pid",
            metaq.state("pid"),
            "--warmup",
            "1",
            "--seconds",
            "2");

    assertThat(outcome.code()).as(outcome.output()).isZero();
    assertThat(outcome.output())
        .containsPattern("sent +[1-9]")
        .contains("broker CPU")
        .containsPattern("forces +[01]\\.")
        .doesNotContain("NOT DELIVERED");
  }

  @Test
  void aDataDirectoryIsReadWithoutABroker() throws Exception {
    assertThat(metaq.run("bin/metaq", "demo", "--data", "data").code()).isZero();

    for (String command : new String[] {"verify", "stat"}) {
      Outcome outcome = metaq.run("bin/metaq", "store", command, "--data", "data");
      assertThat(outcome.code()).as(outcome.output()).isZero();
    }
  }

  @Test
  void branchesInDoubtAreListed() throws Exception {
    started();

    Outcome outcome =
        metaq.run("bin/metaq", "tx", "list", "--url", "metaq://127.0.0.1:" + metaq.state("port"));

    assertThat(outcome.code()).as(outcome.output()).isZero();
  }

  @Test
  void aWrongCommandExplainsItselfAndFails() throws Exception {
    assertThat(metaq.run("bin/metaServer.sh", "fly").code()).isEqualTo(1);
    assertThat(metaq.run("bin/metaServer.sh", "start", "slave").output())
        .contains("only 'local' may follow");
    assertThat(metaq.run("bin/metaServer.sh", "help").output()).contains("start [local]");
    assertThat(metaq.run("bin/metaq", "help").output()).contains("demo").contains("perf");
    assertThat(metaq.with("JAVA_HOME", "/nowhere").run("bin/metaq", "help").output())
        .contains("no Java found");
  }

  @Test
  void itRunsOnTheNewestJavaWhereThereIsOne() throws Exception {
    Optional<Path> java25 = java25();
    org.junit.jupiter.api.Assumptions.assumeTrue(
        java25.isPresent(), "no Java 25 here; set JAVA25_HOME");

    Outcome outcome =
        metaq.with("JAVA_HOME", java25.orElseThrow().toString()).run("bin/metaq", "demo");

    assertThat(outcome.code()).as(outcome.output()).isZero();
    assertThat(outcome.output()).doesNotContain("WARNING");
  }

  private static Optional<Path> java25() throws Exception {
    String named = System.getenv("JAVA25_HOME");
    if (named != null) {
      return Optional.of(Path.of(named));
    }
    Path usual = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(usual)) {
      return Optional.empty();
    }
    try (Stream<Path> homes = Files.list(usual)) {
      return homes
          .filter(home -> home.getFileName().toString().matches("(.*\\D)?25(\\D.*)?"))
          .filter(home -> Files.isExecutable(home.resolve("bin/java")))
          .findFirst();
    }
  }
}
