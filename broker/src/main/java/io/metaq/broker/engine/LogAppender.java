package io.metaq.broker.engine;

import io.metaq.broker.engine.LogTask.Clear;
import io.metaq.broker.engine.LogTask.Drop;
import io.metaq.broker.engine.LogTask.Write;
import io.metaq.broker.engine.LogWriter.Tally;
import io.metaq.broker.store.LogReadResult;
import io.metaq.broker.store.LogRecord;
import io.metaq.broker.store.PartitionLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what the journal asks of the partition logs. A log that cannot be written holds up only
 * itself: what is asked of it waits here, in order, until a retry succeeds; the others go on. Log
 * writer's thread only.
 */
final class LogAppender {
  private static final Logger LOG = LoggerFactory.getLogger(LogAppender.class);

  /** MetaQ's message ids count milliseconds from here, in their upper bits. */
  private static final long ID_EPOCH = 1303895660503L;

  private static final int REWRITE_BYTES = 1 << 20;
  private static final int ID_TIME_SHIFT = 22;
  private static final int ID_IN_RECORD = 8;

  private final Map<PartitionLog, ArrayDeque<LogTask>> failing = new IdentityHashMap<>();
  private final Map<PartitionLog, Long> unforced = new IdentityHashMap<>();
  private boolean replaying = true;

  /**
   * @param written next sequence of each log that grew
   * @param troubles why a log cannot be written; null when it can again
   * @param bytes of records that are done with
   */
  record Outcome(Map<LogId, Long> written, Map<LogId, String> troubles, long bytes) {
    boolean isEmpty() {
      return written.isEmpty() && troubles.isEmpty() && bytes == 0;
    }
  }

  /** The replay is over: from now on every task is new to its log. */
  void live() {
    replaying = false;
  }

  Outcome perform(List<LogTask> tasks) {
    Tally tally = new Tally();
    Map<PartitionLog, List<Write>> runs = new LinkedHashMap<>();
    for (LogTask task : tasks) {
      ArrayDeque<LogTask> held = failing.get(task.log());
      if (task instanceof Clear clear) {
        clear(clear, runs.remove(clear.log()), tally);
      } else if (held != null) {
        held.add(task);
        tally.gone(LogWriter.size(task));
      } else if (task instanceof Write write) {
        runs.computeIfAbsent(write.log(), log -> new ArrayList<>()).add(write);
      } else if (task instanceof Drop drop) {
        write(runs.remove(drop.log()), tally);
        drop(drop);
      }
    }
    runs.values().forEach(run -> write(run, tally));
    return tally.outcome();
  }

  /** Tries the logs that failed once more. */
  Outcome retry() {
    Tally tally = new Tally();
    Iterator<Map.Entry<PartitionLog, ArrayDeque<LogTask>>> logs = failing.entrySet().iterator();
    List<ArrayDeque<LogTask>> again = new ArrayList<>();
    while (logs.hasNext()) {
      again.add(logs.next().getValue());
      logs.remove();
    }
    for (ArrayDeque<LogTask> held : again) {
      LogId id = idOf(held);
      Outcome outcome = perform(List.copyOf(held));
      outcome.written().forEach((log, next) -> tally.written(log, next, 0));
      if (id != null) {
        tally.trouble(id, outcome.troubles().get(id));
      }
    }
    return tally.outcome();
  }

  /** The logs with records that are not forced, the one with the oldest first. */
  List<PartitionLog> unforced() {
    return unforced.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Makes a log durable; one that cannot be is written again from what can still be read of it, and
   * left for the next time.
   */
  void force(PartitionLog log) {
    try {
      if (log.repairNeeded().isPresent()) {
        rewrite(log);
      }
      log.force();
      unforced.remove(log);
    } catch (IOException e) {
      LOG.error(
          "cannot force partition {} of {}; the journal keeps its records: {}",
          log.name().partition(),
          log.name().name(),
          e.toString());
    }
  }

  /** After a failed force the system may hold pages that it will not write again by itself. */
  private static void rewrite(PartitionLog log) throws IOException {
    long end = log.nextSeq();
    for (long next = log.forcedSeq(); next < end; ) {
      LogReadResult read = log.read(next, Integer.MAX_VALUE, REWRITE_BYTES);
      if (read.records().isEmpty()) {
        throw new IOException(
            "record " + next + " can only be repaired from the journal, at a start");
      }
      LogRecord first = read.records().get(0);
      List<ByteBuffer> records = read.records().stream().map(LogRecord::bytes).toList();
      log.append(first.seq(), first.offset(), acceptedAt(first.bytes()), records);
      next = read.nextSeq();
    }
  }

  /** The oldest entry whose record is not durable in its partition log, as far as asked for. */
  OptionalLong oldestNeeded() {
    return LongStream.concat(
            failing.values().stream()
                .filter(held -> !held.isEmpty())
                .mapToLong(held -> held.peek().index()),
            unforced.values().stream().mapToLong(Long::longValue))
        .min();
  }

  private static LogId idOf(ArrayDeque<LogTask> held) {
    for (LogTask task : held) {
      if (task instanceof Write write) {
        return write.id();
      }
    }
    return null;
  }

  private void write(List<Write> run, Tally tally) {
    int from = 0;
    while (run != null && from < run.size()) {
      int to = from + 1;
      while (to < run.size() && !run.get(to).newSegment()) {
        to++;
      }
      try {
        writeInOneSegment(run.subList(from, to), tally);
      } catch (IOException e) {
        hold(run.subList(from, run.size()), e, tally);
        return;
      }
      from = to;
    }
  }

  private void writeInOneSegment(List<Write> run, Tally tally) throws IOException {
    PartitionLog log = run.get(0).log();
    if (!replaying) {
      append(log, run, tally);
      return;
    }
    try {
      append(log, stillNeeded(log, run), tally);
    } catch (NoSuchFileException e) {
      if (!log.forgetGivenBack()) {
        throw e;
      }
      append(log, stillNeeded(log, run), tally);
    }
  }

  /** A replay meets records whose segments were given back later. */
  private static List<Write> stillNeeded(PartitionLog log, List<Write> run) {
    boolean begins = run.get(0).newSegment() && run.get(0).sequence() >= log.nextSeq();
    return begins
        ? run
        : run.stream().filter(write -> log.hasSegmentFor(write.sequence())).toList();
  }

  private void append(PartitionLog log, List<Write> run, Tally tally) throws IOException {
    if (run.isEmpty()) {
      return;
    }
    Write first = run.get(0);
    if (first.newSegment()) {
      log.roll(first.sequence(), first.offset());
    }
    List<ByteBuffer> records = new ArrayList<>(run.size());
    long bytes = 0;
    for (Write write : run) {
      records.add(write.record());
      bytes += write.record().remaining();
    }
    unforced.putIfAbsent(log, first.index());
    log.append(first.sequence(), first.offset(), acceptedAt(first.record()), records);
    tally.written(first.id(), run.get(run.size() - 1).sequence() + 1, bytes);
  }

  private static long acceptedAt(ByteBuffer record) {
    return (record.getLong(record.position() + ID_IN_RECORD) >> ID_TIME_SHIFT) + ID_EPOCH;
  }

  private void hold(List<Write> writes, IOException why, Tally tally) {
    Write first = writes.get(0);
    LOG.error(
        "cannot write to partition {} of {}; its senders are refused until it succeeds again: {}",
        first.id().partition(),
        first.log().name().name(),
        why.toString());
    failing.put(first.log(), new ArrayDeque<>(writes));
    // What is held does not make others wait: its own senders are refused.
    writes.forEach(write -> tally.gone(LogWriter.size(write)));
    tally.trouble(first.id(), why.getMessage());
  }

  private void drop(Drop drop) {
    try {
      drop.log().dropBefore(drop.first());
    } catch (IOException e) {
      notDeleted(drop.log(), e);
    }
  }

  /** What was still to be written to a log that is deleted need not be written any more. */
  private void clear(Clear clear, List<Write> unwritten, Tally tally) {
    failing.remove(clear.log());
    unforced.remove(clear.log());
    if (unwritten != null) {
      unwritten.forEach(task -> tally.gone(LogWriter.size(task)));
    }
    try {
      clear.log().clear();
    } catch (IOException e) {
      notDeleted(clear.log(), e);
    }
  }

  /** Only space is lost: the next start finds what lies outside a log and removes it. */
  private static void notDeleted(PartitionLog log, IOException why) {
    LOG.warn("cannot delete segments of {}: {}", log.name().name(), why.toString());
  }
}
