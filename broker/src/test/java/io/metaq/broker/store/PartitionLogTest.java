package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.store.SimulatedDisk.Call;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionLogTest {
  private final SimulatedDisk disk = new SimulatedDisk(3);

  @Test
  void theBytesAreMetaQsOwn() throws IOException {
    LogHarness harness = new LogHarness(disk);
    byte[] first =
        HexFormat.of()
            .parseHex("0000000d4b62e51cb41a763492800000000000010000000461747472" + "68656c6c6f");
    byte[] second = HexFormat.of().parseHex("000000024054072fb41a76349c800000000000006d31");
    harness.log.roll(0, 0);
    harness.log.append(0, 0, 1, List.of(ByteBuffer.wrap(first), ByteBuffer.wrap(second)));

    byte[] file = disk.contents("partitions/orders-0/00000000000000000000.meta");

    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(first);
    both.write(second);
    assertThat(file).isEqualTo(both.toByteArray());
    assertThat(harness.log.read(0, 10, 1000).records()).hasSize(2);
  }

  @Test
  void recordsComeBackFromAnyPlaceOverManySegments() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 2000, 50_000);
    assertThat(harness.log.state().segments()).hasSizeGreaterThan(4);
    for (int from = 0; from <= 2000; from += 97) {
      assertThat(harness.readFrom(from).bodies()).isEqualTo(LogHarness.bodies(from, 2000));
    }
    assertThat(harness.readAll().dead()).isEmpty();
    assertThat(harness.logs.openFiles()).isLessThanOrEqualTo(8);
  }

  @Test
  void aReadKeepsToItsLimitsButAlwaysBringsOneRecord() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.log.roll(0, 0);
    ByteBuffer large = LogHarness.record(1, "L".repeat(300_000));
    harness.log.append(0, 0, 1, List.of(LogHarness.record(0), large, LogHarness.record(2)));

    assertThat(harness.log.read(0, 10, 1000).records()).hasSize(1);
    assertThat(harness.log.read(1, 10, 1000).records()).hasSize(1);
    assertThat(harness.log.read(1, 10, 1000).records().get(0).bytes().remaining())
        .isEqualTo(300_020);
    assertThat(harness.log.read(0, 2, 1 << 20).records()).hasSize(2);
    assertThat(harness.log.read(0, 9, 1 << 20).records()).hasSize(3);
    assertThat(harness.log.read(3, 9, 1 << 20).records()).isEmpty();
  }

  @Test
  void oneRecordIsReadWithoutTheRestOfItsSegment() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 20_000, 4 << 20);
    long before = disk.bytesRead();
    assertThat(harness.log.read(5_000, 1, Integer.MAX_VALUE).records()).hasSize(1);
    assertThat(disk.bytesRead() - before).isLessThan(64 << 10);
    before = disk.bytesRead();
    assertThat(harness.log.read(0, 20_000, Integer.MAX_VALUE).records()).hasSize(20_000);
    assertThat(disk.bytesRead() - before).isLessThan(2 * harness.log.endOffset());
  }

  @Test
  void offsetsSequencesAndTimesLeadToOneAnother() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 3000, 100_000);
    for (int seq = 0; seq < 3000; seq += 131) {
      long offset = harness.log.offsetOf(seq);
      LogRecord record = harness.log.read(seq, 1, 1).records().get(0);
      assertThat(record.offset()).isEqualTo(offset);
      assertThat(harness.log.seqAt(offset)).isEqualTo(seq);
      assertThat(harness.log.seqAt(offset + 1)).isEqualTo(seq + 1);
      long byTime = harness.log.seqAtTime(1_000_000 + seq * 10L);
      assertThat(byTime).isLessThanOrEqualTo(seq);
      assertThat(seq - byTime).as("close").isLessThan(400);
    }
    assertThat(harness.log.offsetOf(3000)).isEqualTo(harness.log.endOffset());
    assertThat(harness.log.seqAt(harness.log.endOffset())).isEqualTo(3000);
  }

  @Test
  void theIndexIsMadeAgainWhenItIsMissingOrDamaged() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 3000, 150_000);
    LogState state = harness.log.state();
    String index = "partitions/orders-0/00000000000000000000.index";
    byte[] healthy = disk.contents(index);
    for (int damage = 0; damage < 4; damage++) {
      SimulatedDisk hurt = disk.copy();
      switch (damage) {
        case 0 -> hurt.delete(index);
        case 1 -> hurt.flip(index, 9);
        case 2 -> hurt.flip(index, SegmentIndex.HEADER + SegmentIndex.MARK * 2 + 3);
        default -> hurt.plant(index, java.util.Arrays.copyOf(healthy, healthy.length - 50));
      }
      LogHarness again = new LogHarness(hurt, state);
      assertThat(again.readFrom(700).bodies())
          .as("damage %d", damage)
          .isEqualTo(LogHarness.bodies(700, 3000));
      assertThat(hurt.contents(index)).hasSameSizeAs(healthy);
      again.append(3000, 3100, 150_000);
      assertThat(again.readFrom(2900).bodies()).isEqualTo(LogHarness.bodies(2900, 3100));
    }
  }

  /**
   * S2 for a segment: whatever was cut, the replay puts it back, and nothing appended later is
   * lost.
   */
  @Test
  void aTailCutAtEveryByteIsPutBackByTheReplay() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 3, 10_000);
    LogState snapshot = harness.log.state();
    harness.append(3, 5, 10_000);
    String segment = "partitions/orders-0/00000000000000000000.meta";
    byte[] whole = disk.contents(segment);
    for (int cut = (int) snapshot.endOffset(); cut <= whole.length; cut++) {
      SimulatedDisk torn = disk.copy();
      torn.plant(segment, java.util.Arrays.copyOf(whole, cut));
      LogHarness again = new LogHarness(torn, snapshot);
      again.append(3, 5, 10_000);
      again.log.cutToEnd();
      again.append(5, 8, 10_000);
      again.log.force();

      LogHarness last = new LogHarness(torn.afterPowerCut(), again.log.state());
      assertThat(last.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 8));
      assertThat(java.util.Arrays.copyOf(torn.contents(segment), whole.length)).isEqualTo(whole);
    }
  }

  /**
   * S11: the segment borders are in the entries, so a replay under another configuration makes the
   * same files.
   */
  @Test
  void aReplayWritesTheSameBytesAtTheSamePlaces() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 500, 20_000);
    LogState state = harness.log.state();
    LogHarness replay = new LogHarness(new SimulatedDisk(9));
    int next = 0;
    for (LogState.SegmentStart segment : state.segments()) {
      while (next < segment.firstSeq()) {
        replay.log.append(next, replay.log.endOffset(), 1, List.of(LogHarness.record(next)));
        next++;
      }
      replay.log.roll(segment.firstSeq(), segment.offset());
    }
    while (next < 500) {
      replay.log.append(next, replay.log.endOffset(), 1, List.of(LogHarness.record(next)));
      next++;
    }
    for (String name : disk.list("partitions/orders-0")) {
      if (name.endsWith(".meta")) {
        assertThat(replay.disk.contents("partitions/orders-0/" + name))
            .isEqualTo(disk.contents("partitions/orders-0/" + name));
      }
    }
    // Replaying once more over the finished log changes nothing either.
    replay.log.roll(state.segments().get(1).firstSeq(), state.segments().get(1).offset());
    replay.log.append(0, 0, 1, List.of(LogHarness.record(0)));
    assertThat(replay.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 500));
    assertThat(replay.log.nextSeq()).isEqualTo(500);
  }

  @Test
  void whatStandsBehindTheRecoveredEndIsCutAndReported() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 100, 3_000);
    LogState all = harness.log.state();
    LogState shorter =
        new LogState(all.segments().subList(0, 2), 30, harness.log.offsetOf(30), 0, 0, List.of());
    assertThat(shorter.segments().get(1).firstSeq()).isLessThan(30);
    LogHarness again = new LogHarness(disk.afterKill(), shorter);

    List<String> reports = again.log.cutToEnd();

    assertThat(reports).isNotEmpty();
    assertThat(again.disk.list("partitions/orders-0").stream().filter(n -> n.endsWith(".meta")))
        .hasSize(2);
    again.append(30, 60, 3_000);
    assertThat(again.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 60));
  }

  @Test
  void aRecordIsRefusedWhereItDoesNotBelong() throws IOException {
    LogHarness harness = new LogHarness(disk);
    assertThatThrownBy(() -> harness.log.append(0, 0, 1, List.of(LogHarness.record(0))))
        .isInstanceOf(IllegalArgumentException.class);
    harness.append(0, 3, 10_000);
    assertThatThrownBy(
            () ->
                harness.log.append(
                    3, harness.log.endOffset() + 1, 1, List.of(LogHarness.record(3))))
        .hasMessageContaining("orders");
    assertThatThrownBy(
            () -> harness.log.append(4, harness.log.endOffset(), 1, List.of(LogHarness.record(4))))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> harness.log.roll(3, harness.log.endOffset() + 7))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** M7 */
  @Test
  void aFailedWriteFailsThatAppendAndTheNextOneWorks() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 3, 10_000);
    disk.before(
        (call, path) -> {
          if (call == Call.WRITE && path.endsWith(".meta")) {
            throw new IOException("injected");
          }
        });
    assertThatThrownBy(() -> harness.append(3, 4, 10_000)).isInstanceOf(IOException.class);
    assertThat(harness.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 3));
    disk.before((call, path) -> {});

    harness.append(3, 6, 10_000);

    assertThat(harness.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 6));
  }

  @Test
  void afterAFailedForceTheRecordsMustBeWrittenAgainBeforeItCanSucceed() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 3, 10_000);
    harness.log.force();
    long forced = harness.log.endOffset();
    harness.append(3, 6, 10_000);
    disk.before(
        (call, path) -> {
          if (call == Call.FORCE) {
            throw new IOException("injected");
          }
        });
    assertThatThrownBy(() -> harness.log.force()).isInstanceOf(IOException.class);
    disk.before((call, path) -> {});

    assertThat(harness.log.repairNeeded()).contains(forced);
    assertThatThrownBy(() -> harness.log.force()).hasMessageContaining("written again");
    assertThat(harness.log.forcedSeq()).isEqualTo(3);
    long at = forced;
    for (int seq = 3; seq < 6; seq++) {
      harness.log.append(seq, at, 1, List.of(LogHarness.record(seq)));
      at += LogHarness.record(seq).remaining();
    }
    harness.log.force();

    assertThat(harness.log.repairNeeded()).isEmpty();
    LogHarness again = new LogHarness(disk.afterPowerCut(), harness.log.state());
    assertThat(again.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 6));
  }

  @Test
  void aForceCoversEverySegmentAndTheirNames() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 200, 2_000);
    harness.log.force();
    for (int i = 0; i < 20; i++) {
      LogHarness again = new LogHarness(disk.afterPowerCut(), harness.log.state());
      assertThat(again.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 200));
    }
  }

  @Test
  void wholeSegmentsBelowASequenceAreGivenBack() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 400, 5_000);
    List<LogState.SegmentStart> before = harness.log.state().segments();

    long freed = harness.log.dropBefore(before.get(2).firstSeq() + 1);

    assertThat(freed).isPositive();
    assertThat(harness.log.firstSeq()).isEqualTo(before.get(2).firstSeq());
    assertThat(harness.readAll().bodies())
        .isEqualTo(LogHarness.bodies((int) harness.log.firstSeq(), 400));
    assertThat(harness.log.read(0, 1, 1).nextSeq()).isEqualTo(harness.log.firstSeq());
    harness.log.dropBefore(Long.MAX_VALUE);
    assertThat(harness.log.state().segments()).hasSize(1);
    harness.log.clear();
    assertThat(disk.list("partitions/orders-0")).isEmpty();
    harness.append(400, 410, 5_000);
    assertThat(harness.readAll().bodies()).isEqualTo(LogHarness.bodies(400, 410));
  }

  /** A power cut brings back the name of the first of two segments that were given back. */
  @Test
  void segmentsBeforeAMissingOneWereGivenBackToo() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 400, 5_000);
    harness.log.force();
    LogState snapshot = harness.log.state();
    Segment second = segment(snapshot, 1);
    disk.delete(second.path());
    disk.delete(second.indexPath());

    LogHarness again = new LogHarness(disk, snapshot);

    assertThat(again.log.forgetGivenBack()).isTrue();
    assertThat(again.log.firstSeq()).isEqualTo(segment(snapshot, 2).firstSeq());
    assertThat(again.log.hasSegmentFor(second.firstSeq())).isFalse();
    assertThat(again.readAll().bodies())
        .isEqualTo(LogHarness.bodies((int) again.log.firstSeq(), 400));
    again.log.cutToEnd();
    assertThat(disk.exists(segment(snapshot, 0).path())).isFalse();
  }

  /** A power cut takes a segment that the snapshot names and no force covered. */
  @Test
  void aSegmentWhoseNameWasNeverDurableIsMadeAgainByTheReplay() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 100, 5_000);
    harness.log.force();
    harness.append(100, 200, 5_000);
    LogState snapshot = harness.log.state();
    SimulatedDisk left = disk.copy();
    for (int i = 0; i < snapshot.segments().size(); i++) {
      if (segment(snapshot, i).offset() >= snapshot.forcedOffset()) {
        left.delete(segment(snapshot, i).path());
        left.delete(segment(snapshot, i).indexPath());
      }
    }

    LogHarness again = new LogHarness(left, snapshot);
    assertThat(again.log.forgetGivenBack()).as("what the journal still holds").isFalse();
    for (int seq = 100; seq < 200; seq++) {
      ByteBuffer record = LogHarness.record(seq);
      again.log.append(seq, harness.log.offsetOf(seq), 1, List.of(record));
    }
    again.log.cutToEnd();
    again.log.force();

    LogHarness last = new LogHarness(left.afterPowerCut(), again.log.state());
    assertThat(last.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 200));
  }

  private static Segment segment(LogState state, int number) {
    LogState.SegmentStart start = state.segments().get(number);
    return new Segment("partitions/orders-0", start.offset(), start.firstSeq());
  }

  /** S12 for a log: offsets and sequences that somebody kept never name a record of later. */
  @Test
  void aLogBegunAgainNamesNoRecordAsItNamedOneBefore() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 100, 3_000);
    long kept = harness.log.offsetOf(50);
    harness.log.clear();
    harness.append(100, 160, 3_000);
    harness.log.force();

    assertBegunAgain(harness, kept);
    assertBegunAgain(new LogHarness(disk.afterPowerCut(), harness.log.state()), kept);
  }

  private static void assertBegunAgain(LogHarness harness, long kept) throws IOException {
    assertThat(harness.log.read(50, 10, 10_000).records()).isEmpty();
    assertThat(harness.log.read(50, 10, 10_000).nextSeq()).isEqualTo(100);
    assertThat(harness.log.seqAt(kept)).isEqualTo(100);
    assertThat(harness.log.offsetOf(100)).isGreaterThan(kept);
    assertThat(harness.readAll().bodies()).isEqualTo(LogHarness.bodies(100, 160));
  }

  /** A2 at the level of the log: a read that fails once harms nothing. */
  @Test
  void aReadThatFailsOnceCanBeRepeated() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 50, 5_000);
    disk.before(
        (call, path) -> {
          if (call == Call.READ) {
            throw new IOException("injected");
          }
        });
    assertThatThrownBy(() -> harness.log.read(10, 5, 5000)).hasMessage("injected");
    disk.before((call, path) -> {});
    assertThat(harness.readFrom(10).bodies()).isEqualTo(LogHarness.bodies(10, 50));
  }

  /** S9 */
  @Test
  void aFullDiskRefusesRecordsAndGoesOnWhenSpaceIsBack() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 20, 100_000);
    disk.capacity(
        disk.contents("partitions/orders-0/00000000000000000000.meta").length + 1024 + 24);
    assertThatThrownBy(() -> harness.append(20, 21, 100_000)).hasMessageContaining("No space");
    assertThat(harness.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 20));
    disk.capacity(Long.MAX_VALUE);
    harness.append(20, 40, 100_000);
    assertThat(harness.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 40));
  }

  @Test
  void tenThousandLogsCostLittleMemoryAndFewOpenFiles() throws IOException {
    PartitionLogs logs = new PartitionLogs(disk, 64);
    PartitionLog[] all = new PartitionLog[10_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = logs.open(new LogName("queue" + i, 0), LogState.empty(0, 0));
      if (i % 100 == 0) {
        all[i].roll(0, 0);
        all[i].append(0, 0, 1, List.of(LogHarness.record(0)));
      }
    }
    assertThat(logs.openFiles()).isLessThanOrEqualTo(64);
    assertThat(all[100].read(0, 1, 100).records()).hasSize(1);
  }
}
