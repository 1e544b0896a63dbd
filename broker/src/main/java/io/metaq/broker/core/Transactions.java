package io.metaq.broker.core;

import io.metaq.broker.core.tx.Branches;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Outcome;
import io.metaq.wire.TransactionFrames.QueryOutcome;
import io.metaq.wire.TransactionFrames.Rollback;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaStart;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * The core's transactions as a whole: tells local ones (positive numbers) from branches (negative
 * handles) and brings each call to its part.
 */
final class Transactions implements TransactionSink {
  private final Answers answers;
  private final Effects effects;
  private final Holds holds;
  private final TransactionSends sends;
  private final LocalTransactions local;
  private final XaBranches ledger;
  private final Branches<TransactionWork> branches;
  private final XaCalls xa;
  private final Outcomes outcomes;
  private final BranchAdmin admin;
  private final Unspooler unspooler;
  private final Moment moment;
  private final Timers timers;
  private Timers.Timer timer;
  private long timerAt = Long.MAX_VALUE;

  Transactions(
      Answers answers,
      Effects effects,
      Holds holds,
      TransactionSends sends,
      LocalTransactions local,
      XaBranches ledger,
      Destinations destinations,
      Unspooler unspooler,
      Moment moment,
      Timers timers) {
    this.answers = answers;
    this.effects = effects;
    this.holds = holds;
    this.sends = sends;
    this.local = local;
    this.ledger = ledger;
    this.branches = ledger.branches();
    this.xa = new XaCalls(answers, holds, local, branches, moment);
    this.outcomes = new Outcomes();
    this.admin = new BranchAdmin(ledger, destinations, moment);
    this.unspooler = unspooler;
    this.moment = moment;
    this.timers = timers;
  }

  @Override
  public boolean send(Session session, int correlation, Send send) {
    try {
      TransactionWork work =
          send.transaction() > 0
              ? local.work(session.connection, session.id, send.transaction())
              : xa.work(session, send.transaction());
      if (!sends.admit(session, send, work)) {
        return false;
      }
    } catch (CoreException refused) {
      sendFailed(session, correlation, send.transaction(), refused.getMessage());
      throw refused;
    }
    if (correlation != 0) {
      // Nothing durable stands behind it before the commit.
      answers.okNow(session.connection, correlation);
    }
    return true;
  }

  @Override
  public void sendFailed(Session session, int correlation, long transaction, String why) {
    if (correlation == 0 && transaction > 0) {
      local.work(session.connection, session.id, transaction).doom(why);
    } else if (correlation == 0) {
      xa.sendFailed(transaction, why);
    }
  }

  @Override
  public void acknowledge(
      Connection connection,
      int correlation,
      long ackSequence,
      long transaction,
      List<Range> ranges) {
    if (transaction > 0) {
      holds.hold(connection, ranges, local.work(connection, transaction, ranges));
    } else {
      xa.acknowledge(connection, transaction, ranges);
    }
    if (correlation != 0) {
      answers.frame(connection, correlation, Ok.INSTANCE);
    } else {
      effects.confirmAck(connection.number, ackSequence);
    }
  }

  @Override
  public void frame(Connection connection, int correlation, Frame frame) {
    switch (frame.type()) {
      case COMMIT -> commit(connection, correlation, (Commit) frame);
      case ROLLBACK -> local.rollBack(connection, correlation, (Rollback) frame);
      case QUERY_OUTCOME -> {
        QueryOutcome query = (QueryOutcome) frame;
        // Behind the messages of what is committed, lest the client's next ones overtake them.
        unspooler.whenPlaced(
            unspooler.last(),
            () ->
                answers.frame(
                    connection,
                    correlation,
                    new Outcome(outcomes.isCommitted(query.connectionId(), query.transaction()))));
      }
      case XA_START -> xa.start(connection, correlation, (XaStart) frame);
      case XA_END -> xa.end(connection, correlation, (XaEnd) frame);
      case XA_COMPLETE -> xa.complete(connection, correlation, (XaComplete) frame);
      case XA_RECOVER -> xa.recover(connection, correlation);
      default -> throw new IllegalArgumentException(frame.type() + " is no frame of transactions");
    }
    schedule();
  }

  private void commit(Connection connection, int correlation, Commit frame) {
    Session session = connection.sessions.get(frame.sessionId());
    if (session == null || session.pending.isEmpty()) {
      local.commit(connection, correlation, frame);
      return;
    }
    session.afterSends.add(
        () -> {
          try {
            local.commit(connection, correlation, frame);
          } catch (CoreException refused) {
            answers.failure(connection, correlation, refused);
          }
        });
  }

  @Override
  public void admin(
      Connection connection, int correlation, String operation, List<String> arguments) {
    admin.run(operation, arguments, result -> answers.frame(connection, correlation, result));
  }

  @Override
  public void administer(String operation, List<String> arguments, Consumer<AdminResult> then) {
    admin.run(operation, arguments, then);
  }

  @Override
  public void sessionEnds(Session session) {
    local.sessionEnds(session);
    xa.sessionEnds(session);
  }

  @Override
  public void sessionClosed(Session session) {
    outcomes.closed(session.connection.id, session.id);
  }

  @Override
  public void connectionBegins(Connection connection) {
    outcomes.back(connection.id);
  }

  @Override
  public void connectionEnds(Connection connection, boolean lost) {
    local.connectionEnds(connection);
    xa.connectionEnds(connection, lost);
    outcomes.gone(connection.id, moment.now());
    schedule();
  }

  /** One timer for all branches, at the earliest time one of them wants. */
  private void schedule() {
    long next = branches.next();
    if (next < timerAt) {
      if (timer != null) {
        timer.cancel();
      }
      timerAt = next;
      timer =
          timers.at(
              next,
              () -> {
                timerAt = Long.MAX_VALUE;
                branches.tick(moment.now());
                schedule();
              });
    }
  }

  @Override
  public void empty() {
    local.empty();
    branches.empty();
    outcomes.empty();
  }

  @Override
  public void housekeeping() {
    outcomes.forgetOld(moment.now());
  }

  @Override
  public void apply(long index, Entry entry, Consumer<Entry> parts) {
    if (entry instanceof Entry.TransactionCommitted committed) {
      outcomes.applyCommitted(
          index, committed.connectionId(), committed.session(), committed.transaction());
      committed.parts().forEach(parts);
    } else if (entry instanceof Entry.BranchPrepared prepared) {
      ledger.apply(index, prepared);
    } else if (entry instanceof Entry.BranchCompleted completed) {
      completed.parts().forEach(parts);
      ledger.apply(index, completed);
    } else if (entry instanceof Entry.ExtentsCommitted committed) {
      unspooler.apply(index, committed);
    } else if (entry instanceof Entry.ExtentsPlaced placed) {
      unspooler.apply(index, placed);
    } else if (entry instanceof Entry.BranchForgotten forgotten) {
      ledger.applyForgotten(forgotten);
    } else {
      throw new IllegalArgumentException("nobody applies a " + entry.getClass().getName());
    }
  }

  @Override
  public void recovered() {
    ledger.recovered();
    unspooler.recovered();
    outcomes.allGone(moment.now());
  }

  @Override
  public Iterator<SnapshotUnit> snapshot(long index) {
    List<SnapshotUnit> units = new ArrayList<>(ledger.snapshot(index));
    units.addAll(unspooler.snapshot(index));
    units.add(outcomes.snapshot(index));
    return units.iterator();
  }

  @Override
  public void restore(SnapshotUnit unit) {
    if (unit.kind() == SnapshotUnit.Kind.OUTCOMES) {
      outcomes.restore(unit);
    } else if (unit.kind() == SnapshotUnit.Kind.EXTENTS) {
      unspooler.restore(unit);
    } else {
      ledger.restore(unit);
    }
  }

  @Override
  public long promisedBytes() {
    return ledger.promisedBytes();
  }

  @Override
  public TransactionFigures figures() {
    return admin.figures(local.count());
  }
}
