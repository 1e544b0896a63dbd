package io.metaq.jms;

import io.metaq.transport.ClientOption;
import io.metaq.transport.MetaqUri;
import io.metaq.transport.SocketConnector;
import jakarta.jms.Connection;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueConnectionFactory;
import jakarta.jms.Session;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicConnectionFactory;
import java.io.Serializable;
import java.util.Objects;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;

/**
 * What the plain and the XA connection factory share: the address, the held credentials and client
 * id, and how they get into a naming service. Changed while it is set up, then safe for any number
 * of threads. Never shows a password.
 */
public abstract class AbstractConnectionFactory
    implements QueueConnectionFactory, TopicConnectionFactory, Referenceable, Serializable {
  /** Where a factory without URL connects to. */
  public static final String DEFAULT_URL = "metaq://localhost:8123";

  /** The addresses in a {@link Reference}. */
  public static final String URL_ADDRESS = "url";

  public static final String USER_ADDRESS = "user";
  public static final String PASSWORD_ADDRESS = "password";
  public static final String CLIENT_ID_ADDRESS = "clientId";

  private static final String OBJECT_FACTORY = "io.metaq.jndi.MetaqObjectFactory";
  private static final long serialVersionUID = 1L;

  private volatile String url;
  private volatile String user;
  private volatile String password;
  private volatile String clientId;
  private transient volatile Parsed parsed;

  AbstractConnectionFactory(String url) {
    setUrl(url);
  }

  /** What is made of the URL, once. */
  private record Parsed(String url, MetaqUri uri, MessageSettings settings) {}

  private Parsed parsed() {
    Parsed now = parsed;
    if (now == null || !now.url.equals(url)) {
      MetaqUri uri = MetaqUri.parse(url);
      now = new Parsed(url, uri, ClientOptions.messageSettings(uri));
      parsed = now;
    }
    return now;
  }

  /** The URL as it was given, but for a password in it. */
  public String getUrl() {
    return MetaqUri.masked(url);
  }

  /**
   * Sets where to connect to, and how: {@code metaq://host:port,host2:port2?option=value}.
   *
   * @throws IllegalArgumentException listing every fault of the URL
   */
  public void setUrl(String url) {
    MetaqUri.parse(url);
    this.url = url;
  }

  public String getUser() {
    return user != null ? user : option(ClientOption.USER);
  }

  public void setUser(String user) {
    this.user = user;
  }

  public void setPassword(String password) {
    this.password = password;
  }

  public String getClientId() {
    return clientId != null ? clientId : option(ClientOption.CLIENT_ID);
  }

  /** The client id that every connection claims; only one connection at a time can hold it. */
  public void setClientId(String clientId) {
    this.clientId = clientId;
  }

  private String heldPassword() {
    return password != null ? password : option(ClientOption.PASSWORD);
  }

  private String option(ClientOption option) {
    String value = parsed().uri().text(option);
    return value.isEmpty() ? null : value;
  }

  final ConnectionCore open() throws JMSException {
    return open(getUser(), heldPassword());
  }

  final ConnectionCore open(String asUser, String withPassword) throws JMSException {
    String id = getClientId();
    if (id != null && id.isEmpty()) {
      throw new InvalidClientIDException("The client id of the factory is empty");
    }
    Parsed now = parsed();
    return ConnectionCore.open(
        now.uri(), now.settings(), asUser, withPassword, id, SocketConnector.plain());
  }

  @Override
  public Connection createConnection() throws JMSException {
    return new MetaqConnection(open(), Domain.COMMON);
  }

  @Override
  public Connection createConnection(String user, String password) throws JMSException {
    return new MetaqConnection(open(user, password), Domain.COMMON);
  }

  @Override
  public QueueConnection createQueueConnection() throws JMSException {
    return new MetaqConnection(open(), Domain.QUEUE);
  }

  @Override
  public QueueConnection createQueueConnection(String user, String password) throws JMSException {
    return new MetaqConnection(open(user, password), Domain.QUEUE);
  }

  @Override
  public TopicConnection createTopicConnection() throws JMSException {
    return new MetaqConnection(open(), Domain.TOPIC);
  }

  @Override
  public TopicConnection createTopicConnection(String user, String password) throws JMSException {
    return new MetaqConnection(open(user, password), Domain.TOPIC);
  }

  @Override
  public JMSContext createContext() {
    return createContext(Session.AUTO_ACKNOWLEDGE);
  }

  @Override
  public JMSContext createContext(int sessionMode) {
    return Failures.simplified(
        () -> {
          AckMode mode = AckMode.of(sessionMode);
          return MetaqContext.first(open(), mode);
        });
  }

  @Override
  public JMSContext createContext(String user, String password) {
    return createContext(user, password, Session.AUTO_ACKNOWLEDGE);
  }

  @Override
  public JMSContext createContext(String user, String password, int sessionMode) {
    return Failures.simplified(
        () -> {
          AckMode mode = AckMode.of(sessionMode);
          return MetaqContext.first(open(user, password), mode);
        });
  }

  @Override
  public Reference getReference() {
    Reference reference = new Reference(getClass().getName(), OBJECT_FACTORY, null);
    add(reference, URL_ADDRESS, url);
    add(reference, USER_ADDRESS, user);
    add(reference, PASSWORD_ADDRESS, password);
    add(reference, CLIENT_ID_ADDRESS, clientId);
    return reference;
  }

  private static void add(Reference reference, String type, String value) {
    if (value != null) {
      reference.add(new StringRefAddr(type, value));
    }
  }

  /** Factories are equal when their class and all their settings are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof AbstractConnectionFactory factory
        && other.getClass() == getClass()
        && factory.url.equals(url)
        && Objects.equals(factory.user, user)
        && Objects.equals(factory.password, password)
        && Objects.equals(factory.clientId, clientId);
  }

  @Override
  public int hashCode() {
    return Objects.hash(getClass().getName(), url, user, clientId);
  }

  @Override
  public String toString() {
    String held =
        (getUser() == null ? "" : ", user " + getUser())
            + (getClientId() == null ? "" : ", client id " + getClientId());
    return getClass().getSimpleName() + "[" + MetaqUri.parse(url) + held + "]";
  }
}
