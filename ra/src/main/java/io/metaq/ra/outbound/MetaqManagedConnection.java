package io.metaq.ra.outbound;

import io.metaq.jms.ManagedSession;
import io.metaq.ra.BrokerSettings;
import io.metaq.ra.Quietly;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionEvent;
import jakarta.resource.spi.ConnectionEventListener;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.LocalTransaction;
import jakarta.resource.spi.LocalTransactionException;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionMetaData;
import java.io.PrintWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.security.auth.Subject;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/**
 * One physical connection with the one XA session that all its handles work through: the container
 * switches that session between an XA branch, a local transaction and automatic acknowledgement,
 * and no handle notices. It never reconnects; a break is reported once and ends it. Has identity,
 * as Connectors 20.4 asks.
 */
public final class MetaqManagedConnection implements ManagedConnection {
  private static final Logger LOG = System.getLogger(MetaqManagedConnection.class.getName());

  /** Deletes a temporary destination. */
  interface Deletion {
    void delete() throws JMSException;
  }

  private final MetaqManagedConnectionFactory factory;
  private final BrokerSettings settings;
  private final XAConnection physical;
  private final ManagedSession session;
  private final List<ConnectionEventListener> listeners = new CopyOnWriteArrayList<>();
  private final Set<ConnectionHandle> handles = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean broken = new AtomicBoolean();
  private final Set<Deletion> temporaries = ConcurrentHashMap.newKeySet();
  private volatile boolean inLocalTransaction;
  private PrintWriter logWriter;

  MetaqManagedConnection(
      MetaqManagedConnectionFactory factory, BrokerSettings settings, XAConnection physical)
      throws JMSException {
    this.factory = factory;
    this.settings = settings;
    this.physical = physical;
    try {
      physical.setExceptionListener(this::broke);
      session = (ManagedSession) physical.createXASession();
    } catch (JMSException e) {
      Quietly.close(physical);
      throw e;
    }
  }

  XAConnection physical() {
    return physical;
  }

  ManagedSession session() {
    return session;
  }

  boolean isUsableFor(MetaqManagedConnectionFactory other, BrokerSettings wanted) {
    return !broken.get() && factory.equals(other) && settings.equals(wanted);
  }

  /** Asks the broker, so that a half-dead connection is found: for validation only, it costs. */
  boolean isAlive() {
    if (broken.get()) {
      return false;
    }
    try {
      session.getXAResource().recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
      return true;
    } catch (XAException e) {
      LOG.log(Level.DEBUG, this + " could not be asked", e);
      if (e.errorCode == XAException.XAER_RMFAIL) {
        broken.set(true);
      }
      return !broken.get();
    }
  }

  /**
   * Reports the break of the connection, if that is what the exception says, before the application
   * hears of it.
   */
  void noticeBreak(JMSException why) {
    if ("CONNECTION_LOST".equals(why.getErrorCode())) {
      broke(why);
    }
  }

  /** Deletes, when the connection goes back to its pool, what the application has left. */
  void ownsTemporary(Deletion deletion) {
    temporaries.add(deletion);
  }

  private void deleteTemporaries() {
    for (Deletion deletion : temporaries) {
      temporaries.remove(deletion);
      try {
        deletion.delete();
      } catch (JMSException e) {
        LOG.log(Level.DEBUG, "A temporary destination of " + this + " is gone already", e);
      }
    }
  }

  private void broke(JMSException why) {
    if (broken.compareAndSet(false, true)) {
      ConnectionEvent event =
          new ConnectionEvent(this, ConnectionEvent.CONNECTION_ERROR_OCCURRED, why);
      listeners.forEach(listener -> listener.connectionErrorOccurred(event));
    }
  }

  @Override
  public Object getConnection(Subject subject, ConnectionRequestInfo request)
      throws ResourceException {
    if (broken.get()) {
      throw new ResourceException("The connection to " + settings.shownUrl() + " is broken");
    }
    ConnectionHandle handle = new ConnectionHandle(this);
    handles.add(handle);
    return handle;
  }

  @Override
  public void associateConnection(Object connection) throws ResourceException {
    if (!(connection instanceof ConnectionHandle handle)) {
      throw new ResourceException(
          "Not a connection handle of this resource adapter: " + connection);
    }
    handles.add(handle);
    handle.moveTo(this);
  }

  void forget(ConnectionHandle handle) {
    handles.remove(handle);
  }

  /** The application closed its handle; the physical connection stays as it is. */
  void closed(ConnectionHandle handle) {
    if (handles.remove(handle)) {
      ConnectionEvent event = new ConnectionEvent(this, ConnectionEvent.CONNECTION_CLOSED);
      event.setConnectionHandle(handle);
      listeners.forEach(listener -> listener.connectionClosed(event));
    }
  }

  private void invalidateHandles() {
    for (ConnectionHandle handle : handles) {
      handles.remove(handle);
      handle.invalidate();
    }
  }

  @Override
  public void cleanup() throws ResourceException {
    invalidateHandles();
    if (broken.get()) {
      return;
    }
    try {
      if (inLocalTransaction) {
        inLocalTransaction = false;
        session.rollbackLocal();
      }
      if (session.inTransaction()) {
        broken.set(true);
        throw new ResourceException(
            "The connection to " + settings.shownUrl() + " still works for an XA branch");
      }
      deleteTemporaries();
      physical.stop();
    } catch (JMSException e) {
      broken.set(true);
      throw new ResourceException(
          "The connection to "
              + settings.shownUrl()
              + " cannot be made ready again: "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public void destroy() {
    broken.set(true);
    invalidateHandles();
    Quietly.close(physical);
  }

  @Override
  public void addConnectionEventListener(ConnectionEventListener listener) {
    listeners.add(listener);
  }

  @Override
  public void removeConnectionEventListener(ConnectionEventListener listener) {
    listeners.remove(listener);
  }

  @Override
  public XAResource getXAResource() {
    return session.getXAResource();
  }

  /**
   * Demarcated by the container: no local-transaction events are sent for these (Connectors 7.9).
   */
  @Override
  public LocalTransaction getLocalTransaction() {
    return new LocalTransaction() {
      private interface Step {
        void run() throws JMSException;
      }

      private void step(String what, boolean opens, Step step) throws ResourceException {
        try {
          inLocalTransaction = false;
          step.run();
          inLocalTransaction = opens;
        } catch (JMSException e) {
          noticeBreak(e);
          throw new LocalTransactionException(what + " failed: " + e.getMessage(), e);
        }
      }

      @Override
      public void begin() throws ResourceException {
        step("Beginning a local transaction", true, session::beginLocal);
      }

      @Override
      public void commit() throws ResourceException {
        step("Committing the local transaction", false, session::commitLocal);
      }

      @Override
      public void rollback() throws ResourceException {
        step("Rolling the local transaction back", false, session::rollbackLocal);
      }
    };
  }

  @Override
  public ManagedConnectionMetaData getMetaData() {
    return new ManagedConnectionMetaData() {
      @Override
      public String getEISProductName() {
        return "MetaQ";
      }

      @Override
      public String getEISProductVersion() throws ResourceException {
        try {
          return physical.getMetaData().getProviderVersion();
        } catch (JMSException e) {
          throw new ResourceException("The connection does not say its version", e);
        }
      }

      @Override
      public int getMaxConnections() {
        return 0;
      }

      @Override
      public String getUserName() {
        return settings.user();
      }
    };
  }

  @Override
  public void setLogWriter(PrintWriter out) {
    logWriter = out;
  }

  @Override
  public PrintWriter getLogWriter() {
    return logWriter;
  }

  @Override
  public String toString() {
    return "MetaqManagedConnection[" + settings + (broken.get() ? ", broken" : "") + "]";
  }
}
