package io.metaq.broker.store;

import io.metaq.wire.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records as MetaQ writes them, and a partition log to put them into. */
final class LogHarness {
  static final LogName NAME = new LogName("orders", 0);

  final SimulatedDisk disk;
  final PartitionLogs logs;
  PartitionLog log;

  LogHarness(SimulatedDisk disk) throws IOException {
    this(disk, LogState.empty(0, 0));
  }

  LogHarness(SimulatedDisk disk, LogState state) throws IOException {
    this.disk = disk;
    logs = new PartitionLogs(disk, 8);
    log = logs.open(NAME, state);
  }

  /** A MetaQ message without attribute. */
  static ByteBuffer record(long messageId, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    ByteBuffer record = ByteBuffer.allocate(RecordFormat.HEADER_SIZE + bytes.length);
    record.putInt(bytes.length).putInt(RecordFormat.bodyChecksum(ByteBuffer.wrap(bytes)));
    record.putLong(messageId).putInt(0).put(bytes);
    return record.flip();
  }

  static String body(int seq) {
    return "message " + seq + " " + "b".repeat(seq * 37 % 211);
  }

  static ByteBuffer record(int seq) {
    return record(1000 + seq, body(seq));
  }

  /**
   * Appends records {@code [from, to)} one by one, with a new segment whenever the current one
   * holds that many bytes.
   */
  void append(int from, int to, long segmentBytes) throws IOException {
    for (int seq = from; seq < to; seq++) {
      long end = log.endOffset();
      List<LogState.SegmentStart> segments = log.state().segments();
      if (segments.isEmpty() || end - segments.get(segments.size() - 1).offset() >= segmentBytes) {
        log.roll(seq, end);
      }
      log.append(seq, end, 1_000_000 + seq * 10L, List.of(record(seq)));
    }
  }

  /** Everything that can be read, with dead ranges. */
  record Found(List<String> bodies, List<Long> seqs, List<DeadRange> dead) {}

  Found readAll() throws IOException {
    return readFrom(log.firstSeq());
  }

  Found readFrom(long from) throws IOException {
    Found found = new Found(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    long seq = from;
    while (seq < log.nextSeq()) {
      LogReadResult result = log.read(seq, 7, 1500);
      for (LogRecord record : result.records()) {
        found.bodies.add(
            StandardCharsets.UTF_8.decode(RecordFormat.body(record.bytes())).toString());
        found.seqs.add(record.seq());
      }
      Optional<DeadRange> dead = result.dead();
      dead.ifPresent(found.dead::add);
      if (result.nextSeq() <= seq) {
        throw new AssertionError("read does not advance at " + seq);
      }
      seq = result.nextSeq();
    }
    return found;
  }

  static List<String> bodies(int from, int to) {
    List<String> bodies = new ArrayList<>();
    for (int seq = from; seq < to; seq++) {
      bodies.add(body(seq));
    }
    return bodies;
  }
}
