package io.metaq.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.store.SimulatedDisk;
import io.metaq.broker.store.SimulatedDisk.Call;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaRecover;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Disks that fail, and power that goes, around the commits of transactions. */
class TransactionFaultsTest {
  private static final WireXid XID = new WireXid(1, new byte[] {1}, new byte[] {2});
  private static final WireXid LATER = new WireXid(1, new byte[] {1}, new byte[] {3});
  private static final int SUCCESS = 0x4000000;

  private static Range range(Deliver deliver) {
    return Range.of(deliver);
  }

  private static Send in(long transaction, Send send) {
    return new Send(1, send.sequence(), send.destinationId(), transaction, 0, 0, 0, send.content());
  }

  /** Takes what is delivered first into a branch and ends it. */
  private static void take(EngineHarness broker, WireXid xid) {
    broker.answered(new XaStart(2, xid, 0, 0));
    Range first = range(broker.deliveries.get(0));
    assertThat(broker.answered(new XaEnd(2, xid, 0, SUCCESS, List.of(first))))
        .isEqualTo(new XaDone(0));
  }

  /** X7: whether the force or the write fails, and whatever is left of the entry. */
  @ParameterizedTest
  @EnumSource(
      value = Call.class,
      names = {"WRITE", "FORCE"})
  void aRollbackThatFailsHalfwayCanBeRunAgainAndALaterBranchTakesTheMessage(Call failing)
      throws IOException {
    for (boolean powerCut : new boolean[] {true, false}) {
      SimulatedDisk disk = new SimulatedDisk(1);
      EngineHarness broker = new EngineHarness(disk, true, 0);
      broker.start();
      broker.answered(broker.message(broker.queue("q"), 100));
      broker.consume("q", 10);
      take(broker, XID);
      assertThat(broker.answered(new XaComplete(XaVerb.PREPARE, XID, 0))).isEqualTo(new XaDone(0));
      disk.before(
          (call, path) -> {
            if (call == failing && path.startsWith("journal/")) {
              throw new IOException("Input/output error");
            }
          });
      assertThat(broker.answered(new XaComplete(XaVerb.ROLLBACK, XID, 0)))
          .as("nothing is said of what is not durable")
          .isNull();
      assertThat(broker.fatal).hasMessageContaining("Input/output error");
      disk.before((call, path) -> {});

      broker.restart(powerCut ? disk.afterPowerCut() : disk.afterKill());
      boolean inDoubt = ((XaInDoubt) broker.answered(new XaRecover())).xids().contains(XID);
      Frame again = broker.answered(new XaComplete(XaVerb.ROLLBACK, XID, 0));
      if (inDoubt) {
        assertThat(again).isEqualTo(new XaDone(0));
      } else {
        assertThat(again).isInstanceOf(Failure.class);
      }
      assertThat(broker.answered(new XaComplete(XaVerb.ROLLBACK, XID, 0)))
          .isInstanceOf(Failure.class);
      broker.consume("q", 10);
      assertThat(broker.deliveries).hasSize(1);
      // 3 if the rollback had given it out once more, which may have been seen
      assertThat(broker.deliveries.get(0).deliveryCount()).isBetween(2, 3);
      take(broker, LATER);
      assertThat(broker.answered(new XaComplete(XaVerb.PREPARE, LATER, 0)))
          .isEqualTo(new XaDone(0));
      assertThat(broker.answered(new XaComplete(XaVerb.COMMIT, LATER, 0))).isEqualTo(new XaDone(0));
      broker.restart(broker.disk.afterPowerCut());
      broker.consume("q", 10);
      assertThat(broker.deliveries).isEmpty();
    }
  }

  /**
   * A3: the power goes before any one change of the disk, and of what was not forced any part may
   * be there, in any order.
   */
  @Test
  void whateverOfMessagesAndAcknowledgementsAPowerCutLeavesNoLaterMessageCountsAsAcknowledged()
      throws IOException {
    int points = 0;
    for (long seed = 1; seed <= 12; seed++) {
      boolean within = true;
      for (long point = 1; within; point++) {
        within = liveUntil(seed, point);
        points++;
      }
    }
    assertThat(points).isGreaterThan(200);
  }

  /** False when the disk was not changed so often. */
  private static boolean liveUntil(long seed, long point) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(seed);
    EngineHarness broker = new EngineHarness(disk, true, 0);
    broker.start();
    long queue = broker.queue("q");
    List<String> stored = new ArrayList<>();
    List<String> committed = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    disk.crashAtOperation(disk.operations() + point);
    boolean crashed = false;
    try {
      for (int round = 0; round < 5; round++) {
        int first = round * 2 + 1;
        unknown.add("ID:" + first);
        send(broker, queue, 0);
        stored.add("ID:" + first);
        broker.consume("q", 1);
        Range taken = range(broker.deliveries.get(broker.deliveries.size() - 1));
        String id = EngineHarness.id(broker.deliveries.get(broker.deliveries.size() - 1));
        unknown.add(id);
        unknown.add("ID:" + (first + 1));
        broker.ask(in(round + 1, broker.message(queue, 100)));
        assertThat(broker.answered(new Commit(1, round + 1, List.of(taken))))
            .isEqualTo(Ok.INSTANCE);
        committed.add(id);
        stored.add("ID:" + (first + 1));
        unknown.clear();
      }
    } catch (SimulatedDisk.Crash powerGone) {
      crashed = true;
    }
    broker.restart(disk.afterPowerCut());
    // Whatever follows the crash gets the places that the lost entries had.
    long again = broker.queue("q");
    List<String> later = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Send send = broker.message(again, 100);
      later.add("ID:" + send.sequence());
      assertThat(broker.answered(send)).isInstanceOf(Ok.class);
    }
    broker.consume("q", 100);
    broker.pass(1_000);
    List<String> left = broker.deliveries.stream().map(EngineHarness::id).toList();
    stored.removeAll(committed);
    stored.removeAll(unknown);
    assertThat(left)
        .as("seed %d, power cut before change %d", seed, point)
        .doesNotHaveDuplicates()
        .containsAll(stored)
        .containsAll(later)
        .doesNotContainAnyElementsOf(committed.isEmpty() ? List.of("none committed") : committed);
    return crashed;
  }

  private static void send(EngineHarness broker, long queue, long transaction) {
    assertThat(broker.answered(in(transaction, broker.message(queue, 100)))).isInstanceOf(Ok.class);
  }

  /** M4: of several commits that share a force, none is answered before it, and all are there. */
  @Test
  void commitsThatShareAForceAreAnsweredBehindItAndAllThereAfterAKill() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(5);
    EngineHarness broker = new EngineHarness(disk, false, 0);
    broker.start();
    long queue = broker.queue("q");
    List<Integer> commits = new ArrayList<>();
    long forces = disk.forces();
    for (int i = 1; i <= 8; i++) {
      broker.ask(in(i, broker.message(queue, 100)));
      commits.add(broker.ask(new Commit(1, i, List.of())));
    }
    broker.loopTasks.runAll();
    assertThat(broker.answers).doesNotContainKeys(commits.toArray(Integer[]::new));
    broker.journal.runAll();
    broker.loopTasks.runAll();
    assertThat(disk.forces() - forces).as("forces").isEqualTo(1);
    for (int commit : commits) {
      assertThat(broker.answers.get(commit)).isEqualTo(Ok.INSTANCE);
    }
    broker.restart(disk.afterPowerCut());
    broker.consume("q", 100);
    assertThat(broker.deliveries).hasSize(8);
  }
}
