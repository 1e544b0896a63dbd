package io.metaq.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.store.SimulatedDisk;
import io.metaq.broker.store.SimulatedDisk.Call;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineFaultsTest {
  private final SimulatedDisk disk = new SimulatedDisk(1);

  private EngineHarness started(boolean inlineForce, long reserved) throws IOException {
    EngineHarness harness = new EngineHarness(disk, inlineForce, reserved);
    harness.start();
    return harness;
  }

  private static void failing(SimulatedDisk disk, Call what, String where) {
    disk.before(
        (call, path) -> {
          if (call == what && path.contains(where)) {
            throw new IOException("Input/output error");
          }
        });
  }

  @Test
  void aSendReceiptWaitsForTheForce() throws IOException {
    EngineHarness broker = started(false, 0);
    long queue = broker.queue("q");
    int number = broker.ask(broker.message(queue, 100));
    broker.loopTasks.runAll();
    assertThat(broker.answers).doesNotContainKey(number);
    broker.journal.runAll();
    broker.loopTasks.runAll();
    assertThat(broker.answers.get(number)).isInstanceOf(Ok.class);
  }

  @Test
  void aDeliveryWaitsForTheForceOfItsMessage() throws IOException {
    EngineHarness broker = started(false, 0);
    long queue = broker.queue("q");
    broker.consume("q", 10);
    broker.ask(broker.message(queue, 100));
    broker.loopTasks.runAll();
    assertThat(broker.deliveries).isEmpty();
    broker.settle();
    assertThat(broker.deliveries).hasSize(1);
  }

  @Test
  void anIdleBrokerForcesOnItsLoop() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    int number = broker.ask(broker.message(queue, 100));
    broker.loopTasks.runAll();
    assertThat(broker.answers.get(number)).isInstanceOf(Ok.class);
  }

  @Test
  void whatComesInOneBurstSharesOneForce() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    long before = disk.forces();
    for (int i = 0; i < 16; i++) {
      broker.ask(broker.message(queue, 100));
    }
    broker.loopTasks.runAll();
    assertThat(disk.forces() - before).isEqualTo(1);
  }

  @Test // M7
  void anErrorOnOnePartitionFailsItsSendsOnlyAndThoseUntilTheDiskWorks() throws IOException {
    EngineHarness broker = started(true, 0);
    long bad = broker.queue("bad");
    long good = broker.queue("good");
    failing(disk, Call.WRITE, "partitions/bad-0");
    assertThat(broker.answered(broker.message(bad, 100))).isInstanceOf(Ok.class);
    broker.pass(10); // the log writer gathers for a while
    Frame refused = broker.answered(broker.message(bad, 100));
    assertThat(((Failure) refused).code()).isEqualTo(ErrorCode.STORAGE);
    assertThat(((Failure) refused).message())
        .contains("bad")
        .contains("partition 0")
        .contains("Input/output error");
    assertThat(broker.answered(broker.message(good, 100))).isInstanceOf(Ok.class);
    disk.before((call, path) -> {});
    broker.pass(2_000);
    assertThat(broker.answered(broker.message(bad, 100))).isInstanceOf(Ok.class);
    broker.consume("bad", 10);
    assertThat(broker.deliveries).extracting(EngineHarness::id).hasSize(2);
  }

  @Test // M7: what was answered before the partition failed is kept by the journal
  void aMessageWhosePartitionCannotBeWrittenSurvivesARestart() throws IOException {
    EngineHarness broker = started(true, 0);
    long bad = broker.queue("bad");
    failing(disk, Call.WRITE, "partitions/bad-0");
    assertThat(broker.answered(broker.message(bad, 100))).isInstanceOf(Ok.class);
    broker.engine().checkpoint();
    broker.settle();
    disk.before((call, path) -> {});
    broker.restart(disk.afterPowerCut());
    broker.consume("bad", 10);
    assertThat(broker.deliveries).hasSize(1);
  }

  @Test
  void aFailedForceOfAPartitionLogKeepsTheJournalUntilItSucceeds() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    broker.answered(broker.message(queue, 100));
    failing(disk, Call.FORCE, "partitions/q-0");
    broker.engine().checkpoint();
    broker.settle();
    disk.before((call, path) -> {});
    SimulatedDisk left = disk.afterPowerCut();
    broker.restart(left);
    broker.consume("q", 10);
    assertThat(broker.deliveries).hasSize(1);
  }

  @Test
  void afterAFailureOfTheJournalNothingIsAnsweredAndTheOwnerIsTold() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    failing(disk, Call.FORCE, "journal/");
    assertThat(broker.answered(broker.message(queue, 100))).isNull();
    assertThat(broker.fatal).hasMessageContaining("Input/output error");
    disk.before((call, path) -> {});
    assertThat(broker.answered(broker.message(queue, 100))).isNull();
    assertThat(broker.answered(new io.metaq.wire.ConnectionFrames.SetClientId("a"))).isNull();
  }

  @Test // A2
  void aReadThatFailsOnceDelaysMessagesAndSkipsNone() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      assertThat(broker.answered(broker.message(queue, 2_000))).isInstanceOf(Ok.class);
      sent.add("ID:" + (i + 1));
    }
    broker.restart(disk.afterKill());
    int[] failures = {1};
    broker.disk.before(
        (call, path) -> {
          if (call == Call.READ && path.endsWith(".meta") && failures[0]-- > 0) {
            throw new IOException("Input/output error");
          }
        });
    broker.consume("q", 100);
    broker.pass(2_000);
    assertThat(failures[0]).isNegative();
    assertThat(broker.deliveries).extracting(EngineHarness::id).isEqualTo(sent);
  }

  @Test // S9
  void aFullDiskRefusesSendersByNameLetsConsumersDrainAndIsLeftBehind() throws IOException {
    disk.capacity(3 << 20);
    EngineHarness broker = started(true, 600 << 10);
    long queue = broker.queue("q");
    int stored = 0;
    Frame last = Ok.INSTANCE;
    while (last instanceof Ok && stored < 10_000) {
      last = broker.answered(broker.message(queue, 10_000));
      stored += last instanceof Ok ? 1 : 0;
      broker.pass(20);
    }
    assertThat(((Failure) last).code()).isEqualTo(ErrorCode.STORAGE);
    assertThat(((Failure) last).message()).contains("the disk of").contains("MB left");
    broker.consume("q", stored);
    broker.pass(1_000);
    assertThat(broker.deliveries).hasSize(stored);
    for (int i = 0; i < stored; i++) {
      assertThat(broker.acknowledged(broker.deliveries.get(i))).isTrue();
    }
    assertThat(broker.fatal).isNull();
    disk.capacity(30 << 20);
    broker.pass(3_000);
    assertThat(broker.answered(broker.message(queue, 10_000))).isInstanceOf(Ok.class);
  }

  @Test
  void clientsWaitWhileTheLogsCannotFollow() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    for (int i = 0; i < 100; i++) {
      broker.ask(broker.message(queue, 10_000));
      broker.loopTasks.runAll();
      broker.journal.runAll();
      broker.loopTasks.runAll();
    }
    assertThat(broker.allPaused).isTrue();
    broker.settle();
    assertThat(broker.allPaused).isFalse();
  }

  @Test
  void theJournalIsFreedByCheckpointsWhateverItHeld() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    broker.consume("q", 100_000);
    for (int i = 0; i < 600; i++) {
      assertThat(broker.answered(broker.message(queue, 10_000))).isInstanceOf(Ok.class);
      assertThat(broker.acknowledged(broker.deliveries.get(i))).isTrue();
      broker.pass(10);
    }
    assertThat(disk.list("journal")).hasSizeLessThan(12);
  }

  @Test
  void aSynchronousSenderWithAnAutoConsumerCostsOneForceAMessage() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    broker.consume("q", 1_000);
    long before = disk.forces();
    for (int i = 0; i < 40; i++) {
      assertThat(broker.answered(broker.message(queue, 1_000))).isInstanceOf(Ok.class);
      broker.acknowledgeOneWay(broker.deliveries.get(i));
      broker.settle();
    }
    assertThat(disk.forces() - before).isBetween(40L, 42L);
  }

  @Test // S5, I6
  void aDamagedRecordIsReportedAndPassedOverAndNeverDelivered() throws IOException {
    EngineHarness broker = started(true, 0);
    long queue = broker.queue("q");
    for (int i = 0; i < 20; i++) {
      assertThat(broker.answered(broker.message(queue, 1_000))).isInstanceOf(Ok.class);
    }
    broker.engine().checkpoint();
    broker.settle();
    String segment =
        "partitions/q-0/"
            + disk.list("partitions/q-0").stream()
                .filter(name -> name.endsWith(".meta"))
                .findFirst()
                .orElseThrow();
    SimulatedDisk damaged = disk.copy();
    damaged.flip(segment, 10 * (damaged.size(segment) / 20) + 500);
    broker.restart(damaged);
    broker.consume("q", 100);
    broker.pass(1_000);
    assertThat(broker.deliveries).hasSize(19);
    assertThat(broker.deliveries).extracting(EngineHarness::id).doesNotContain("ID:11");
    assertThat(damaged.list("quarantine")).hasSize(1);
    assertThat(broker.answered(broker.message(queue, 1_000))).isInstanceOf(Ok.class);
  }
}
