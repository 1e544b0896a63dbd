package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.store.Journal.Demand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a start makes of every state in which a crash, or damage, can leave the journal. */
class JournalRecoveryTest {
  private static final int FIRST_BATCH = 4096;

  private final SimulatedDisk disk = new SimulatedDisk(7);

  private static String file(int generation) {
    return "journal/" + JournalFormat.fileName(generation);
  }

  /** S1 */
  @Test
  void everythingForcedIsThereWithExactlyOneFileAndWithExactlyTwo() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("in the first file");
    assertThat(JournalHarness.entries(disk.afterPowerCut())).containsExactly("in the first file");

    SimulatedDisk second = new SimulatedDisk(8);
    JournalHarness rolled = JournalHarness.start(second);
    List<String> expected = fill(rolled, 2);
    assertThat(rolled.journal.retainedFiles()).hasSize(2);
    assertThat(JournalHarness.entries(second.afterPowerCut())).isEqualTo(expected);
  }

  /** S2: nothing written after the first restart is lost, wherever the last batch was cut. */
  @Test
  void theLastBatchMayBeCutAtEveryByte() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("kept");
    harness.appendForced("torn: " + "x".repeat(700));
    byte[] whole = disk.contents(file(1));
    int batchAt = FIRST_BATCH + JournalFormat.BLOCK;
    int batchLength = JournalFormat.BATCH_HEADER + 4 + 706;
    for (int cut = 0; cut <= batchLength; cut++) {
      SimulatedDisk torn = disk.copy();
      byte[] bytes = whole.clone();
      Arrays.fill(bytes, batchAt + cut, batchAt + batchLength, (byte) 0);
      torn.plant(file(1), bytes);
      List<String> expected = new ArrayList<>(List.of("kept"));
      if (cut == batchLength) {
        expected.add("torn: " + "x".repeat(700));
      }

      JournalHarness again = JournalHarness.start(torn);
      assertThat(again.recovered).as("cut at %d", cut).isEqualTo(expected);
      again.appendForced("after the restart");
      expected.add("after the restart");

      assertThat(JournalHarness.entries(torn.afterPowerCut()))
          .as("cut at %d", cut)
          .isEqualTo(expected);
    }
  }

  /** S3 */
  @Test
  void aPowerCutStraightAfterARollLosesNothingOfTheOldFile() throws IOException {
    for (int seed = 0; seed < 50; seed++) {
      SimulatedDisk one = new SimulatedDisk(seed);
      JournalHarness harness = JournalHarness.start(one);
      List<String> expected = fill(harness, 1);
      int before = harness.journal.stats().files() == 1 ? expected.size() : 0;
      while (harness.journal.stats().files() == 1) {
        harness.append("unforced " + "y".repeat(4000));
        harness.journal.pump(Demand.WRITE);
        harness.runAll();
      }
      List<String> found = JournalHarness.entries(one.afterPowerCut());
      assertThat(found.size()).isGreaterThanOrEqualTo(before);
      assertThat(found.subList(0, before)).isEqualTo(expected);
    }
  }

  /**
   * S10: the old entries behind the new end are intact batches of exactly the right size, but of
   * another life.
   */
  @Test
  void aRecycledFileNeverReplaysItsEarlierLife() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    List<String> all = fill(harness, 3);
    long upTo = harness.journal.lastIndex();
    harness.journal.free(upTo);
    harness.runAll();
    // The next files are re-used ones, full of old batches of one block each.
    List<String> expected = new ArrayList<>();
    long files = harness.journal.stats().files();
    while (harness.journal.stats().files() < files + 2) {
      expected.add("new life " + expected.size());
      harness.appendForced(expected.get(expected.size() - 1));
    }

    JournalHarness again = new JournalHarness(disk.afterPowerCut());
    again.recover(upTo, upTo, RecoveryMode.STRICT);

    assertThat(all).isNotEmpty();
    assertThat(again.recovered).isEqualTo(expected);
  }

  /** S10: the dropped tail is followed by an append of exactly its length. */
  @Test
  void aDroppedTailNeverComesBackBehindAnEntryOfTheSameLength() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("kept");
    harness.append("drop me");
    harness.journal.pump(Demand.WRITE);
    harness.append("drop2me");
    harness.journal.pump(Demand.WRITE);
    harness.runAll();
    SimulatedDisk torn = disk.copy();
    torn.flip(file(1), FIRST_BATCH + JournalFormat.BLOCK + 70);

    JournalHarness again = JournalHarness.start(torn);
    assertThat(again.recovered).containsExactly("kept");
    assertThat(again.tail.droppedBytes()).isEqualTo(2 * JournalFormat.BLOCK);
    again.appendForced("instead");

    assertThat(JournalHarness.entries(torn.afterPowerCut())).containsExactly("kept", "instead");
  }

  @Test
  void aTailDroppedOnceStaysDroppedEvenIfItsBytesTurnUpAgain() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("kept");
    harness.append("unreadable once");
    harness.journal.pump(Demand.WRITE);
    harness.runAll();
    byte[] healthy = disk.contents(file(1));
    SimulatedDisk torn = disk.copy();
    torn.flip(file(1), FIRST_BATCH + JournalFormat.BLOCK + 70);
    JournalHarness again = JournalHarness.start(torn);
    again.appendForced("instead");
    SimulatedDisk healed = torn.copy();
    healed.plant(file(1), healthy);

    assertThat(JournalHarness.entries(healed)).containsExactly("kept", "instead");
  }

  @Test
  void aStartNeverAppendsToARecoveredFile() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("one");
    SimulatedDisk next = disk.afterKill();
    byte[] before = next.contents(file(1));
    JournalHarness again = JournalHarness.start(next);
    again.appendForced("two");

    assertThat(next.contents(file(1))).isEqualTo(before);
    assertThat(JournalHarness.entries(next.afterPowerCut())).containsExactly("one", "two");
  }

  @Test
  void whatAKilledProcessWroteIsForcedBeforeAnybodyIsToldOfIt() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.append("in the page cache only");
    harness.journal.pump(Demand.WRITE);
    harness.runAll();
    SimulatedDisk killed = disk.afterKill();
    JournalHarness again = JournalHarness.start(killed);
    assertThat(again.recovered).containsExactly("in the page cache only");

    for (int i = 0; i < 20; i++) {
      assertThat(JournalHarness.entries(killed.afterPowerCut()))
          .containsExactly("in the page cache only");
    }
  }

  @Test
  void aBadByteBelowAForcedPositionIsCorruptionWhereverItIs() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("zero");
    harness.appendForced("one");
    harness.appendForced("two");
    int batch = FIRST_BATCH + JournalFormat.BLOCK;
    int length = JournalFormat.BATCH_HEADER + 4 + 3;
    for (int at = 0; at < length; at++) {
      SimulatedDisk bad = disk.copy();
      bad.flip(file(1), batch + at);
      assertThatThrownBy(() -> JournalHarness.entries(bad))
          .as("byte %d", at)
          .isInstanceOf(CorruptJournalException.class)
          .hasMessageContaining("follows entry 1")
          .hasMessageContaining(file(1) + ", byte " + batch)
          .hasMessageContaining("recoveryMode=quarantine")
          .hasMessageMatching("(?s).*Nothing was changed.*");
    }
  }

  @Test
  void quarantineKeepsWhatStandsBeforeTheDamageAndACopyOfTheRest() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("zero");
    harness.appendForced("one");
    harness.appendForced("two");
    byte[] bytes = disk.contents(file(1));
    int batch = FIRST_BATCH + JournalFormat.BLOCK;
    SimulatedDisk bad = disk.copy();
    bad.flip(file(1), batch + 65);

    JournalHarness again = new JournalHarness(bad);
    again.recover(0, 0, RecoveryMode.QUARANTINE);
    again.open(JournalHarness.SMALL);
    again.appendForced("new");

    assertThat(again.recovered).containsExactly("zero");
    assertThat(again.tail.quarantined()).isTrue();
    assertThat(again.tail.reports()).anyMatch(report -> report.contains("damage"));
    byte[] kept = bad.contents("quarantine/" + file(1).replace('/', '_') + "." + batch);
    bytes[batch + 65] ^= 0x55;
    assertThat(kept).isEqualTo(Arrays.copyOfRange(bytes, batch, bytes.length));
    assertThat(JournalHarness.entries(bad.afterPowerCut())).containsExactly("zero", "new");
  }

  @Test
  void damageInAnEarlierFileIsFoundThroughTheLaterOnes() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    fill(harness, 3);
    for (int at = FIRST_BATCH; at < 60 << 10; at += JournalFormat.BLOCK) {
      SimulatedDisk bad = disk.copy();
      bad.flip(file(2), at + 61);
      assertThatThrownBy(() -> JournalHarness.entries(bad))
          .as("batch at %d", at)
          .isInstanceOf(CorruptJournalException.class);
    }
  }

  @Test
  void aMissingFileIsCorruption() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    fill(harness, 3);
    for (int missing = 1; missing <= 2; missing++) {
      SimulatedDisk bad = disk.copy();
      bad.delete(file(missing));
      assertThatThrownBy(() -> JournalHarness.entries(bad))
          .as("file %d", missing)
          .isInstanceOf(CorruptJournalException.class);
    }
    SimulatedDisk empty = new SimulatedDisk(0);
    assertThatThrownBy(() -> new JournalHarness(empty).recover(5, 5, RecoveryMode.STRICT))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining("missing");
  }

  /** A6: a snapshot can tell that the journal is short of what was forced. */
  @Test
  void aJournalThatEndsBeforeTheSnapshotIsCorruption() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("one");
    harness.appendForced("two");
    SimulatedDisk bad = disk.copy();
    bad.flip(file(1), FIRST_BATCH + JournalFormat.BLOCK + 65);
    assertThatThrownBy(() -> new JournalHarness(bad).recover(0, 2, RecoveryMode.STRICT))
        .isInstanceOf(CorruptJournalException.class)
        .hasMessageContaining("snapshot");
    JournalHarness unknowing = new JournalHarness(bad);
    unknowing.recover(0, 1, RecoveryMode.STRICT);
    assertThat(unknowing.recovered).containsExactly("one");
  }

  @Test
  void entriesBelowTheSnapshotAreNotHandedOutAgain() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    List<String> all = fill(harness, 3);
    for (int after = 0; after <= all.size(); after++) {
      JournalHarness again = new JournalHarness(disk.copy());
      again.recover(after, after, RecoveryMode.STRICT);
      assertThat(again.recovered).isEqualTo(all.subList(after, all.size()));
      assertThat(again.tail.lastIndex()).isEqualTo(all.size());
    }
  }

  @Test
  void freedFilesAreGoneAndTheRestIsReadable() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    List<String> all = fill(harness, 12);
    harness.journal.free(all.size());
    harness.runAll();
    assertThat(harness.journal.retainedFiles()).hasSize(1);
    assertThat(disk.list("journal").size()).as("bounded").isLessThanOrEqualTo(1 + 1 + 4);
    harness.appendForced("tail");
    JournalHarness again = new JournalHarness(disk.afterPowerCut());
    again.recover(all.size(), all.size(), RecoveryMode.STRICT);
    assertThat(again.recovered).containsExactly("tail");
  }

  @Test
  void foreignFilesInTheJournalDirectoryAreLeftAlone() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("one");
    disk.plant("journal/notes.txt", new byte[] {1, 2, 3});
    disk.plant("journal/0000000009.journal.unfinished", new byte[10]);
    JournalHarness again = JournalHarness.start(disk.afterPowerCut());
    assertThat(again.recovered).containsExactly("one");
    assertThat(again.disk.exists("journal/notes.txt")).isTrue();
    assertThat(again.disk.exists("journal/0000000009.journal.unfinished")).isFalse();
    assertThat(again.tail.reports()).anyMatch(report -> report.contains("notes.txt"));
  }

  @Test
  void aFileOfALaterFormatLevelStopsTheStart() throws IOException {
    JournalHarness harness = JournalHarness.start(disk);
    harness.appendForced("one");
    byte[] bytes = disk.contents(file(1));
    java.nio.ByteBuffer header = java.nio.ByteBuffer.wrap(bytes);
    header.putInt(4, 99);
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(bytes, 0, 28);
    header.putInt(28, (int) crc.getValue());
    disk.plant(file(1), bytes);
    assertThatThrownBy(() -> JournalHarness.entries(disk))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("level 99");
  }

  /** Forced entries until that many files are in use. */
  private static List<String> fill(JournalHarness harness, int files) throws IOException {
    List<String> entries = new ArrayList<>();
    while (harness.journal.stats().files() < files || entries.size() < 5) {
      entries.add("entry " + entries.size() + " " + "z".repeat(entries.size() % 3 * 3000));
      harness.appendForced(entries.get(entries.size() - 1));
    }
    assertThat(harness.forced).isEqualTo(entries.size());
    return entries;
  }
}
