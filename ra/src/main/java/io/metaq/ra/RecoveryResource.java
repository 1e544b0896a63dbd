package io.metaq.ra;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import java.util.Objects;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/**
 * The resource that a container's recovery works with: connects when it is first asked something,
 * keeps one connection, and replaces it after a failure at the next call. While the broker is away
 * every call is XAER_RMFAIL, at once.
 */
final class RecoveryResource implements XAResource {
  private final BrokerSettings settings;
  private XAConnection connection;
  private XAResource resource;
  private boolean closed;

  RecoveryResource(BrokerSettings settings) {
    this.settings = settings;
  }

  private interface Call<T> {
    T on(XAResource target) throws XAException;
  }

  private interface Step {
    void on(XAResource target) throws XAException;
  }

  private synchronized <T> T call(Call<T> call) throws XAException {
    XAResource target = connected();
    try {
      return call.on(target);
    } catch (XAException e) {
      if (e.errorCode == XAException.XAER_RMFAIL) {
        disconnect();
      }
      throw e;
    }
  }

  private void step(Step step) throws XAException {
    call(
        target -> {
          step.on(target);
          return Boolean.TRUE;
        });
  }

  private XAResource connected() throws XAException {
    if (closed) {
      throw failure("the resource adapter is stopped", null);
    }
    if (resource == null) {
      try {
        connection = settings.connect();
        resource = connection.createXASession().getXAResource();
      } catch (JMSException e) {
        disconnect();
        throw failure("no connection to " + settings.shownUrl() + ": " + e.getMessage(), e);
      }
    }
    return resource;
  }

  private static XAException failure(String message, Throwable cause) {
    XAException failure = new XAException(message);
    failure.errorCode = XAException.XAER_RMFAIL;
    failure.initCause(cause);
    return failure;
  }

  private void disconnect() {
    XAConnection old = connection;
    connection = null;
    resource = null;
    Quietly.close(old);
  }

  synchronized void close() {
    closed = true;
    disconnect();
  }

  @Override
  public Xid[] recover(int flag) throws XAException {
    return call(target -> target.recover(flag));
  }

  @Override
  public void commit(Xid xid, boolean onePhase) throws XAException {
    step(target -> target.commit(xid, onePhase));
  }

  @Override
  public void rollback(Xid xid) throws XAException {
    step(target -> target.rollback(xid));
  }

  @Override
  public void forget(Xid xid) throws XAException {
    step(target -> target.forget(xid));
  }

  @Override
  public int prepare(Xid xid) throws XAException {
    return call(target -> target.prepare(xid));
  }

  @Override
  public void start(Xid xid, int flags) throws XAException {
    throw new XAException(XAException.XAER_PROTO);
  }

  @Override
  public void end(Xid xid, int flags) throws XAException {
    throw new XAException(XAException.XAER_PROTO);
  }

  /** Without a look at the network, so it compares what it was told; symmetric. */
  @Override
  public boolean isSameRM(XAResource other) {
    return other == this
        || other instanceof RecoveryResource recovery
            && Objects.equals(recovery.settings.url(), settings.url());
  }

  @Override
  public int getTransactionTimeout() {
    return 0;
  }

  @Override
  public boolean setTransactionTimeout(int seconds) {
    return false;
  }

  @Override
  public String toString() {
    return "RecoveryResource[" + settings + "]";
  }
}
