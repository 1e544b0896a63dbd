package io.metaq.tck.transactions;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** Another XAResource, with a failpoint before and after its prepare and its commit. */
final class FailingResource implements XAResource {
  private final String name;
  private final XAResource resource;
  private final Failpoint failpoint;

  FailingResource(String name, XAResource resource, Failpoint failpoint) {
    this.name = name;
    this.resource = resource;
    this.failpoint = failpoint;
  }

  @Override
  public int prepare(Xid xid) throws XAException {
    failpoint.reached(name + ".prepare.before");
    int vote = resource.prepare(xid);
    failpoint.reached(name + ".prepare.after");
    return vote;
  }

  @Override
  public void commit(Xid xid, boolean onePhase) throws XAException {
    failpoint.reached(name + ".commit.before");
    resource.commit(xid, onePhase);
    failpoint.reached(name + ".commit.after");
  }

  @Override
  public void rollback(Xid xid) throws XAException {
    resource.rollback(xid);
  }

  @Override
  public void start(Xid xid, int flags) throws XAException {
    resource.start(xid, flags);
  }

  @Override
  public void end(Xid xid, int flags) throws XAException {
    resource.end(xid, flags);
    failpoint.reached(name + ".end.after");
  }

  @Override
  public void forget(Xid xid) throws XAException {
    resource.forget(xid);
  }

  @Override
  public Xid[] recover(int flag) throws XAException {
    return resource.recover(flag);
  }

  @Override
  public boolean isSameRM(XAResource other) throws XAException {
    return resource.isSameRM(other instanceof FailingResource wrapped ? wrapped.resource : other);
  }

  @Override
  public int getTransactionTimeout() throws XAException {
    return resource.getTransactionTimeout();
  }

  @Override
  public boolean setTransactionTimeout(int seconds) throws XAException {
    return resource.setTransactionTimeout(seconds);
  }
}
