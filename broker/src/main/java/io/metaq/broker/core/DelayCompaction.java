package io.metaq.broker.core;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Keeps the logs of delayed messages small. A log can give back only what stands before its first
 * waiting message, which may not be due for years; where most of a log has long been due, the first
 * ones that wait are written again at its end. So a log holds at most about four messages for each
 * that waits, beyond two segments.
 */
final class DelayCompaction {
  private static final int MOST = 64;
  private static final int SPARSE = 4;

  private final Reads reads;
  private final Moment moment;
  private final Set<Long> reading = new HashSet<>();
  private Recorder recorder;

  DelayCompaction(Reads reads, Moment moment) {
    this.reads = reads;
    this.moment = moment;
  }

  void connect(Recorder entries) {
    this.recorder = entries;
  }

  /** Moves what waits at the beginning of a log, if the log is sparse; called now and then. */
  void run(Destination destination) {
    Partition log = destination.delayed;
    if (destination.deleted
        || log.bytes() <= 2 * destination.settings.segmentSize()
        || log.next - destination.delays.lowest(log.next) <= SPARSE * destination.delays.size()) {
      return;
    }
    long[] first = destination.delays.first(MOST, far());
    if (first.length > 0 && reading.add(destination.id)) {
      reads.start(
          token ->
              new ReadRequest(
                  token,
                  destination.id,
                  Partition.DELAYED,
                  first[0],
                  first[first.length - 1] + 1,
                  first,
                  null,
                  MOST,
                  1 << 20,
                  Integer.MAX_VALUE),
          result -> {
            reading.remove(destination.id);
            if (!destination.deleted) {
              move(destination, first, result);
            }
          });
    }
  }

  /** Hours from here on are not looked at one by one yet, see {@link DelayedMessages}. */
  private long far() {
    return DelayIndex.hour(moment.now()) + 2;
  }

  private void move(Destination destination, long[] first, ReadResult result) {
    long[] found = result.records().stream().mapToLong(ReadResult.Record::sequence).toArray();
    for (ReadResult.Record record : result.records()) {
      if (DelayIndex.hour(DelayedRecord.dueAt(record.bytes())) >= far()) {
        move(destination, record.sequence(), record.bytes());
      }
    }
    for (long sequence : first) {
      boolean isLost = sequence < result.scannedTo() && Arrays.binarySearch(found, sequence) < 0;
      if (isLost && destination.delays.contains(sequence)) {
        recorder.record(new Entry.Due(destination.id, sequence), false);
      }
    }
    if (found.length > 0) {
      run(destination);
    }
  }

  private void move(Destination destination, long sequence, ByteBuffer record) {
    if (!destination.delays.contains(sequence)) {
      return;
    }
    ByteBuffer same =
        DelayedRecord.wrap(
            DelayedRecord.inner(record),
            RecordView.messageId(record),
            DelayedRecord.dueAt(record),
            DelayedRecord.notFor(record));
    Entry.Appended again =
        new Placement().place(destination, destination.delayed, null, 0, 0, 0, same);
    recorder.record(
        new Entry.Group(List.of(again, new Entry.Due(destination.id, sequence))), false);
  }
}
