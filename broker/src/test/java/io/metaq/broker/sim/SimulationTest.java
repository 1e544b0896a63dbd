package io.metaq.broker.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.sim.Simulation.End;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final long ALL_NORMAL_NANOS = 30_000_000_000L;
  private static final int NORMAL_SEEDS = 400;
  private static final int REPEATED_SEEDS = 25;

  private static int seeds() {
    String asked = System.getProperty("seeds", "");
    return asked.isEmpty() ? NORMAL_SEEDS : Integer.parseInt(asked);
  }

  private interface Life {
    void run() throws Exception;
  }

  private static void replayable(String how, Life life) {
    try {
      life.run();
    } catch (Throwable e) {
      throw new AssertionError(
          "to replay, with a trace in target/simulation-trace.txt: -Dtest=SimulationTest -Dreplay="
              + how,
          e);
    }
  }

  private static Simulation atRandom(long seed, Consumer<String> trace) throws Exception {
    Random plan = new Random(seed * 31 + 7);
    Simulation simulation = new Simulation(seed, true, trace);
    int lives = 1 + plan.nextInt(4);
    for (int i = 0; i < lives; i++) {
      int kind = plan.nextInt(8);
      End end = kind == 0 ? End.ORDERLY : kind < 3 ? End.KILL : End.POWER_CUT;
      long crashAt = kind > 4 ? 1 + plan.nextInt(400) : 0;
      simulation.live(100 + plan.nextInt(2_000), end, crashAt);
    }
    simulation.settle();
    return simulation;
  }

  private static Simulation atOperation(long seed, long operation, Consumer<String> trace)
      throws Exception {
    Simulation simulation = new Simulation(seed, false, trace);
    simulation.live(600, End.POWER_CUT, operation);
    simulation.live(300, End.KILL, 0);
    simulation.settle();
    return simulation;
  }

  @Test
  void promisesHoldWhateverTheOrderOfEventsAndWhereverTheBrokerDies() {
    long until = System.nanoTime() + ALL_NORMAL_NANOS;
    boolean asked = !System.getProperty("seeds", "").isEmpty();
    int done = 0;
    int messages = 0;
    int deliveries = 0;
    for (long seed = 1; seed <= seeds() && (asked || System.nanoTime() < until); seed++) {
      long now = seed;
      Simulation[] lived = new Simulation[1];
      replayable("random:" + seed, () -> lived[0] = atRandom(now, line -> {}));
      messages += lived[0].model().messages();
      deliveries += lived[0].model().deliveries();
      done++;
    }
    assertThat(deliveries)
        .as("deliveries in %s lives of %s messages", done, messages)
        .isGreaterThan(messages / 2);
  }

  @Test
  void promisesHoldWhenThePowerGoesBeforeAnyWriteOrForce() {
    for (long seed = 1; seed <= 3; seed++) {
      long now = seed;
      long[] operations = new long[1];
      replayable(
          "count:" + seed,
          () -> {
            Simulation whole = new Simulation(now, false, line -> {});
            whole.live(600, End.POWER_CUT, 0);
            operations[0] = whole.lastOperations();
          });
      for (long at = 1; at <= operations[0]; at++) {
        long operation = at;
        replayable("at:" + seed + ":" + at, () -> atOperation(now, operation, line -> {}));
      }
    }
  }

  /** I4: nothing but the commands and the clock decides what is recorded and answered. */
  @Test
  void theSameCommandsAndClockGiveTheSameEntriesAndEffects() throws Exception {
    for (long seed = 1; seed <= REPEATED_SEEDS; seed++) {
      List<String> effects = new ArrayList<>();
      List<String> again = new ArrayList<>();
      long entries = atRandom(seed, effects::add).journalChecksum();
      long entriesAgain = atRandom(seed, again::add).journalChecksum();
      assertThat(again).as("effects of seed %d", seed).isEqualTo(effects);
      assertThat(entriesAgain).as("journal of seed %d", seed).isEqualTo(entries);
    }
  }

  @Test
  void aSeedThatFailedIsReplayed() throws Exception {
    String replay = System.getProperty("replay", "random:1");
    String[] parts = replay.split(":");
    long seed = Long.parseLong(parts[1]);
    Path file = Path.of("target", "simulation-trace.txt");
    Files.createDirectories(file.getParent());
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      Simulation replayed =
          parts[0].equals("random")
              ? atRandom(seed, out::println)
              : atOperation(seed, Long.parseLong(parts[2]), out::println);
      assertThat(replayed.model().messages()).isPositive();
    }
  }
}
