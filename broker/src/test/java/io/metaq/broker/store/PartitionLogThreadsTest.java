package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Readers beside a writer that rolls, forces and gives segments back, with fewer open files than
 * segments.
 */
class PartitionLogThreadsTest {
  private static final int RECORDS = 8000;

  @TempDir private Path temp;

  @Test
  void readersSeeEveryRecordOnceWhileTheLogGrowsAndShrinks() throws Exception {
    try (PartitionLogs logs = new PartitionLogs(new FileDisk(temp), 3)) {
      PartitionLog log = logs.open(LogHarness.NAME, LogState.empty(0, 0));
      AtomicBoolean done = new AtomicBoolean();
      ExecutorService threads = Executors.newFixedThreadPool(2);
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        readers.add(threads.submit(() -> readToTheEnd(log, done)));
      }
      write(log);
      done.set(true);
      for (Future<Long> reader : readers) {
        assertThat(reader.get(60, TimeUnit.SECONDS)).isPositive();
      }
      threads.shutdown();
      assertThat(logs.openFiles()).isLessThanOrEqualTo(3);
    }
  }

  private static void write(PartitionLog log) throws IOException {
    long segment = 0;
    for (int seq = 0; seq < RECORDS; ) {
      long end = log.endOffset();
      if (seq == 0 || end - segment > 60_000) {
        log.roll(seq, end);
        segment = end;
        log.force();
        log.dropBefore(Math.max(0, seq - 3000));
      }
      List<java.nio.ByteBuffer> records = new ArrayList<>();
      int count = Math.min(RECORDS - seq, 1 + seq % 7);
      for (int i = 0; i < count; i++) {
        records.add(LogHarness.record(seq + i));
      }
      log.append(seq, end, 1000 + seq, records);
      seq += count;
    }
  }

  private static long readToTheEnd(PartitionLog log, AtomicBoolean done) throws IOException {
    long count = 0;
    long seq = 0;
    while (true) {
      boolean last = done.get();
      LogReadResult read = log.read(seq, 100, 20_000);
      assertThat(read.dead()).isEmpty();
      for (LogRecord record : read.records()) {
        assertThat(record.bytes()).isEqualTo(LogHarness.record((int) record.seq()));
        count++;
      }
      if (read.nextSeq() == seq && last) {
        assertThat(seq).isEqualTo(RECORDS);
        return count;
      }
      seq = read.nextSeq();
    }
  }
}
