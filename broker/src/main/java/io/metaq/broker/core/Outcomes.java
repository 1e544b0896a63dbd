package io.metaq.broker.core;

import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The last committed local transaction of every session: what a client asks for that lost its
 * connection while it committed. Kept ten minutes after the client is gone; that this is forgotten
 * is no entry, since after a restart the ten minutes only begin anew.
 */
final class Outcomes {
  static final long KEPT_MILLIS = 600_000;

  private final Map<UUID, TreeMap<Integer, Long>> committed = new TreeMap<>();
  private final Map<UUID, Long> goneSince = new TreeMap<>();
  private long restored = -1;
  private long changed;

  void applyCommitted(long index, UUID connection, int session, long transaction) {
    if (index > restored) {
      changed = index;
      committed
          .computeIfAbsent(connection, id -> new TreeMap<>())
          .merge(session, transaction, Math::max);
    }
  }

  boolean isCommitted(UUID connection, long transaction) {
    TreeMap<Integer, Long> sessions = committed.get(connection);
    return sessions != null && sessions.containsValue(transaction);
  }

  /** The session was closed in order: its client has heard all it wanted to know. */
  void closed(UUID connection, int session) {
    TreeMap<Integer, Long> sessions = committed.get(connection);
    if (sessions != null && sessions.remove(session) != null && sessions.isEmpty()) {
      committed.remove(connection);
    }
  }

  void empty() {
    committed.clear();
    goneSince.clear();
  }

  void back(UUID connection) {
    goneSince.remove(connection);
  }

  void gone(UUID connection, long now) {
    if (committed.containsKey(connection)) {
      goneSince.put(connection, now);
    }
  }

  void allGone(long now) {
    committed.keySet().forEach(id -> goneSince.put(id, now));
  }

  void forgetOld(long now) {
    for (Iterator<Map.Entry<UUID, Long>> i = goneSince.entrySet().iterator(); i.hasNext(); ) {
      Map.Entry<UUID, Long> one = i.next();
      if (now - one.getValue() >= KEPT_MILLIS) {
        committed.remove(one.getKey());
        i.remove();
      }
    }
  }

  SnapshotUnit snapshot(long index) {
    WireWriter out = new WireWriter();
    out.i32(committed.size());
    committed.forEach(
        (id, sessions) -> {
          out.uuid(id).i32(sessions.size());
          sessions.forEach((session, transaction) -> out.i32(session).i64(transaction));
        });
    return new SnapshotUnit(SnapshotUnit.Kind.OUTCOMES, 0, index, changed, out.written());
  }

  void restore(SnapshotUnit unit) {
    restored = unit.index();
    changed = unit.changedAt();
    WireReader in = new WireReader(unit.bytes());
    int connections = in.i32();
    for (int i = 0; i < connections; i++) {
      TreeMap<Integer, Long> sessions = new TreeMap<>();
      committed.put(in.uuid(), sessions);
      int count = in.i32();
      for (int k = 0; k < count; k++) {
        sessions.put(in.i32(), in.i64());
      }
    }
  }
}
