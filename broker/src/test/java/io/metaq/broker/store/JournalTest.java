package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.store.Journal.Demand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalTest {
  private final SimulatedDisk disk = new SimulatedDisk(1);

  @Test
  void entriesComeBackInOrderAfterARestart() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      expected.add("entry " + i + " " + "x".repeat(i * 17));
      harness.appendForced(expected.get(i));
    }
    assertThat(harness.forced).isEqualTo(100);

    JournalHarness again = JournalHarness.start(disk.afterPowerCut());

    assertThat(again.recovered).isEqualTo(expected);
    assertThat(again.append("next")).isEqualTo(101);
  }

  @Test
  void nothingIsReportedBeforeTheForceReturns() throws IOException {
    JournalHarness harness =
        JournalHarness.start(disk, JournalHarness.SMALL.withInlineForce(false));
    List<Long> reportedAtForce = new ArrayList<>();
    disk.before(
        (call, path) -> {
          if (call == SimulatedDisk.Call.FORCE) {
            harness.loop.runAll();
            reportedAtForce.add(harness.forced);
          }
        });
    harness.append("a");
    harness.journal.pump(Demand.FORCE);

    harness.journalThread.runAll();

    assertThat(reportedAtForce).containsExactly(0L);
    assertThat(harness.forced).isZero();
    harness.loop.runAll();
    assertThat(harness.forced).isEqualTo(1);
  }

  @Test
  void everythingAppendedDuringAForceSharesTheNextOne() throws IOException {
    JournalHarness harness =
        JournalHarness.start(disk, JournalHarness.SMALL.withInlineForce(false));
    harness.background.runAll();
    harness.append("first");
    harness.journal.pump(Demand.FORCE);
    long forcesBefore = disk.forces();
    disk.before(
        (call, path) -> {
          if (call == SimulatedDisk.Call.FORCE && harness.journal.lastIndex() == 1) {
            for (int i = 0; i < 16; i++) {
              harness.append("during " + i);
              harness.journal.pump(Demand.FORCE);
            }
          }
        });

    harness.journalThread.runAll();

    assertThat(disk.forces() - forcesBefore).isEqualTo(2);
    assertThat(harness.loop.size()).as("coalesced").isEqualTo(1);
    harness.loop.runAll();
    assertThat(harness.forced).isEqualTo(17);
  }

  @Test
  void anEntryThatAsksForNoForceRidesOnTheNextOne() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.background.runAll();
    long before = disk.forces();
    harness.append("acknowledgement");
    harness.append("message");
    harness.journal.pump(Demand.FORCE);
    assertThat(disk.forces() - before).isEqualTo(1);
    assertThat(harness.forced).isEqualTo(2);
    harness.append("acknowledgement");
    harness.runAll();
    assertThat(disk.forces() - before).isEqualTo(1);
    assertThat(harness.forced).isEqualTo(2);
  }

  @Test
  void slowForcesLeaveTheLoop() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.background.runAll();
    disk.before(
        (call, path) -> {
          if (call == SimulatedDisk.Call.FORCE) {
            harness.nanos += 5_000_000;
          }
        });
    harness.append("slow");
    harness.journal.pump(Demand.FORCE);
    assertThat(harness.forced).as("forced on the loop").isEqualTo(1);

    harness.append("slower");
    harness.journal.pump(Demand.FORCE);

    assertThat(harness.forced).isEqualTo(1);
    assertThat(harness.journalThread.size()).isEqualTo(1);
    harness.runAll();
    assertThat(harness.forced).isEqualTo(2);
  }

  @Test
  void afterAFailedForceNothingIsEverReported() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("good");
    disk.before(
        (call, path) -> {
          if (call == SimulatedDisk.Call.FORCE) {
            throw new IOException("injected");
          }
        });
    harness.append("bad");
    harness.journal.pump(Demand.FORCE);
    harness.runAll();
    disk.before((call, path) -> {});

    assertThat(harness.fatal).hasSize(1);
    assertThatThrownBy(() -> harness.append("later")).isInstanceOf(JournalFailedException.class);
    harness.journal.pump(Demand.FORCE);
    harness.runAll();
    assertThat(harness.forced).isEqualTo(1);
  }

  @Test
  void afterAFailedWriteNothingIsEverReported() throws IOException {
    JournalHarness harness =
        JournalHarness.start(disk, JournalHarness.SMALL.withInlineForce(false));
    disk.before(
        (call, path) -> {
          if (call == SimulatedDisk.Call.WRITE) {
            throw new IOException("injected");
          }
        });
    harness.append("bad");
    harness.journal.pump(Demand.FORCE);
    harness.runAll();

    assertThat(harness.fatal).hasSize(1);
    assertThat(harness.forced).isZero();
  }

  @Test
  void aWriteDemandForcesNothingAndALaterForceCoversIt() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.background.runAll();
    long before = disk.forces();
    harness.append("relaxed");
    harness.journal.pump(Demand.WRITE);
    harness.runAll();
    assertThat(harness.written).isEqualTo(1);
    assertThat(harness.forced).isZero();
    assertThat(disk.forces()).isEqualTo(before);

    harness.journal.pump(Demand.FORCE);
    harness.runAll();

    assertThat(harness.forced).isEqualTo(1);
    harness.journal.pump(Demand.FORCE);
    harness.runAll();
    assertThat(disk.forces()).as("nothing left to force").isEqualTo(before + 1);
  }

  @Test
  void aCleanCloseLeavesNothingThatLooksTorn() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.append("queued only");
    harness.journal.close();

    JournalHarness again = JournalHarness.start(disk.afterPowerCut());

    assertThat(again.recovered).containsExactly("queued only");
    assertThat(again.tail.droppedBytes()).isZero();
    assertThat(again.tail.reports()).isEmpty();
  }

  @Test
  void anEntryAboveTheBoundIsRefusedBeforeAnythingIsQueued() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    assertThatThrownBy(() -> harness.append("x".repeat((16 << 10) + 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("above the bound");
    harness.appendForced("x".repeat(16 << 10));
    assertThat(harness.forced).isEqualTo(1);
  }

  @Test
  void aClosedJournalTouchesTheDiskNoMore() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("one");
    harness.journal.free(1);
    JournalHarness second = JournalHarness.start(disk);
    second.append("two");
    second.journal.close();
    long operations = disk.operations();

    second.runAll();

    assertThat(disk.operations()).isEqualTo(operations);
  }
}
