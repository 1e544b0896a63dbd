package io.metaq.broker.engine;

import io.metaq.broker.core.Core;
import io.metaq.broker.core.Entry;
import io.metaq.broker.core.EntryCodec;
import io.metaq.broker.engine.SnapshotSections.Section;
import io.metaq.broker.store.JournalRecovery;
import io.metaq.broker.store.JournalTail;
import io.metaq.broker.store.LogName;
import io.metaq.broker.store.LogState;
import io.metaq.broker.store.PartitionLog;
import io.metaq.broker.store.SnapshotStore.Loaded;
import io.metaq.broker.store.StoreException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings core and partition logs to where the journal ends: loads the snapshot, applies the entries
 * behind it, and writes the records among them that the logs do not hold. Reads no partition log,
 * so that a start takes the same time whatever waits in them.
 */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
  private static final int BATCH_BYTES = 4 << 20;

  private final EngineSettings settings;
  private final Stores stores;
  private final Core core;
  private final LogSet logs;
  private final SnapshotSections sections;
  private final LogAppender appender;
  private final List<LogTask> batch = new ArrayList<>();
  private long batchBytes;
  private long logsIndex;
  private long replayed;

  Recovery(
      EngineSettings settings,
      Stores stores,
      Core core,
      LogSet logs,
      SnapshotSections sections,
      LogAppender appender) {
    this.settings = settings;
    this.stores = stores;
    this.core = core;
    this.logs = logs;
    this.sections = sections;
    this.appender = appender;
  }

  JournalTail run() throws IOException {
    long began = System.nanoTime();
    Loaded snapshot = stores.snapshots().load(this::section);
    snapshot.reports().forEach(LOG::warn);
    JournalTail tail =
        JournalRecovery.recover(
            stores.disk(),
            settings.journal().directory(),
            snapshot.replayAfter(),
            snapshot.highestReflected(),
            settings.recovery(),
            this::entry);
    writeBatch();
    appender.live();
    tail.reports().forEach(LOG::warn);
    for (PartitionLog log : logs.all().values()) {
      log.cutToEnd().forEach(LOG::warn);
    }
    removeStrangeLogs();
    LOG.info(
        "recovered snapshot {} and {} journal entries behind it, up to entry {}, in {} ms",
        snapshot.number(),
        replayed,
        tail.lastIndex(),
        (System.nanoTime() - began) / 1_000_000);
    return tail;
  }

  private void section(long key, ByteBuffer payload) {
    Section section = sections.decode(key, payload);
    if (section.unit() != null) {
      core.restore(section.unit());
    } else {
      logsIndex = section.logsIndex();
      section.logs().forEach(log -> logs.restore(log.id(), log.name(), log.state()));
    }
  }

  private void entry(long index, long epoch, ByteBuffer payload) throws IOException {
    // Records inside outlive the call.
    ByteBuffer copy = ByteBuffer.allocate(payload.remaining()).put(payload).flip();
    Entry entry = EntryCodec.decode(copy);
    core.apply(index, entry);
    replayed++;
    boolean known =
        index <= logsIndex
            && (entry instanceof Entry.DestinationCreated
                || entry instanceof Entry.DestinationDeleted);
    if (!known) {
      logs.tasks(index, entry, this::add);
    }
    if (batchBytes > BATCH_BYTES) {
      writeBatch();
    }
  }

  private void add(LogTask task) {
    batch.add(task);
    batchBytes += LogWriter.size(task);
  }

  private void writeBatch() throws IOException {
    LogAppender.Outcome outcome = appender.perform(batch);
    batch.clear();
    batchBytes = 0;
    for (Map.Entry<LogId, String> trouble : outcome.troubles().entrySet()) {
      throw new StoreException(
          "The records of "
              + logs.describe(trouble.getKey())
              + " cannot be brought up to the journal: "
              + trouble.getValue()
              + ". Nothing is lost; mend the disk, or make room on it, and start again.");
    }
    outcome
        .written()
        .forEach((log, next) -> core.written(log.destinationId(), log.partition(), next - 1));
  }

  /** The logs of destinations that were deleted just before the end. */
  private void removeStrangeLogs() throws IOException {
    Set<String> known = new HashSet<>();
    logs.all().values().forEach(log -> known.add(log.name().directory()));
    for (LogName name : stores.logs().list()) {
      if (!known.contains(name.directory())) {
        stores.logs().open(name, LogState.empty(0, 0)).cutToEnd();
      }
    }
  }
}
