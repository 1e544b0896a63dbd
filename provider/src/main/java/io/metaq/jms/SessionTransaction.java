package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.ConnectionLostException;
import io.metaq.transport.RequestRefusedException;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Outcome;
import io.metaq.wire.TransactionFrames.QueryOutcome;
import io.metaq.wire.TransactionFrames.Rollback;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;
import java.io.IOException;
import java.util.List;

/**
 * The local transactions of a session, one after the other. A transaction that a broken connection
 * rolled back is never continued on the next one: its commit says what became of it.
 */
final class SessionTransaction {
  private final SessionCore session;
  private LocalTransaction current;

  SessionTransaction(SessionCore session) {
    this.session = session;
    this.current = new LocalTransaction(session.connection().nextTransaction());
  }

  /** What a send belongs to. */
  record Membership(long transaction, long epoch) {}

  /** The open transaction, which a send now belongs to; begun only on a connection that stands. */
  Membership join() throws JMSException {
    try {
      long epoch = session.connection().broker().awaitOpen();
      session.lock.lock();
      try {
        current.use(epoch);
        return new Membership(current.number(), current.epoch());
      } finally {
        session.lock.unlock();
      }
    } catch (IOException e) {
      throw Failures.lost("Beginning a transaction", e);
    }
  }

  /** A send of the transaction did not leave. */
  void lost(Membership membership) {
    session.lock.lock();
    try {
      if (current.number() == membership.transaction()) {
        current.lost();
      }
    } finally {
      session.lock.unlock();
    }
  }

  /** With the session's lock. */
  void connectionLost() {
    if (current.used() || session.handover().hasHanded()) {
      current.lost();
    }
  }

  private LocalTransaction next() {
    LocalTransaction ended = current;
    current = new LocalTransaction(session.connection().nextTransaction());
    return ended;
  }

  void commit() throws JMSException {
    List<Range> acks;
    LocalTransaction ended;
    long epoch;
    session.lock.lock();
    try {
      acks = session.handover().takeHanded();
      ended = next();
      epoch = ended.used() ? ended.epoch() : session.connection().broker().epoch();
    } finally {
      session.lock.unlock();
    }
    if (ended.isLost()) {
      giveBack(ended, acks);
      throw new TransactionRolledBackException(
          "The connection broke during the transaction, which the broker has rolled back; begin it again");
    }
    if (ended.used() || !acks.isEmpty()) {
      commit(ended, acks, epoch);
    }
  }

  private void commit(LocalTransaction ended, List<Range> acks, long epoch) throws JMSException {
    BrokerConnection broker = session.connection().broker();
    try {
      broker.requestOnce(new Commit(session.id(), ended.number(), acks), epoch);
    } catch (RequestRefusedException e) {
      if (e.code() != ErrorCode.ROLLED_BACK) {
        throw Failures.refused("Committing", e);
      }
      giveBack(ended, acks);
      throw Failures.refused("Committing", e);
    } catch (ConnectionLostException e) {
      if (e.isFinal()) {
        throw Failures.lost("Committing (whether the broker has committed is not known)", e);
      }
      askForOutcome(ended, e);
    } catch (IOException e) {
      throw Failures.lost("Committing (whether the broker has committed is not known)", e);
    }
  }

  private void askForOutcome(LocalTransaction ended, ConnectionLostException cause)
      throws JMSException {
    ConnectionCore connection = session.connection();
    Outcome outcome;
    try {
      outcome =
          (Outcome) connection.broker().request(new QueryOutcome(connection.id(), ended.number()));
    } catch (RequestRefusedException e) {
      throw Failures.refused("Asking for the outcome of a commit", e);
    } catch (IOException e) {
      throw Failures.lost("Committing (whether the broker has committed is not known)", e);
    }
    if (!outcome.committed()) {
      throw Failures.caused(
          new TransactionRolledBackException(
              "The connection broke before the broker had committed, so it has rolled back; begin the transaction again"),
          cause);
    }
  }

  void rollback() throws JMSException {
    List<Range> handed;
    LocalTransaction ended;
    session.lock.lock();
    try {
      handed = session.handover().takeHanded();
      ended = next();
    } finally {
      session.lock.unlock();
    }
    if (ended.used() && !ended.isLost() || !handed.isEmpty()) {
      giveBack(ended, handed);
    }
  }

  private void giveBack(LocalTransaction ended, List<Range> handed) throws JMSException {
    session.giveBack(new Rollback(session.id(), ended.number(), handed), handed, "Rolling back");
  }
}
