package io.metaq.broker.core;

import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Rollback;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Transactions of transacted sessions. One begins with the first frame that names it and ends with
 * its commit, its rollback, or its session; its commit is one entry.
 */
final class LocalTransactions {
  private record Key(int connection, long transaction) implements Comparable<Key> {
    @Override
    public int compareTo(Key other) {
      int order = Integer.compare(connection, other.connection);
      return order != 0 ? order : Long.compare(transaction, other.transaction);
    }
  }

  private record Open(int session, TransactionWork work) {}

  private final Answers answers;
  private final Holds holds;
  private final TransactionSends sends;
  private final Connections connections;
  private final Recorder recorder;
  private final Admission admission;
  private final Unspooler unspooler;
  private final TreeMap<Key, Open> open = new TreeMap<>();

  LocalTransactions(
      Answers answers,
      Holds holds,
      TransactionSends sends,
      Connections connections,
      Recorder recorder,
      Admission admission,
      Unspooler unspooler) {
    this.answers = answers;
    this.holds = holds;
    this.sends = sends;
    this.connections = connections;
    this.recorder = recorder;
    this.admission = admission;
    this.unspooler = unspooler;
  }

  int count() {
    return open.size();
  }

  /** The work of a transaction, which begins if it is new. */
  TransactionWork work(Connection connection, int session, long transaction) {
    return open.computeIfAbsent(
            new Key(connection.number, transaction),
            key -> new Open(session, new TransactionWork()))
        .work;
  }

  /** For acknowledgements, which name no session. */
  TransactionWork work(Connection connection, long transaction, List<Range> ranges) {
    Open found = open.get(new Key(connection.number, transaction));
    if (found != null) {
      return found.work;
    }
    for (Delivery delivery : Deliveries.named(connection, ranges)) {
      return work(connection, delivery.session.id, transaction);
    }
    return work(connection, -1, transaction);
  }

  /** Whether the session has one open that has done something. */
  boolean isOpen(Connection connection, int session) {
    return of(connection).values().stream()
        .anyMatch(one -> one.session == session && !one.work.isEmpty());
  }

  private Map<Key, Open> of(Connection connection) {
    return open.subMap(
        new Key(connection.number, Long.MIN_VALUE),
        true,
        new Key(connection.number, Long.MAX_VALUE),
        true);
  }

  void commit(Connection connection, int correlation, Commit frame) {
    Key key = new Key(connection.number, frame.transaction());
    TransactionWork work = work(connection, frame.sessionId(), frame.transaction());
    holds.hold(connection, frame.acks(), work);
    if (!sends.isDurable(work, () -> commitNow(connection, correlation, frame, work))) {
      return;
    }
    open.remove(key);
    String obstacle = work.doom != null ? work.doom : sends.obstacle(work);
    if (obstacle == null && work.hasSends()) {
      obstacle = admission.storageTrouble();
    }
    if (obstacle != null) {
      rollBack(work);
      throw new CoreException(ErrorCode.ROLLED_BACK, "the transaction is rolled back: " + obstacle);
    }
    long placing = Unspooler.id(work.extents());
    commit(connection, frame, work);
    unspooler.whenPlaced(placing, () -> answers.frame(connection, correlation, Ok.INSTANCE));
  }

  /** What was spilled is durable, unless the transaction has ended meanwhile. */
  private void commitNow(
      Connection connection, int correlation, Commit frame, TransactionWork work) {
    Open still = open.get(new Key(connection.number, frame.transaction()));
    if (still == null || still.work != work) {
      answers.failure(
          connection, correlation, ErrorCode.ROLLED_BACK, "the transaction is rolled back");
      return;
    }
    try {
      commit(connection, correlation, frame);
    } catch (CoreException refused) {
      answers.failure(connection, correlation, refused);
    }
  }

  private void commit(Connection connection, Commit frame, TransactionWork work) {
    List<Entry> parts = new ArrayList<>();
    sends.place(work, parts);
    holds.acknowledge(work, parts);
    List<Delivery> inMemory = holds.finish(work, false);
    if (!parts.isEmpty()) {
      recorder.record(
          new Entry.TransactionCommitted(
              connection.id, frame.sessionId(), frame.transaction(), parts),
          true);
    }
    holds.settle(inMemory);
    sends.delivered(work);
  }

  /** The session recovers with it: everything it was delivered comes back. */
  void rollBack(Connection connection, int correlation, Rollback frame) {
    Session session = connections.session(connection, frame.sessionId());
    sends.withdraw(session, frame.transaction());
    Open ended = open.remove(new Key(connection.number, frame.transaction()));
    if (ended != null) {
      holds.let(ended.work, false);
      sends.drop(ended.work);
    }
    connections.recover(session, frame.handed());
    answers.frame(connection, correlation, Ok.INSTANCE);
  }

  private void rollBack(TransactionWork work) {
    holds.giveBack(work, false);
    sends.drop(work);
  }

  void sessionEnds(Session session) {
    rollBackAll(of(session.connection), session.id);
  }

  void connectionEnds(Connection connection) {
    rollBackAll(of(connection), -1);
  }

  void empty() {
    rollBackAll(open, -1);
  }

  private void rollBackAll(Map<Key, Open> candidates, int session) {
    for (Map.Entry<Key, Open> one : List.copyOf(candidates.entrySet())) {
      if (session < 0 || one.getValue().session == session) {
        open.remove(one.getKey());
        rollBack(one.getValue().work);
      }
    }
  }
}
