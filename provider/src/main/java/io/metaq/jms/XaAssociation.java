package io.metaq.jms;

import io.metaq.wire.TransactionFrames.WireXid;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;

/**
 * What the work of an XA session belongs to now: an XA branch, a local transaction that a container
 * demarcates, or nothing. State changes are guarded by the session's lock.
 */
final class XaAssociation {
  /** An association with a branch. */
  private static final class Branch {
    private final WireXid xid;
    private final SessionTransaction.Membership membership;
    private volatile boolean lost;

    Branch(WireXid xid, SessionTransaction.Membership membership) {
      this.xid = xid;
      this.membership = membership;
    }
  }

  private final SessionCore session;
  private volatile Branch branch;
  private volatile boolean local;

  XaAssociation(SessionCore session) {
    this.session = session;
  }

  AckMode mode() {
    return branch != null || local ? AckMode.TRANSACTED : AckMode.AUTO;
  }

  /** What a send belongs to, or null for nothing. */
  SessionTransaction.Membership join() throws JMSException {
    Branch now = branch;
    if (now != null) {
      return now.membership;
    }
    return local ? session.transaction().join() : null;
  }

  /** The branch the session works for, or null. */
  WireXid xid() {
    Branch now = branch;
    return now == null ? null : now.xid;
  }

  long handle() {
    Branch now = branch;
    return now == null ? 0 : now.membership.transaction();
  }

  long epoch() {
    Branch now = branch;
    return now == null ? 0 : now.membership.epoch();
  }

  boolean isLocal() {
    return local;
  }

  void begin(WireXid xid, long handle, long epoch) {
    Branch started = new Branch(xid, new SessionTransaction.Membership(handle, epoch));
    session.lock.lock();
    try {
      started.lost = epoch != session.connection().broker().epoch();
      branch = started;
    } finally {
      session.lock.unlock();
    }
  }

  /** With the session's lock. */
  void end() {
    branch = null;
  }

  void beginLocal() throws IllegalStateException {
    session.lock.lock();
    try {
      if (branch != null || local) {
        throw new IllegalStateException("The session is in a transaction already");
      }
      local = true;
    } finally {
      session.lock.unlock();
    }
  }

  void endLocal() {
    local = false;
  }

  /** With the session's lock: the broker has rolled the branch back. */
  void connectionLost() {
    Branch now = branch;
    if (now != null) {
      now.lost = true;
    }
  }

  /** Nothing may be done for a branch that is rolled back, since it would stand outside of it. */
  void requireUsable(String doing) throws JMSException {
    Branch now = branch;
    if (now != null && now.lost) {
      throw new JMSException(
          doing
              + " failed: the connection broke during the XA branch "
              + now.xid
              + ", which the broker has rolled back",
          "CONNECTION_LOST");
    }
  }
}
