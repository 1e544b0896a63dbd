package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SnapshotStoreTest {
  private final SimulatedDisk disk = new SimulatedDisk(11);

  private static SnapshotStore.Loaded load(SimulatedDisk disk, Map<Long, String> into)
      throws IOException {
    return new SnapshotStore(disk)
        .load((key, payload) -> into.put(key, JournalHarness.text(payload)));
  }

  private static void write(SnapshotStore store, long index, String prefix) throws IOException {
    SnapshotWriter writer = store.begin();
    for (long key = 1; key <= 5; key++) {
      writer.section(key, index, JournalHarness.bytes(prefix + key));
    }
    writer.commit(index, index);
  }

  private static Map<Long, String> objects(String prefix) {
    Map<Long, String> objects = new TreeMap<>();
    for (long key = 1; key <= 5; key++) {
      objects.put(key, prefix + key);
    }
    return objects;
  }

  @Test
  void anEmptyDirectoryHasNoSnapshot() throws IOException {
    SnapshotStore.Loaded loaded = load(disk, new TreeMap<>());
    assertThat(loaded.number()).isZero();
    assertThat(loaded.replayAfter()).isZero();
  }

  @Test
  void theNewestSnapshotIsLoadedAndTwoAreKept() throws IOException {
    SnapshotStore store = new SnapshotStore(disk);
    for (int i = 1; i <= 4; i++) {
      write(store, i * 100, "v" + i + "-");
    }
    Map<Long, String> found = new TreeMap<>();
    SimulatedDisk next = disk.afterPowerCut();
    SnapshotStore.Loaded loaded = load(next, found);
    assertThat(found).isEqualTo(objects("v4-"));
    assertThat(loaded.replayAfter()).isEqualTo(400);
    assertThat(loaded.oldestReplayAfter())
        .as("the journal is kept for the former one")
        .isEqualTo(300);
    assertThat(next.list(SnapshotStore.DIRECTORY)).hasSize(2);
  }

  @Test
  void aDamagedSnapshotGivesWayToTheOneBeforeWhateverByteIsBad() throws IOException {
    SnapshotStore store = new SnapshotStore(disk);
    write(store, 100, "old-");
    write(store, 200, "new-");
    String newest = SnapshotStore.DIRECTORY + "/" + SnapshotFormat.fileName(2);
    int size = disk.contents(newest).length;
    for (int at = 0; at < size; at++) {
      SimulatedDisk bad = disk.copy();
      bad.flip(newest, at);
      Map<Long, String> found = new TreeMap<>();
      SnapshotStore.Loaded loaded = load(bad, found);
      assertThat(found).as("byte %d", at).isEqualTo(objects("old-"));
      assertThat(loaded.replayAfter()).isEqualTo(100);
      assertThat(loaded.reports()).anyMatch(report -> report.contains("damaged"));
    }
    for (int cut = 0; cut < size; cut++) {
      SimulatedDisk bad = disk.copy();
      bad.plant(newest, java.util.Arrays.copyOf(disk.contents(newest), cut));
      Map<Long, String> found = new TreeMap<>();
      load(bad, found);
      assertThat(found).as("cut at %d", cut).isEqualTo(objects("old-"));
    }
  }

  @Test
  void theSnapshotAfterADamagedOneGetsANewNumberAndEverythingAnew() throws IOException {
    SnapshotStore store = new SnapshotStore(disk);
    write(store, 100, "old-");
    write(store, 200, "new-");
    disk.flip(SnapshotStore.DIRECTORY + "/" + SnapshotFormat.fileName(2), 50);
    SnapshotStore again = new SnapshotStore(disk);
    again.load((key, payload) -> {});
    SnapshotWriter writer = again.begin();
    assertThat(writer.carryOver(1)).isFalse();
    writer.section(1, 300, JournalHarness.bytes("fresh"));
    writer.commit(300, 300);
    Map<Long, String> found = new TreeMap<>();
    assertThat(load(disk, found).number()).isEqualTo(3);
    assertThat(found).containsExactly(Map.entry(1L, "fresh"));
  }

  @Test
  void noIntactSnapshotStopsTheStart() throws IOException {
    SnapshotStore store = new SnapshotStore(disk);
    write(store, 100, "old-");
    disk.flip(SnapshotStore.DIRECTORY + "/" + SnapshotFormat.fileName(1), 50);
    assertThatThrownBy(() -> load(disk, new TreeMap<>()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("No snapshot")
        .hasMessageContaining("backup");
  }

  /** A6 */
  @Test
  void aSnapshotNeverHoldsWhatTheJournalMayStillLose() throws IOException {
    SnapshotStore store = new SnapshotStore(disk);
    SnapshotWriter writer = store.begin();
    writer.section(1, 7, JournalHarness.bytes("reflects 7"));
    assertThat(writer.highestReflected()).isEqualTo(7);
    assertThatThrownBy(() -> writer.commit(5, 6))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("entry 7")
        .hasMessageContaining("only 6");
    assertThat(load(disk, new TreeMap<>()).number()).isZero();

    writer.commit(5, 7);

    SnapshotStore.Loaded loaded = load(disk, new TreeMap<>());
    assertThat(loaded.replayAfter()).isEqualTo(5);
    assertThat(loaded.highestReflected()).isEqualTo(7);
  }

  @Test
  void unchangedObjectsAreCarriedOverUnlessTheirBytesWentBad() throws IOException {
    SnapshotStore store = new SnapshotStore(disk);
    write(store, 100, "a");
    SnapshotWriter writer = store.begin();
    for (long key = 1; key <= 4; key++) {
      assertThat(writer.carryOver(key)).isTrue();
    }
    assertThat(writer.carryOver(99)).isFalse();
    writer.section(5, 150, JournalHarness.bytes("changed"));
    writer.commit(150, 150);
    Map<Long, String> found = new TreeMap<>();
    load(disk, found);
    Map<Long, String> expected = objects("a");
    expected.put(5L, "changed");
    assertThat(found).isEqualTo(expected);

    disk.flip(
        SnapshotStore.DIRECTORY + "/" + SnapshotFormat.fileName(2), SnapshotFormat.HEADER + 17);
    assertThat(store.begin().carryOver(1)).isFalse();
  }

  /** A power cut at each step leaves the former snapshot or the new one. */
  @Test
  void aPowerCutAtAnyStepLeavesAWholeSnapshot() throws IOException {
    for (long k = 1; k < 40; k++) {
      SimulatedDisk one = new SimulatedDisk(k);
      SnapshotStore store = new SnapshotStore(one);
      write(store, 100, "old-");
      write(store, 200, "mid-");
      long before = one.operations();
      one.crashAtOperation(before + k);
      boolean complete = false;
      try {
        write(store, 300, "new-");
        complete = true;
      } catch (SimulatedDisk.Crash e) {
        assertThat(one.isCrashed()).isTrue();
      }
      Map<Long, String> found = new TreeMap<>();
      load(one.afterPowerCut(), found);
      assertThat(found.get(1L))
          .isIn(complete ? java.util.List.of("new-1") : java.util.List.of("mid-1", "new-1"));
      assertThat(found).isEqualTo(objects(found.get(1L).substring(0, 4)));
    }
  }

  @Test
  void anUnfinishedSnapshotIsNoSnapshot() throws IOException {
    SnapshotStore store = new SnapshotStore(disk);
    write(store, 100, "a");
    SnapshotWriter abandoned = store.begin();
    abandoned.section(1, 100, JournalHarness.bytes("half"));
    SnapshotStore again = new SnapshotStore(disk.afterKill());
    Map<Long, String> found = new TreeMap<>();
    again.load((key, payload) -> found.put(key, JournalHarness.text(payload)));
    assertThat(found).isEqualTo(objects("a"));
    write(again, 200, "b");
  }
}
