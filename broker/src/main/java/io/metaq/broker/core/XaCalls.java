package io.metaq.broker.core;

import io.metaq.broker.core.tx.Branch;
import io.metaq.broker.core.tx.BranchLife.Phase;
import io.metaq.broker.core.tx.Branches;
import io.metaq.broker.core.tx.SessionRef;
import io.metaq.broker.core.tx.Xa;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaStarted;
import java.util.List;

/** Frames of XA, and work that names a branch: from the wire to {@link Branches} and back. */
final class XaCalls {
  private final Answers answers;
  private final Holds holds;
  private final LocalTransactions local;
  private final Branches<TransactionWork> branches;
  private final Moment moment;

  XaCalls(
      Answers answers,
      Holds holds,
      LocalTransactions local,
      Branches<TransactionWork> branches,
      Moment moment) {
    this.answers = answers;
    this.holds = holds;
    this.local = local;
    this.branches = branches;
    this.moment = moment;
  }

  void start(Connection from, int correlation, XaStart call) {
    Branches.Started started =
        branches.start(
            new SessionRef(from.number, call.sessionId()),
            from.toString(),
            call.xid(),
            call.flags(),
            call.timeoutSeconds(),
            local.isOpen(from, call.sessionId()),
            moment.now());
    answers.frame(
        from,
        correlation,
        started.code() == Xa.OK
            ? new XaStarted(started.handle())
            : XaBranches.refusal(started.code()));
  }

  /** The acknowledgements first, behind sends of the session that still wait. */
  void end(Connection from, int correlation, XaEnd call) {
    Session session = from.sessions.get(call.sessionId());
    Branch<TransactionWork> branch = branches.named(call.xid(), call.handle());
    if (session != null && !session.pending.isEmpty() && branch != null) {
      branch.endsWaiting(1);
      session.afterSends.add(
          () -> {
            branch.endsWaiting(-1);
            endNow(from, correlation, call);
          });
    } else {
      endNow(from, correlation, call);
    }
  }

  private void endNow(Connection from, int correlation, XaEnd call) {
    SessionRef session = new SessionRef(from.number, call.sessionId());
    Branch<TransactionWork> branch = branches.named(call.xid(), call.handle());
    if (branch != null && branch.life().phase() == Phase.OPEN && branch.life().isMember(session)) {
      acknowledge(from, branch, call.acks());
    } else {
      holds.refuse(from, call.acks());
    }
    int code = branches.end(session, call.xid(), call.handle(), call.flags(), moment.now());
    answers.frame(from, correlation, XaBranches.reply(code));
  }

  private void acknowledge(Connection from, Branch<TransactionWork> branch, List<Range> ranges) {
    holds.hold(from, ranges, branch.work());
    if (branch.work().doom != null) {
      branch.life().doom(Xa.RBROLLBACK);
    }
  }

  void complete(Connection from, int correlation, XaComplete call) {
    branches.complete(
        from.number, correlation, call.verb(), call.xid(), call.handle(), moment.now());
  }

  void recover(Connection from, int correlation) {
    answers.frame(from, correlation, new XaInDoubt(branches.inDoubt()));
  }

  /** The work of a branch in which the session is active. */
  TransactionWork work(Session session, long handle) {
    Branch<TransactionWork> branch = branches.find(handle);
    if (branch == null || branch.life().phase() != Phase.OPEN) {
      throw new CoreException(
          ErrorCode.ROLLED_BACK,
          "the XA branch is not open any more"
              + (branch == null ? "" : " (" + Xa.name(branch.life().doom()) + ")"));
    }
    if (!branch.life().isActive(new SessionRef(session.connection.number, session.id))) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE, "session " + session.id + " is not active in that XA branch");
    }
    return branch.work();
  }

  /** A one-way send failed: the branch cannot commit without it. */
  void sendFailed(long handle, String why) {
    Branch<TransactionWork> branch = branches.find(handle);
    if (branch != null && branch.life().phase() == Phase.OPEN) {
      branch.work().doom(why);
      branch.life().doom(Xa.RBROLLBACK);
    }
  }

  /** Acknowledgements ahead of the end. */
  void acknowledge(Connection from, long handle, List<Range> ranges) {
    Branch<TransactionWork> branch = branches.find(handle);
    if (branch != null && branch.life().phase() == Phase.OPEN) {
      acknowledge(from, branch, ranges);
    } else {
      holds.refuse(from, ranges);
    }
  }

  /** What the branches hold of the session's deliveries stays with them. */
  void sessionEnds(Session session) {
    holds.detach(session);
  }

  void connectionEnds(Connection connection, boolean lost) {
    if (lost) {
      branches.lost(connection.number, moment.now());
    } else {
      branches.closed(connection.number, moment.now());
    }
  }
}
