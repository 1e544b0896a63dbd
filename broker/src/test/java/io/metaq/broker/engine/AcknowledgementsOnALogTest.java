package io.metaq.broker.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.store.ManualExecutor;
import io.metaq.broker.store.SimulatedDisk;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a log must not do to acknowledgements, nor a relaxed force to messages. */
class AcknowledgementsOnALogTest {
  private static final int MESSAGES = 30;

  private final SimulatedDisk disk = new SimulatedDisk(3);

  private static EngineHarness loaded(SimulatedDisk on, int messages) throws IOException {
    EngineHarness broker = new EngineHarness(on, true, 0);
    broker.start();
    long queue = broker.queue("q");
    for (int i = 0; i < messages; i++) {
      assertThat(broker.answered(broker.message(queue, 100))).isInstanceOf(Ok.class);
    }
    broker.consume("q", messages);
    assertThat(broker.deliveries).hasSize(messages);
    return broker;
  }

  private static List<String> left(EngineHarness broker, int credit) {
    broker.consume("q", credit);
    broker.pass(1_000);
    return broker.deliveries.stream().map(EngineHarness::id).toList();
  }

  /** Runs single tasks, each executor in its turn; false when none is left. */
  private static boolean step(EngineHarness broker) {
    boolean ran = false;
    for (ManualExecutor executor :
        List.of(broker.loopTasks, broker.journal, broker.logWriter, broker.background)) {
      ran |= executor.runOne();
    }
    return ran;
  }

  @Test // A1
  void anAcknowledgementWhileACheckpointIsWrittenStaysAtEveryPointOfIt() throws IOException {
    int point = 0;
    boolean within = true;
    while (within) {
      SimulatedDisk fresh = new SimulatedDisk(3);
      EngineHarness broker = loaded(fresh, MESSAGES);
      broker.engine().checkpoint();
      for (int i = 0; i < point && within; i++) {
        within = step(broker);
      }
      Deliver gone = broker.deliveries.get(7);
      Range range = Range.of(gone);
      int number = broker.ask(new Ack(1, 0, List.of(range)));
      while (!broker.answers.containsKey(number)) {
        assertThat(step(broker)).isTrue();
      }
      broker.restart(point % 2 == 0 ? fresh.afterPowerCut() : fresh.afterKill());
      assertThat(left(broker, MESSAGES))
          .as("acknowledged %d steps into the checkpoint", point)
          .hasSize(MESSAGES - 1)
          .doesNotContain("ID:8");
      point++;
    }
    assertThat(point).isGreaterThan(5);
  }

  @Test // A4
  void ofMessagesAcknowledgedInRandomOrderOnlyTheOthersReturn() throws IOException {
    int count = 10_000;
    EngineHarness broker = loaded(disk, count);
    List<Deliver> shuffled = new ArrayList<>(broker.deliveries);
    Collections.shuffle(shuffled, new Random(11));
    List<Deliver> kept = new ArrayList<>(shuffled.subList(0, 500));
    for (Deliver delivery : shuffled.subList(500, count)) {
      broker.acknowledgeOneWay(delivery);
    }
    broker.pass(50);
    List<String> expected =
        kept.stream()
            .sorted((a, b) -> Long.compare(a.sequence(), b.sequence()))
            .map(EngineHarness::id)
            .toList();
    broker.restart(broker.disk.afterPowerCut());
    assertThat(left(broker, count)).isEqualTo(expected);
    broker.engine().shutDown();
    broker.settle();
    broker.restart(broker.disk.afterKill());
    assertThat(left(broker, count)).isEqualTo(expected);
  }

  @Test // A5
  void anAcknowledgementThatIsRepeatedIsConfirmedAgainAndTakesNothingElse() throws IOException {
    EngineHarness broker = loaded(disk, 5);
    Deliver second = broker.deliveries.get(1);
    Range range = Range.of(second);
    Ack ack = new Ack(9, 0, List.of(range));
    assertThat(broker.answered(ack)).isInstanceOf(Ok.class);
    assertThat(broker.answered(ack)).isInstanceOf(Ok.class);
    broker.restart(disk.afterPowerCut());
    assertThat(left(broker, 5)).containsExactly("ID:1", "ID:3", "ID:4", "ID:5");
  }

  @Test // A5
  void whoAsksAgainHearsOfAnAcknowledgementOnlyWhenItIsDurable() throws IOException {
    EngineHarness broker = new EngineHarness(disk, false, 0);
    broker.start();
    assertThat(broker.answered(broker.message(broker.queue("q"), 100))).isInstanceOf(Ok.class);
    broker.consume("q", 1);
    Deliver only = broker.deliveries.get(0);
    broker.acknowledgeOneWay(only);
    broker.loopTasks.runAll();
    Range range = Range.of(only);
    int again = broker.ask(new Ack(7, 0, List.of(range)));
    broker.loopTasks.runAll();
    assertThat(broker.answers).doesNotContainKey(again);
    broker.settle();
    assertThat(broker.answers.get(again)).isInstanceOf(Ok.class);
  }

  @Test // S4
  void inRelaxedModeAPowerCutCostsNoMoreThanTheIntervalAlsoWhenTrafficStops() throws IOException {
    EngineHarness broker = new EngineHarness(disk, true, 0);
    broker.declareRelaxed("q", 1000);
    broker.start();
    long queue = broker.queue("q");
    long before = disk.forces();
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(broker.answered(broker.message(queue, 100))).isInstanceOf(Ok.class);
    }
    assertThat(disk.forces()).as("no receipt waited for a force").isEqualTo(before);
    broker.pass(10);
    broker.restart(disk.afterPowerCut());
    assertThat(left(broker, MESSAGES)).hasSize(MESSAGES);
  }

  @Test // S4
  void inRelaxedModeSteadyTrafficDoesNotPutTheForceOff() throws IOException {
    for (int sends = 12; sends <= MESSAGES; sends++) {
      SimulatedDisk own = new SimulatedDisk(sends);
      EngineHarness broker = new EngineHarness(own, true, 0);
      broker.declareRelaxed("q", 1000);
      broker.start();
      long queue = broker.queue("q");
      for (int i = 0; i < sends; i++) {
        assertThat(broker.answered(broker.message(queue, 100))).isInstanceOf(Ok.class);
        broker.pass(1);
      }
      broker.restart(own.afterPowerCut());
      assertThat(left(broker, MESSAGES)).as("of %d", sends).hasSizeGreaterThanOrEqualTo(sends - 10);
    }
  }

  @Test // S4
  void inRelaxedModeAForceFollowsAfterSoManyMessagesAtTheLatest() throws IOException {
    EngineHarness broker = new EngineHarness(disk, true, 0);
    broker.declareRelaxed("q", 10);
    broker.start();
    long queue = broker.queue("q");
    long before = disk.forces();
    for (int i = 0; i < MESSAGES; i++) {
      assertThat(broker.answered(broker.message(queue, 100))).isInstanceOf(Ok.class);
      assertThat(disk.forces() - before).as("after %d", i + 1).isEqualTo((i + 1) / 10);
    }
  }
}
