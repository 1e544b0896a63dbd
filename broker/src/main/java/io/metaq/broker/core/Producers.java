package io.metaq.broker.core;

import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Up to where each session of each JMS connection has sent, so that a send repeated after a
 * reconnect is not stored twice. Kept ten minutes after the connection is gone; then only its id
 * and highest send are remembered, to tell a late resend that its outcome is unknown.
 */
final class Producers {
  static final long KEPT_MILLIS = 600_000;
  private static final int REMEMBERED = 65_536;

  /** One session's position. Stays the same object as long as it is known. */
  static final class Producer {
    /** Highest send that is in the journal. */
    private long durable = -1;

    /** Highest send that was taken, stored or not. */
    private long highest = -1;

    boolean hasSeen(long sequence) {
      return sequence <= highest;
    }

    void take(long sequence) {
      highest = Math.max(highest, sequence);
    }
  }

  private final Map<UUID, TreeMap<Integer, Producer>> known = new TreeMap<>();
  private final Map<UUID, Long> goneSince = new TreeMap<>();
  private final LinkedHashMap<UUID, Long> forgotten = new LinkedHashMap<>();
  private long restored = -1;
  private long changed;

  Producer producer(UUID connection, int session) {
    return known
        .computeIfAbsent(connection, id -> new TreeMap<>())
        .computeIfAbsent(session, id -> new Producer());
  }

  /**
   * A connection logs in; answers up to where its sends may be stored though they are forgotten, or
   * -1.
   */
  long back(UUID connection) {
    goneSince.remove(connection);
    return forgotten.getOrDefault(connection, -1L);
  }

  /** A session was closed in order: it has nothing to repeat. */
  void closed(UUID connection, int session) {
    TreeMap<Integer, Producer> sessions = known.get(connection);
    if (sessions != null) {
      sessions.remove(session);
      if (sessions.isEmpty()) {
        known.remove(connection);
      }
    }
  }

  void gone(UUID connection, long now) {
    if (known.containsKey(connection)) {
      goneSince.put(connection, now);
    }
  }

  /** After recovery nobody is there. */
  void allGone(long now) {
    known.keySet().forEach(id -> goneSince.put(id, now));
  }

  /** Those whose time is up, to be forgotten by an entry. */
  List<UUID> due(long now) {
    List<UUID> due = new ArrayList<>();
    goneSince.forEach(
        (id, since) -> {
          if (now - since >= KEPT_MILLIS) {
            due.add(id);
          }
        });
    return due;
  }

  void applySent(long index, UUID connection, int session, long sequence) {
    if (connection != null && index > restored) {
      changed = index;
      Producer producer = producer(connection, session);
      producer.durable = Math.max(producer.durable, sequence);
      producer.take(sequence);
    }
  }

  void applyForgotten(long index, List<UUID> connections) {
    if (index <= restored) {
      return;
    }
    changed = index;
    for (UUID id : connections) {
      TreeMap<Integer, Producer> sessions = known.remove(id);
      goneSince.remove(id);
      long highest = -1;
      if (sessions != null) {
        for (Producer producer : sessions.values()) {
          highest = Math.max(highest, producer.durable);
        }
      }
      if (highest >= 0) {
        forgotten.put(id, highest);
      }
    }
    while (forgotten.size() > REMEMBERED) {
      forgotten.remove(forgotten.keySet().iterator().next());
    }
  }

  SnapshotUnit snapshot(long index) {
    WireWriter out = new WireWriter();
    out.i32(known.size());
    known.forEach(
        (id, sessions) -> {
          List<Map.Entry<Integer, Producer>> durable =
              sessions.entrySet().stream().filter(entry -> entry.getValue().durable >= 0).toList();
          out.uuid(id).i32(durable.size());
          durable.forEach(entry -> out.i32(entry.getKey()).i64(entry.getValue().durable));
        });
    out.i32(forgotten.size());
    forgotten.forEach((id, highest) -> out.uuid(id).i64(highest));
    return new SnapshotUnit(SnapshotUnit.Kind.PRODUCERS, 0, index, changed, out.written());
  }

  void restore(SnapshotUnit unit) {
    restored = unit.index();
    changed = unit.changedAt();
    WireReader in = new WireReader(unit.bytes());
    int connections = in.i32();
    for (int i = 0; i < connections; i++) {
      UUID id = in.uuid();
      int sessions = in.i32();
      for (int k = 0; k < sessions; k++) {
        Producer producer = producer(id, in.i32());
        producer.durable = in.i64();
        producer.highest = producer.durable;
      }
    }
    int count = in.i32();
    for (int i = 0; i < count; i++) {
      forgotten.put(in.uuid(), in.i64());
    }
  }
}
