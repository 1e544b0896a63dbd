package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.RequestRefusedException;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaRecover;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaStarted;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * What a transaction manager drives. The state of branches is the broker's; here stands only what
 * this session is associated with and by which handles it knows the branches it began. A lost
 * connection is always {@code XAER_RMFAIL}, at once.
 *
 * <p>{@code prepare}, {@code commit}, {@code rollback}, {@code forget} and {@code recover} may be
 * called by any thread, also while the session's thread waits in a receive.
 */
final class MetaqXAResource implements XAResource {
  private static final int MOST_HANDLES = 1_000;
  private static final int LONGEST_TIMEOUT_SECONDS = 24 * 60 * 60;

  /** A branch that this session left for a while, or for good. */
  private record Known(long handle, long epoch) {}

  private final SessionCore session;
  private final XaAssociation association;
  private final Map<WireXid, Known> suspended = new HashMap<>();
  private final Map<WireXid, Long> handles =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<WireXid, Long> eldest) {
          return size() > MOST_HANDLES;
        }
      };
  private volatile int timeoutSeconds;
  private boolean scanning;
  private volatile boolean lastBranchFailed;

  MetaqXAResource(SessionCore session, XaAssociation association) {
    this.session = session;
    this.association = association;
  }

  private BrokerConnection broker() {
    return session.connection().broker();
  }

  // ---- association

  @Override
  public void start(Xid xid, int flags) throws XAException {
    WireXid wire = MetaqXid.wire(xid);
    if (flags != TMNOFLAGS && flags != TMJOIN && flags != TMRESUME) {
      throw failure(
          XAException.XAER_INVAL, "start with flags 0x" + Integer.toHexString(flags), null);
    }
    if (association.isLocal()) {
      throw failure(XAException.XAER_OUTSIDE, "The session is in a local transaction", null);
    }
    if (association.xid() != null) {
      throw failure(
          XAException.XAER_PROTO, "The session works for " + association.xid() + " already", null);
    }
    long epoch = broker().epoch();
    XaStarted started =
        (XaStarted)
            request(
                new XaStart(session.id(), wire, flags, timeoutSeconds), epoch, "Starting " + wire);
    synchronized (this) {
      suspended.remove(wire);
      handles.put(wire, started.handle());
    }
    association.begin(wire, started.handle(), epoch);
    lastBranchFailed = false;
  }

  boolean lastBranchFailed() {
    return lastBranchFailed;
  }

  @Override
  public void end(Xid xid, int flags) throws XAException {
    WireXid wire = MetaqXid.wire(xid);
    if (flags != TMSUCCESS && flags != TMFAIL && flags != TMSUSPEND) {
      throw failure(XAException.XAER_INVAL, "end with flags 0x" + Integer.toHexString(flags), null);
    }
    if (!wire.equals(association.xid())) {
      endSuspended(wire, flags);
      return;
    }
    awaitCompletions();
    long handle = association.handle();
    long epoch = association.epoch();
    List<Range> acks;
    session.lock.lock();
    try {
      acks = session.handover().takeHanded();
      association.end();
    } finally {
      session.lock.unlock();
    }
    if (flags == TMFAIL) {
      lastBranchFailed = true;
    }
    if (flags == TMSUSPEND) {
      synchronized (this) {
        suspended.put(wire, new Known(handle, epoch));
      }
    }
    leave(new XaEnd(session.id(), wire, handle, flags, acks), epoch, flags);
  }

  private void awaitCompletions() throws XAException {
    try {
      session.sender().awaitCallbacks(ConsumerCore.FOREVER);
    } catch (jakarta.jms.JMSException e) {
      throw failure(XAException.XAER_RMERR, e.getMessage(), e);
    }
  }

  private void endSuspended(WireXid xid, int flags) throws XAException {
    Known known;
    synchronized (this) {
      known = flags == TMSUSPEND ? null : suspended.remove(xid);
    }
    if (known == null) {
      // Not of this session, so it will be refused; which way, only the broker knows.
      XaEnd end = new XaEnd(session.id(), xid, 0, flags, List.of());
      request(end, broker().epoch(), "Ending " + xid);
      return;
    }
    leave(new XaEnd(session.id(), xid, known.handle(), flags, List.of()), known.epoch(), flags);
  }

  /**
   * The broker cannot but accept a success of what this session began; a round trip would tell
   * nothing new.
   */
  private void leave(XaEnd end, long epoch, int flags) throws XAException {
    if (flags != TMSUCCESS) {
      request(end, epoch, "Ending " + end.xid());
    } else if (!broker().post(end, epoch)) {
      throw failure(XAException.XAER_RMFAIL, "The connection broke during " + end.xid(), null);
    }
  }

  // ---- completion

  @Override
  public int prepare(Xid xid) throws XAException {
    return complete(XaVerb.PREPARE, xid);
  }

  @Override
  public void commit(Xid xid, boolean onePhase) throws XAException {
    complete(onePhase ? XaVerb.COMMIT_ONE_PHASE : XaVerb.COMMIT, xid);
  }

  @Override
  public void rollback(Xid xid) throws XAException {
    lastBranchFailed = true;
    complete(XaVerb.ROLLBACK, xid);
  }

  @Override
  public void forget(Xid xid) throws XAException {
    complete(XaVerb.FORGET, xid);
  }

  private int complete(XaVerb verb, Xid xid) throws XAException {
    WireXid wire = MetaqXid.wire(xid);
    long handle;
    synchronized (this) {
      handle = handles.getOrDefault(wire, 0L);
    }
    XaDone done =
        (XaDone)
            request(
                new XaComplete(verb, wire, handle), BrokerConnection.ANY_EPOCH, verb + " " + wire);
    if (verb != XaVerb.PREPARE || done.vote() == XA_RDONLY) {
      synchronized (this) {
        handles.remove(wire);
        suspended.remove(wire);
      }
    }
    return done.vote();
  }

  @Override
  public Xid[] recover(int flags) throws XAException {
    if ((flags & ~(TMSTARTRSCAN | TMENDRSCAN)) != 0) {
      throw failure(
          XAException.XAER_INVAL, "recover with flags 0x" + Integer.toHexString(flags), null);
    }
    boolean starts = (flags & TMSTARTRSCAN) != 0;
    synchronized (this) {
      if (!starts && !scanning) {
        throw failure(
            XAException.XAER_INVAL, "recover continues a scan that was not started", null);
      }
    }
    Xid[] found = new Xid[0];
    if (starts) { // everything comes with the start, so a scan has nothing more to give later
      XaInDoubt inDoubt =
          (XaInDoubt) request(new XaRecover(), BrokerConnection.ANY_EPOCH, "Recovering");
      found = inDoubt.xids().stream().map(MetaqXid::new).toArray(Xid[]::new);
    }
    synchronized (this) {
      scanning = (flags & TMENDRSCAN) == 0;
    }
    return found;
  }

  // ---- settings

  @Override
  public boolean isSameRM(XAResource other) {
    return other instanceof MetaqXAResource resource
        && resource.broker().welcome().brokerIdentity().equals(broker().welcome().brokerIdentity());
  }

  @Override
  public int getTransactionTimeout() {
    return timeoutSeconds;
  }

  @Override
  public boolean setTransactionTimeout(int seconds) throws XAException {
    if (seconds < 0) {
      throw failure(
          XAException.XAER_INVAL, "A transaction time-out of " + seconds + " s is negative", null);
    }
    if (seconds > LONGEST_TIMEOUT_SECONDS) {
      return false;
    }
    timeoutSeconds = seconds;
    return true;
  }

  // ---- errors

  private Frame request(Frame frame, long epoch, String doing) throws XAException {
    try {
      return broker().requestOnce(frame, epoch);
    } catch (RequestRefusedException e) {
      int code = e.code() == ErrorCode.XA ? e.detail() : XAException.XAER_RMERR;
      if (e.code() == ErrorCode.CLOSING) {
        code = XAException.XAER_RMFAIL;
      }
      throw failure(code, doing + ": " + e.getMessage(), e);
    } catch (IOException e) {
      throw failure(XAException.XAER_RMFAIL, doing + ": " + e.getMessage(), e);
    }
  }

  private static XAException failure(int code, String message, Exception cause) {
    XAException failure = new XAException(message);
    failure.errorCode = code;
    failure.initCause(cause);
    return failure;
  }

  @Override
  public String toString() {
    return "XAResource of " + session;
  }
}
