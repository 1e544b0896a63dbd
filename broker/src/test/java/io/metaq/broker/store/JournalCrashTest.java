package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.store.Journal.Demand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Cuts the power at every single change of the disk, twice in a row, and checks that what was
 * reported as forced is there, in order, and that nothing else than a prefix of what was appended
 * is.
 */
class JournalCrashTest {

  /** What one life of a broker did. */
  private static final class Life {
    private final List<String> appended;
    private long reported;
    private long freed;

    Life(List<String> before, long freed) {
      appended = new ArrayList<>(before);
      this.freed = freed;
    }
  }

  @Test
  void aPowerCutAtAnyWriteOrForceLosesNothingThatWasReported() throws IOException {
    for (int seed = 0; seed < 3; seed++) {
      long operations = 0;
      for (long k = 1; k == 1 || k <= operations; k++) {
        operations = Math.max(operations, crashTwice(seed, k));
      }
      assertThat(operations).isGreaterThan(60);
    }
  }

  private static long crashTwice(int seed, long k) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(seed * 1000L + k);
    disk.crashAtOperation(k);
    Life first = new Life(List.of(), 0);
    boolean crashed = live(disk, first, new Random(seed), "a");
    if (!crashed) {
      return 0;
    }
    SimulatedDisk second = disk.afterPowerCut();
    // The same place again, counted in the second life: recovery itself is cut short at its every
    // step over the run.
    second.crashAtOperation(1 + k % 45);
    Life next = new Life(first.appended, first.freed);
    next.reported = first.reported;
    live(second, next, new Random(seed + 77), "b");

    SimulatedDisk third = second.afterPowerCut();
    Life last = new Life(next.appended, next.freed);
    last.reported = next.reported;
    check(third, last, seed, k);
    return k + 1;
  }

  /** Recovers, checks, and works until the power goes; true if it went. */
  private static boolean live(SimulatedDisk disk, Life life, Random random, String prefix)
      throws IOException {
    try {
      JournalHarness harness = new JournalHarness(disk);
      harness.recover(life.freed, life.freed, RecoveryMode.STRICT);
      keepRecovered(life, harness);
      harness.open(JournalHarness.SMALL.withInlineForce(random.nextBoolean()));
      try {
        for (int i = 0; i < 45; i++) {
          String text = prefix + i + " " + "q".repeat(random.nextInt(4) * 2500);
          life.appended.add(text);
          harness.append(text);
          if (random.nextInt(3) > 0) {
            harness.journal.pump(random.nextInt(5) == 0 ? Demand.WRITE : Demand.FORCE);
          }
          if (random.nextBoolean()) {
            harness.runAll();
          }
          life.reported = Math.max(life.reported, harness.forced);
          if (random.nextInt(12) == 0) {
            life.freed = harness.forced;
            harness.journal.free(life.freed);
          }
        }
        harness.runAll();
        harness.journal.close();
        life.reported = Math.max(life.reported, life.appended.size());
      } finally {
        life.reported = Math.max(life.reported, harness.forced);
      }
      return false;
    } catch (SimulatedDisk.Crash e) {
      return true;
    }
  }

  private static void check(SimulatedDisk disk, Life life, int seed, long k) throws IOException {
    JournalHarness harness = new JournalHarness(disk);
    harness.recover(life.freed, life.freed, RecoveryMode.STRICT);
    assertThat(harness.tail.lastIndex())
        .as("seed %d, crash at %d: reported entries are there", seed, k)
        .isGreaterThanOrEqualTo(life.reported);
    keepRecovered(life, harness);
  }

  private static void keepRecovered(Life life, JournalHarness harness) {
    int last = (int) harness.tail.lastIndex();
    assertThat(last).isBetween((int) life.reported, life.appended.size());
    assertThat(harness.recovered).isEqualTo(life.appended.subList((int) life.freed, last));
    while (life.appended.size() > last) {
      life.appended.remove(life.appended.size() - 1);
    }
    // From now on others see these entries, so they may never be lost again.
    life.reported = last;
  }
}
