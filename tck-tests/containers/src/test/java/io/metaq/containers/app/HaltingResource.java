package io.metaq.containers.app;

import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * Votes yes and ends the process when it is told to commit, which it is first, since it was
 * enlisted first.
 */
final class HaltingResource implements XAResource {
  @Override
  public void commit(Xid xid, boolean onePhase) {
    Runtime.getRuntime().halt(9);
  }

  @Override
  public int prepare(Xid xid) {
    return XA_OK;
  }

  @Override
  public void rollback(Xid xid) {
    // nothing was done
  }

  @Override
  public void start(Xid xid, int flags) {
    // nothing to do
  }

  @Override
  public void end(Xid xid, int flags) {
    // nothing to do
  }

  @Override
  public void forget(Xid xid) {
    // nothing to do
  }

  @Override
  public Xid[] recover(int flag) {
    return new Xid[0];
  }

  @Override
  public boolean isSameRM(XAResource other) {
    return other == this;
  }

  @Override
  public int getTransactionTimeout() {
    return 0;
  }

  @Override
  public boolean setTransactionTimeout(int seconds) {
    return false;
  }
}
