package io.metaq.broker.engine;

import io.metaq.broker.core.Core;
import io.metaq.broker.core.SnapshotUnit;
import io.metaq.broker.engine.SnapshotSections.LogEntry;
import io.metaq.broker.store.Journal;
import io.metaq.broker.store.Journal.Demand;
import io.metaq.broker.store.PartitionLog;
import io.metaq.broker.store.SnapshotWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes checkpoints while commands go on. First the partition logs are forced, one after the other,
 * between the writes that go on; then the core's objects are written, a few at a time and each as
 * it stands when its turn comes; then, once the journal has caught up with the youngest of them,
 * the snapshot counts, and the journal is freed up to where every log and object has passed. An
 * object never waits for a disk, and the loop never for an object larger than itself.
 */
final class Checkpoints {
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final int BATCH_BYTES = 64 << 10;
  private static final int BATCH_UNITS = 64;

  private final EngineSettings settings;
  private final EngineThreads threads;
  private final Core core;
  private final Journal journal;
  private final Gate gate;
  private final LogSet logs;
  private final LogWriter logWriter;
  private final LogAppender appender;
  private final Stores stores;
  private final SnapshotSections sections;
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean running;
  private boolean again;
  private boolean abandoned;
  private long bytesAtLast;
  private long taken;

  Checkpoints(
      EngineSettings settings,
      EngineThreads threads,
      Core core,
      Journal journal,
      Gate gate,
      LogSet logs,
      LogWriter logWriter,
      LogAppender appender,
      Stores stores,
      SnapshotSections sections) {
    this.settings = settings;
    this.threads = threads;
    this.core = core;
    this.journal = journal;
    this.gate = gate;
    this.logs = logs;
    this.logWriter = logWriter;
    this.appender = appender;
    this.stores = stores;
    this.sections = sections;
  }

  /** One checkpoint under way. Fields belong to the loop, the writer to the background thread. */
  private static final class Run {
    private final long passed;
    private Iterator<SnapshotUnit> units;
    private SnapshotWriter writer;

    Run(long passed) {
      this.passed = passed;
    }
  }

  /** Takes one from time to time even when little happens. */
  void schedule() {
    if (settings.checkpointMillis() > 0) {
      threads
          .loop()
          .schedule(
              () -> {
                start();
                schedule();
              },
              settings.checkpointMillis());
    }
  }

  /** Takes one when the journal has grown enough. */
  void journalGrew() {
    if (!running && journal.stats().bytes() - bytesAtLast > settings.checkpointBytes()) {
      start();
    }
  }

  long taken() {
    return taken;
  }

  /** From here on none is taken; one under way ends without a result. */
  void abandon() {
    abandoned = true;
  }

  /** Takes a checkpoint of at least everything so far, then runs the task (also if it failed). */
  void take(Runnable then) {
    waiting.add(then);
    start();
  }

  private void start() {
    if (running) {
      again |= !waiting.isEmpty();
      return;
    }
    running = true;
    again = false;
    bytesAtLast = journal.stats().bytes();
    long committed = journal.committedIndex();
    logWriter.committedNow(committed);
    // Behind everything the log writer was told so far.
    threads.logWriter().execute(() -> forceNext(new ArrayList<>(appender.unforced()), committed));
  }

  private void forceNext(List<PartitionLog> left, long committed) {
    if (left.isEmpty()) {
      long needed = appender.oldestNeeded().orElse(Long.MAX_VALUE);
      long passed = Math.min(committed, needed - 1);
      threads.loop().execute(() -> begin(new Run(passed)));
      return;
    }
    appender.force(left.remove(0));
    threads.logWriter().execute(() -> forceNext(left, committed));
  }

  private void begin(Run run) {
    if (abandoned) {
      return;
    }
    long index = journal.lastIndex();
    run.units = core.snapshot();
    Map<LogId, PartitionLog> open = Map.copyOf(logs.all());
    Map<Long, String> names = logs.names();
    threads
        .background()
        .execute(
            () -> {
              try {
                run.writer = stores.snapshots().begin();
                List<LogEntry> states = new ArrayList<>(open.size());
                open.forEach(
                    (id, log) ->
                        states.add(new LogEntry(id, names.get(id.destinationId()), log.state())));
                run.writer.section(
                    sections.logsKey(), index, SnapshotSections.encode(index, states));
                threads.loop().execute(() -> writeUnits(run));
              } catch (IOException e) {
                failed(run, e);
              }
            });
  }

  private void writeUnits(Run run) {
    if (abandoned) {
      return;
    }
    List<SnapshotUnit> batch = new ArrayList<>();
    List<Long> keys = new ArrayList<>();
    long bytes = 0;
    while (run.units.hasNext() && batch.size() < BATCH_UNITS && bytes < BATCH_BYTES) {
      SnapshotUnit unit = run.units.next();
      batch.add(unit);
      keys.add(sections.key(unit));
      bytes += unit.bytes().remaining();
    }
    boolean last = !run.units.hasNext();
    threads
        .background()
        .execute(
            () -> {
              try {
                for (int i = 0; i < batch.size(); i++) {
                  SnapshotUnit unit = batch.get(i);
                  run.writer.section(keys.get(i), unit.index(), SnapshotSections.encode(unit));
                }
                long highest = run.writer.highestReflected();
                threads.loop().execute(() -> proceed(run, last, highest));
              } catch (IOException e) {
                failed(run, e);
              }
            });
  }

  private void proceed(Run run, boolean last, long highest) {
    if (!last) {
      writeUnits(run);
      return;
    }
    gate.whenCommitted(highest, () -> commit(run));
    if (journal.committedIndex() < highest) {
      journal.pump(Demand.FORCE);
    }
  }

  private void commit(Run run) {
    if (abandoned) {
      return;
    }
    long committed = journal.committedIndex();
    threads
        .background()
        .execute(
            () -> {
              try {
                run.writer.commit(run.passed, committed);
                long free = stores.snapshots().oldestReplayAfter();
                threads.loop().execute(() -> done(free));
              } catch (IOException e) {
                failed(run, e);
              }
            });
  }

  private void done(long free) {
    taken++;
    journal.free(free);
    end();
  }

  private void failed(Run run, IOException why) {
    LOG.error(
        "a checkpoint failed; the journal is kept, and the next one tries again: {}",
        why.toString());
    if (run.writer != null) {
      try {
        run.writer.abort();
      } catch (IOException e) {
        LOG.warn("an unfinished snapshot stays until the next one: {}", e.toString());
      }
    }
    threads.loop().execute(this::end);
  }

  private void end() {
    running = false;
    if (again) {
      start();
      return;
    }
    List<Runnable> done = List.copyOf(waiting);
    waiting.clear();
    done.forEach(Runnable::run);
  }
}
