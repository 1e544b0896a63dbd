package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.store.Journal.Demand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** S9: the journal on a disk that fills up. */
class JournalSpaceTest {
  private static final long HALF_A_SECOND = 500_000_001;

  private final SimulatedDisk disk = new SimulatedDisk(41);

  @Test
  void aFullDiskHoldsAnswersBackAndTheyComeWhenSpaceIsBack() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    List<String> expected = new ArrayList<>();
    disk.capacity(1);
    while (harness.journal.trouble().isEmpty() || harness.forced == expected.size()) {
      expected.add("entry " + expected.size() + " " + "f".repeat(9000));
      harness.appendForced(expected.get(expected.size() - 1));
    }
    long forcedWhenFull = harness.forced;
    assertThat(forcedWhenFull).isPositive().isLessThan(expected.size());
    assertThat(harness.journal.trouble()).contains("No space left");
    assertThat(harness.fatal).isEmpty();
    for (int i = 0; i < 5; i++) {
      expected.add("while full " + i);
      harness.appendForced(expected.get(expected.size() - 1));
    }
    assertThat(harness.forced).isEqualTo(forcedWhenFull);
    assertThat(disk.list("journal"))
        .as("no half-made file takes space")
        .noneMatch(n -> n.endsWith(".unfinished"));

    disk.capacity(Long.MAX_VALUE);
    harness.nanos += HALF_A_SECOND;
    harness.journal.pump(Demand.FORCE);
    harness.runAll();

    assertThat(harness.forced).isEqualTo(expected.size());
    assertThat(harness.journal.trouble()).isEmpty();
    assertThat(JournalHarness.entries(disk.afterPowerCut())).isEqualTo(expected);
  }

  @Test
  void headroomTellsHowMuchFitsWithoutNewSpace() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.runAll();
    long fileSize = JournalHarness.SMALL.fileSize();
    assertThat(harness.journal.headroom()).isEqualTo(2 * (fileSize - 4096) + 4096);
    harness.appendForced("one block");
    assertThat(harness.journal.headroom()).isEqualTo(2 * fileSize - 2 * 4096);
    disk.capacity(1);
    List<Long> forced = new ArrayList<>();
    while (harness.journal.headroom() > 3 * 4096) {
      harness.appendForced("while there is headroom");
      forced.add(harness.forced);
    }
    assertThat(forced.get(forced.size() - 1)).isEqualTo(harness.journal.lastIndex());
  }

  @Test
  void freedFilesAreRoomOnAFullDisk() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.runAll();
    disk.capacity(1);
    while (harness.journal.trouble().isEmpty()) {
      harness.appendForced("x".repeat(9000));
    }
    harness.journal.free(harness.forced);
    harness.runAll();
    assertThat(harness.journal.trouble()).isEmpty();
    harness.nanos += HALF_A_SECOND;
    long before = harness.journal.lastIndex();
    for (int i = 0; i < 6; i++) {
      harness.appendForced("y".repeat(9000));
    }
    assertThat(harness.forced).isEqualTo(before + 6);
  }
}
