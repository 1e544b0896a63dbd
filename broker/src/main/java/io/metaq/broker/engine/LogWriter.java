package io.metaq.broker.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Moves committed records from the journal into their partition logs, off the loop and in order.
 * The loop side, here, holds what is not committed yet and counts what is not written yet, so that
 * the engine can make senders wait when the disk cannot follow; {@link LogAppender} does the
 * writing.
 */
final class LogWriter {

  /** Hears what became of records, on the loop. */
  interface Listener {
    /** All records of the partition below the sequence can be read from its log. */
    void written(LogId log, long nextSequence);

    /** Records of this partition cannot be written at present, or, with null, can again. */
    void trouble(LogId log, String why);
  }

  /** Few records wait this long for more, so that a thread is not woken for each of them. */
  private static final long GATHER_MILLIS = 2;

  /** From so many bytes on there is nothing to wait for. */
  private static final long GATHER_BYTES = 256 * 1024;

  private final LogAppender appender;
  private final EngineThreads threads;
  private final Listener listener;
  private final ArrayDeque<LogTask> uncommitted = new ArrayDeque<>();
  private long unwrittenBytes;
  private long durable;
  private boolean gathering;

  LogWriter(LogAppender appender, EngineThreads threads, Listener listener) {
    this.appender = appender;
    this.threads = threads;
    this.listener = listener;
  }

  /** Queues a task; its entry has just been appended to the journal. */
  void add(LogTask task) {
    uncommitted.add(task);
    unwrittenBytes += size(task);
  }

  /** Bytes of records that are not yet in their logs. */
  long unwrittenBytes() {
    return unwrittenBytes;
  }

  /** The journal is durable up to an entry: what it demands may be done, and soon is. */
  void committed(long index) {
    durable = index;
    if (unwrittenBytes >= GATHER_BYTES) {
      handOver();
    } else if (!gathering && !uncommitted.isEmpty()) {
      gathering = true;
      threads
          .loop()
          .schedule(
              () -> {
                gathering = false;
                handOver();
              },
              GATHER_MILLIS);
    }
  }

  /** As {@link #committed}, and the log writer's thread has it before any later task. */
  void committedNow(long index) {
    durable = index;
    handOver();
  }

  private void handOver() {
    List<LogTask> ready = new ArrayList<>();
    while (!uncommitted.isEmpty() && uncommitted.peek().index() <= durable) {
      ready.add(uncommitted.remove());
    }
    if (!ready.isEmpty()) {
      threads.logWriter().execute(() -> report(appender.perform(ready)));
    }
  }

  /** Tries again what failed; called from time to time while there is trouble. */
  void retry() {
    threads.logWriter().execute(() -> report(appender.retry()));
  }

  private void report(LogAppender.Outcome outcome) {
    if (outcome.isEmpty()) {
      return;
    }
    threads
        .loop()
        .execute(
            () -> {
              unwrittenBytes -= outcome.bytes();
              outcome.written().forEach(listener::written);
              outcome.troubles().forEach(listener::trouble);
            });
  }

  static long size(LogTask task) {
    return task instanceof LogTask.Write write ? write.record().remaining() : 0;
  }

  /** What a piece of work brought about, for the loop. */
  static final class Tally {
    private final Map<LogId, Long> written = new HashMap<>();
    private final Map<LogId, String> troubles = new HashMap<>();
    private long bytes;

    void written(LogId log, long nextSequence, long moreBytes) {
      written.put(log, nextSequence);
      bytes += moreBytes;
    }

    void gone(long moreBytes) {
      bytes += moreBytes;
    }

    void trouble(LogId log, String why) {
      troubles.put(log, why);
    }

    LogAppender.Outcome outcome() {
      return new LogAppender.Outcome(written, troubles, bytes);
    }
  }
}
