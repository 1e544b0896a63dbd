package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * I6: a damaged record is never delivered and never silently passed over; what is not damaged is
 * served.
 */
class PartitionLogDamageTest {
  private static final String SEGMENT = "partitions/orders-0/00000000000000000000.meta";
  private static final int RECORDS = 600;

  private final SimulatedDisk disk = new SimulatedDisk(5);

  /** S5: any single byte. */
  @Test
  void oneBadByteCostsOneRecord() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, RECORDS, 1 << 20);
    LogState state = harness.log.state();
    Random random = new Random(1);
    for (int i = 0; i < 150; i++) {
      SimulatedDisk bad = disk.copy();
      int at = random.nextInt((int) state.endOffset());
      bad.flip(SEGMENT, at);
      LogHarness again = new LogHarness(bad, state);
      long hit = harness.log.seqAt(at + 1) - 1;
      long inRecord = at - harness.log.offsetOf(hit);

      LogHarness.Found found = again.readAll();

      if (inRecord >= 8 && inRecord < 20) {
        // MetaQ's checksum does not cover message id and flag of its own messages.
        continue;
      }
      assertThat(found.dead()).as("byte %d of record %d", inRecord, hit).hasSize(1);
      assertThat(found.dead().get(0).fromSeq()).isEqualTo(hit);
      assertThat(found.dead().get(0).toSeq()).isEqualTo(hit + 1);
      List<String> expected = LogHarness.bodies(0, RECORDS);
      expected.remove((int) hit);
      assertThat(found.bodies()).isEqualTo(expected);
    }
  }

  @Test
  void overwrittenRangesCostWhatTheyHitAndNothingBogusIsDelivered() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, RECORDS, 1 << 20);
    LogState state = harness.log.state();
    byte[] whole = disk.contents(SEGMENT);
    Random random = new Random(2);
    for (int i = 0; i < 120; i++) {
      int from = random.nextInt(whole.length);
      int to = Math.min(whole.length, from + 1 + random.nextInt(5000));
      byte[] bytes = whole.clone();
      boolean zeros = random.nextBoolean();
      for (int at = from; at < to; at++) {
        bytes[at] = zeros ? 0 : (byte) random.nextInt();
      }
      SimulatedDisk bad = disk.copy();
      bad.plant(SEGMENT, bytes);
      LogHarness again = new LogHarness(bad, state);

      LogHarness.Found found = again.readAll();

      assertThatEverythingIsDeliveredOrReported(found);
      long lastHit = harness.log.seqAt(to) - 1;
      long firstHit = harness.log.seqAt(from + 1) - 1;
      for (DeadRange dead : found.dead()) {
        assertThat(dead.fromSeq()).isGreaterThanOrEqualTo(firstHit);
        assertThat(dead.toSeq()).as("bytes %d to %d", from, to).isLessThanOrEqualTo(lastHit + 1);
      }
    }
  }

  /** S13 */
  @Test
  void zerosAreNeverRecords() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 50, 1 << 20);
    LogState state = harness.log.state();
    byte[] whole = disk.contents(SEGMENT);
    long from = harness.log.offsetOf(40);
    byte[] zeroed = whole.clone();
    java.util.Arrays.fill(zeroed, (int) from, zeroed.length, (byte) 0);
    disk.plant(SEGMENT, zeroed);

    LogHarness.Found found = new LogHarness(disk, state).readAll();

    assertThat(found.bodies()).isEqualTo(LogHarness.bodies(0, 40));
    assertThat(found.dead()).containsExactly(new DeadRange(40, 50, from, whole.length));
  }

  @Test
  void anEmptyMessageOfMetaQIsARecord() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.log.roll(0, 0);
    harness.log.append(0, 0, 1, List.of(LogHarness.record(77, ""), LogHarness.record(78, "")));
    assertThat(harness.readAll().bodies()).containsExactly("", "");
  }

  @Test
  void aTornTailIsReportedAndNothingIsReadPastIt() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 10, 1 << 20);
    LogState state = harness.log.state();
    byte[] whole = disk.contents(SEGMENT);
    long lastAt = harness.log.offsetOf(9);
    for (int cut = (int) lastAt; cut < whole.length; cut++) {
      disk.plant(SEGMENT, java.util.Arrays.copyOf(whole, cut));
      LogHarness again = new LogHarness(disk, state);
      assertThat(again.readAll().bodies()).isEqualTo(LogHarness.bodies(0, 9));
      assertThat(again.readAll().dead()).hasSize(1);
      assertThat(again.log.cutToEnd()).anyMatch(report -> report.contains("too early"));
    }
  }

  @Test
  void aMissingSegmentIsReportedAndTheOthersAreServed() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 300, 10_000);
    LogState state = harness.log.state();
    LogState.SegmentStart second = state.segments().get(1);
    LogState.SegmentStart third = state.segments().get(2);
    disk.delete("partitions/orders-0/" + Segment.name(second.offset()) + ".meta");
    LogHarness again = new LogHarness(disk, state);

    LogHarness.Found found = again.readAll();

    List<String> expected = LogHarness.bodies(0, (int) second.firstSeq());
    expected.addAll(LogHarness.bodies((int) third.firstSeq(), 300));
    assertThat(found.bodies()).isEqualTo(expected);
    assertThat(found.dead())
        .containsExactly(
            new DeadRange(second.firstSeq(), third.firstSeq(), second.offset(), third.offset()));
    assertThat(again.log.cutToEnd()).anyMatch(report -> report.contains("missing"));
  }

  /** S5: a copy for analysis, and the range stays dead over a restart. */
  @Test
  void aDeadRangeIsKeptForAnalysisAndNeverReadAgain() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, 100, 1 << 20);
    long at = harness.log.offsetOf(42);
    byte[] before = disk.contents(SEGMENT);
    disk.flip(SEGMENT, at + 25);
    LogHarness again = new LogHarness(disk, harness.log.state());
    DeadRange dead = again.readAll().dead().get(0);

    assertThat(again.log.markDead(dead)).isPresent();
    assertThat(again.log.markDead(dead)).as("again").isPresent();

    byte[] copy = disk.contents("quarantine/partitions_orders-0_00000000000000000000.meta." + at);
    assertThat(copy).hasSize((int) (dead.toOffset() - dead.fromOffset()));
    assertThat(copy[0]).isEqualTo(before[(int) at]);
    assertThat(again.log.state().dead()).containsExactly(dead);
    LogHarness last = new LogHarness(disk, again.log.state());
    assertThat(last.readAll().dead()).containsExactly(dead);
    assertThat(last.readAll().bodies()).hasSize(99);
    assertThat(last.readFrom(43).dead()).isEmpty();
    assertThat(last.readFrom(43).bodies()).isEqualTo(LogHarness.bodies(43, 100));
  }

  @Test
  void theIndexIsMadeAgainAcrossAKnownDeadRange() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, RECORDS, 1 << 20);
    long at = harness.log.offsetOf(300);
    disk.flip(SEGMENT, at);
    LogHarness again = new LogHarness(disk, harness.log.state());
    DeadRange dead = again.readAll().dead().get(0);
    again.log.markDead(dead);
    LogState state = again.log.state();
    disk.delete(SEGMENT.replace(".meta", ".index"));

    LogHarness last = new LogHarness(disk, state);

    assertThat(last.readFrom(550).bodies()).isEqualTo(LogHarness.bodies(550, RECORDS));
    assertThat(last.readAll().dead()).containsExactly(dead);
  }

  @Test
  void damageWithoutAnIndexIsStillMeasuredFromTheEnd() throws IOException {
    LogHarness harness = new LogHarness(disk);
    harness.append(0, RECORDS, 1 << 20);
    LogState state = harness.log.state();
    disk.flip(SEGMENT, harness.log.offsetOf(17) + 1);
    disk.delete(SEGMENT.replace(".meta", ".index"));

    LogHarness.Found found = new LogHarness(disk, state).readAll();

    List<String> expected = LogHarness.bodies(0, RECORDS);
    expected.remove(17);
    assertThat(found.bodies()).isEqualTo(expected);
    assertThat(found.dead()).hasSize(1);
  }

  private static void assertThatEverythingIsDeliveredOrReported(LogHarness.Found found) {
    List<Long> covered = new ArrayList<>(found.seqs());
    for (DeadRange dead : found.dead()) {
      for (long seq = dead.fromSeq(); seq < dead.toSeq(); seq++) {
        covered.add(seq);
      }
    }
    covered.sort(Long::compare);
    assertThat(covered).hasSize(RECORDS).doesNotHaveDuplicates();
    for (int i = 0; i < found.seqs().size(); i++) {
      assertThat(found.bodies().get(i)).isEqualTo(LogHarness.body(found.seqs().get(i).intValue()));
    }
  }
}
