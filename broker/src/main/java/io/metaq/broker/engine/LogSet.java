package io.metaq.broker.engine;

import io.metaq.broker.core.Entry;
import io.metaq.broker.core.EntryChain;
import io.metaq.broker.store.LogName;
import io.metaq.broker.store.LogState;
import io.metaq.broker.store.PartitionLog;
import io.metaq.broker.store.PartitionLogs;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The partition logs of the destinations there are, and what each journal entry asks of them.
 * Learns of destinations from entries only, so that live operation and replay find the same logs.
 * Loop thread only.
 */
final class LogSet {
  private final PartitionLogs store;
  private final Map<LogId, PartitionLog> logs = new HashMap<>();
  private final Map<Long, String> names = new HashMap<>();
  private final EntryChain chain = new EntryChain();

  LogSet(PartitionLogs store) {
    this.store = store;
  }

  PartitionLog get(long destinationId, int partition) {
    return logs.get(new LogId(destinationId, partition));
  }

  Map<LogId, PartitionLog> all() {
    return logs;
  }

  /** A copy of the names of all destinations with logs. */
  Map<Long, String> names() {
    return Map.copyOf(names);
  }

  /** The name of a destination, for messages. */
  String describe(LogId id) {
    return names.getOrDefault(id.destinationId(), "destination " + id.destinationId())
        + ", partition "
        + id.partition();
  }

  String name(long destinationId) {
    return names.get(destinationId);
  }

  /** Adds a log that a snapshot describes. */
  void restore(LogId id, String name, LogState state) {
    names.put(id.destinationId(), name);
    logs.put(id, store.open(logName(name, id.partition()), state));
  }

  /** The directory of the messages not yet due has a name that no destination can have. */
  private static LogName logName(String name, int partition) {
    return partition >= 0 ? new LogName(name, partition) : new LogName("\0delayed " + name, 0);
  }

  /** Hands out what an entry asks of the logs, in order. */
  void tasks(long index, Entry entry, Consumer<LogTask> out) {
    chain.complete(entry).ifPresent(whole -> demands(index, whole, out));
  }

  private void demands(long index, Entry entry, Consumer<LogTask> out) {
    if (entry instanceof Entry.Appended appended) {
      append(index, appended, out);
    } else if (entry instanceof Entry.Group group) {
      group.parts().forEach(part -> demands(index, part, out));
    } else if (entry instanceof Entry.TransactionCommitted committed) {
      committed.parts().forEach(part -> demands(index, part, out));
    } else if (entry instanceof Entry.BranchCompleted completed) {
      completed.parts().forEach(part -> demands(index, part, out));
    } else if (entry instanceof Entry.DestinationCreated created) {
      create(created);
    } else if (entry instanceof Entry.DestinationDeleted deleted) {
      delete(index, deleted.destinationId(), out);
    } else if (entry instanceof Entry.SegmentsDropped dropped) {
      PartitionLog log = get(dropped.destinationId(), dropped.partition());
      if (log != null) {
        out.accept(new LogTask.Drop(index, log, dropped.first()));
      }
    }
  }

  private void append(long index, Entry.Appended appended, Consumer<LogTask> out) {
    LogId id = new LogId(appended.destinationId(), appended.partition());
    PartitionLog log = logs.get(id);
    if (log == null && names.containsKey(id.destinationId())) {
      // The log of messages not yet due begins with the first of them.
      restore(
          id,
          names.get(id.destinationId()),
          LogState.empty(appended.sequence(), appended.offset()));
      log = logs.get(id);
    }
    if (log != null) {
      out.accept(
          new LogTask.Write(
              index,
              log,
              id,
              appended.sequence(),
              appended.offset(),
              appended.newSegment(),
              appended.record()));
    }
  }

  private void create(Entry.DestinationCreated created) {
    names.put(created.destinationId(), created.name());
    int partition = 0;
    for (Entry.Position position : created.partitions()) {
      LogId id = new LogId(created.destinationId(), partition++);
      // A replay may meet the creation of what the snapshot describes already.
      if (!logs.containsKey(id)) {
        restore(id, created.name(), LogState.empty(position.sequence(), position.offset()));
      }
    }
  }

  private void delete(long index, long destinationId, Consumer<LogTask> out) {
    names.remove(destinationId);
    logs.entrySet()
        .removeIf(
            log -> {
              boolean gone = log.getKey().destinationId() == destinationId;
              if (gone) {
                out.accept(new LogTask.Clear(index, log.getValue()));
              }
              return gone;
            });
  }
}
