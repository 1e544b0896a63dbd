package io.metaq.ra.outbound;

import io.metaq.jms.Failures;
import io.metaq.ra.BrokerSettings;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import jakarta.resource.Referenceable;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.SecurityException;
import java.io.Serializable;
import javax.naming.Reference;

/**
 * The factory that applications look up: asks the container's connection manager for a handle each
 * time. Holds no connection. Thread-safe.
 */
public final class RaConnectionFactory
    implements ConnectionFactory,
        QueueConnectionFactory,
        TopicConnectionFactory,
        Referenceable,
        Serializable {
  private static final long serialVersionUID = 1L;

  private final MetaqManagedConnectionFactory factory;
  private final ConnectionManager manager;
  private Reference reference;

  RaConnectionFactory(MetaqManagedConnectionFactory factory, ConnectionManager manager) {
    this.factory = factory;
    this.manager = manager;
  }

  /** Where this factory connects to. */
  public BrokerSettings settings() {
    return factory.settings();
  }

  private ConnectionHandle allocate(Credentials credentials) throws JMSException {
    try {
      return (ConnectionHandle) manager.allocateConnection(factory, credentials);
    } catch (SecurityException e) {
      throw withCause(new JMSSecurityException(e.getMessage()), e);
    } catch (ResourceException e) {
      for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
        if (cause instanceof SecurityException || cause instanceof JMSSecurityException) {
          throw withCause(new JMSSecurityException(cause.getMessage()), e);
        }
      }
      throw withCause(new JMSException(e.getMessage()), e);
    }
  }

  private static <T extends JMSException> T withCause(T exception, Exception cause) {
    exception.setLinkedException(cause);
    exception.initCause(cause);
    return exception;
  }

  @Override
  public ConnectionHandle createConnection() throws JMSException {
    return allocate(Credentials.NONE);
  }

  @Override
  public ConnectionHandle createConnection(String user, String password) throws JMSException {
    return allocate(new Credentials(user, password));
  }

  @Override
  public QueueConnection createQueueConnection() throws JMSException {
    return createConnection();
  }

  @Override
  public QueueConnection createQueueConnection(String user, String password) throws JMSException {
    return createConnection(user, password);
  }

  @Override
  public TopicConnection createTopicConnection() throws JMSException {
    return createConnection();
  }

  @Override
  public TopicConnection createTopicConnection(String user, String password) throws JMSException {
    return createConnection(user, password);
  }

  private static JMSContext context(Failures.Call<ConnectionHandle> opening, int mode) {
    return Failures.simplified(() -> new ContextHandle(opening.make(), mode));
  }

  @Override
  public JMSContext createContext() {
    return context(this::createConnection, Session.AUTO_ACKNOWLEDGE);
  }

  @Override
  public JMSContext createContext(String user, String password) {
    return context(() -> createConnection(user, password), Session.AUTO_ACKNOWLEDGE);
  }

  @Override
  public JMSContext createContext(String user, String password, int mode) {
    return context(() -> createConnection(user, password), mode);
  }

  @Override
  public JMSContext createContext(int mode) {
    return context(this::createConnection, mode);
  }

  @Override
  public void setReference(Reference reference) {
    this.reference = reference;
  }

  @Override
  public Reference getReference() {
    return reference;
  }

  @Override
  public String toString() {
    return "RaConnectionFactory[" + settings() + "]";
  }
}
