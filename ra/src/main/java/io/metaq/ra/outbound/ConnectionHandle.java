package io.metaq.ra.outbound;

import io.metaq.ra.Quietly;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;

/**
 * What an application holds instead of a connection. Applies the rules for Jakarta EE components
 * (Messaging 12): one session at a time, no listeners, no stop; its session parameters matter
 * outside a transaction only. The container may move it to another managed connection between
 * transactions.
 */
public final class ConnectionHandle implements QueueConnection, TopicConnection {
  private MetaqManagedConnection managed;
  private SessionHandle session;
  private boolean started;

  ConnectionHandle(MetaqManagedConnection managed) {
    this.managed = managed;
  }

  synchronized MetaqManagedConnection managed() throws jakarta.jms.IllegalStateException {
    if (managed == null) {
      throw new jakarta.jms.IllegalStateException("The connection is closed");
    }
    return managed;
  }

  synchronized void moveTo(MetaqManagedConnection other) throws jakarta.resource.ResourceException {
    if (managed != null && managed != other) {
      managed.forget(this);
    }
    managed = other;
    try {
      if (started) {
        managed.physical().start();
      }
    } catch (JMSException e) {
      throw new jakarta.resource.ResourceException(
          "The connection cannot be started: " + e.getMessage(), e);
    }
  }

  synchronized void invalidate() {
    Quietly.close(session);
    session = null;
    managed = null;
  }

  synchronized void forget(SessionHandle closed) {
    if (session == closed) {
      session = null;
    }
  }

  /**
   * Whether the connection behind it still answers. Of no interface of messaging: a container's
   * recovery that finds this method, by the name it has in JDBC, keeps its connection for the
   * resources that it has handed out; one that does not replaces the connection under them.
   *
   * @param seconds is not needed, since the request time-out of the connection bounds the wait
   */
  public boolean isValid(int seconds) {
    MetaqManagedConnection asked;
    synchronized (this) {
      asked = managed;
    }
    return asked != null && asked.isAlive();
  }

  private synchronized SessionHandle open(SessionHandle.Domain domain, int mode)
      throws JMSException {
    managed();
    if (session != null) {
      throw new JMSException(
          "A connection of a Jakarta EE component has one session at a time (Messaging 12.3)");
    }
    session = new SessionHandle(this, domain, mode);
    return session;
  }

  private static int mode(boolean transacted, int acknowledgeMode) throws JMSException {
    if (!transacted
        && (acknowledgeMode < Session.SESSION_TRANSACTED
            || acknowledgeMode > Session.DUPS_OK_ACKNOWLEDGE)) {
      throw new JMSException("There is no session mode " + acknowledgeMode);
    }
    return !transacted && acknowledgeMode == Session.DUPS_OK_ACKNOWLEDGE
        ? Session.DUPS_OK_ACKNOWLEDGE
        : Session.AUTO_ACKNOWLEDGE;
  }

  @Override
  public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
    return open(SessionHandle.Domain.BOTH, mode(transacted, acknowledgeMode));
  }

  @Override
  public SessionHandle createSession(int sessionMode) throws JMSException {
    return open(
        SessionHandle.Domain.BOTH, mode(sessionMode == Session.SESSION_TRANSACTED, sessionMode));
  }

  @Override
  public Session createSession() throws JMSException {
    return open(SessionHandle.Domain.BOTH, Session.AUTO_ACKNOWLEDGE);
  }

  @Override
  public QueueSession createQueueSession(boolean transacted, int acknowledgeMode)
      throws JMSException {
    return open(SessionHandle.Domain.QUEUES, mode(transacted, acknowledgeMode));
  }

  @Override
  public TopicSession createTopicSession(boolean transacted, int acknowledgeMode)
      throws JMSException {
    return open(SessionHandle.Domain.TOPICS, mode(transacted, acknowledgeMode));
  }

  @Override
  public String getClientID() throws JMSException {
    return managed().physical().getClientID();
  }

  @Override
  public ConnectionMetaData getMetaData() throws JMSException {
    return managed().physical().getMetaData();
  }

  @Override
  public synchronized void start() throws JMSException {
    managed().physical().start();
    started = true;
  }

  @Override
  public void close() {
    MetaqManagedConnection from;
    synchronized (this) {
      from = managed;
      invalidate();
    }
    if (from != null) {
      from.closed(this);
    }
  }

  private static jakarta.jms.IllegalStateException forbidden(String method) {
    return new jakarta.jms.IllegalStateException(
        method + " is not for Jakarta EE components (Messaging 12.2)");
  }

  @Override
  public void setClientID(String clientId) throws JMSException {
    throw forbidden("setClientID");
  }

  @Override
  public ExceptionListener getExceptionListener() throws JMSException {
    throw forbidden("getExceptionListener");
  }

  @Override
  public void setExceptionListener(ExceptionListener listener) throws JMSException {
    throw forbidden("setExceptionListener");
  }

  @Override
  public void stop() throws JMSException {
    throw forbidden("stop");
  }

  @Override
  public ConnectionConsumer createConnectionConsumer(
      Destination destination, String selector, ServerSessionPool pool, int maxMessages)
      throws JMSException {
    throw forbidden("createConnectionConsumer");
  }

  @Override
  public ConnectionConsumer createConnectionConsumer(
      Queue queue, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
    throw forbidden("createConnectionConsumer");
  }

  @Override
  public ConnectionConsumer createConnectionConsumer(
      Topic topic, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
    throw forbidden("createConnectionConsumer");
  }

  @Override
  public ConnectionConsumer createSharedConnectionConsumer(
      Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
      throws JMSException {
    throw forbidden("createSharedConnectionConsumer");
  }

  @Override
  public ConnectionConsumer createDurableConnectionConsumer(
      Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
      throws JMSException {
    throw forbidden("createDurableConnectionConsumer");
  }

  @Override
  public ConnectionConsumer createSharedDurableConnectionConsumer(
      Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
      throws JMSException {
    throw forbidden("createSharedDurableConnectionConsumer");
  }

  @Override
  public synchronized String toString() {
    return "ConnectionHandle[" + (managed == null ? "closed" : managed) + "]";
  }
}
