package io.metaq.ra;

import io.metaq.jms.MetaqXAConnectionFactory;
import io.metaq.transport.BrokerAddress;
import io.metaq.transport.ClientOption;
import io.metaq.transport.MetaqUri;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import java.io.Serializable;
import java.util.Set;

/**
 * Where and as whom to connect. Each level (adapter, factory or bean, request) overrides the one
 * above it where it says something; null means "not said here". The password shows in no string.
 */
public record BrokerSettings(String url, String user, String password, String clientId)
    implements Serializable {
  public static final BrokerSettings NONE = new BrokerSettings(null, null, null, null);

  /** An empty text, which some consoles store for a field left empty, says nothing either. */
  public BrokerSettings {
    url = said(url);
    user = said(user);
    clientId = said(clientId);
  }

  private static String said(String text) {
    return text == null || text.isBlank() ? null : text.trim();
  }

  /**
   * These settings, with what they leave open taken from {@code outer}. User and password go
   * together.
   */
  public BrokerSettings orElse(BrokerSettings outer) {
    return new BrokerSettings(
        url != null ? url : outer.url,
        user != null ? user : outer.user,
        user != null ? password : outer.password,
        clientId != null ? clientId : outer.clientId);
  }

  /** These settings as another user. */
  public BrokerSettings as(String otherUser, String otherPassword) {
    return new BrokerSettings(url, otherUser, otherPassword, clientId);
  }

  /** These settings, with so many messages sent ahead where the URL says nothing of it. */
  public BrokerSettings withPrefetch(int messages) {
    String option = ClientOption.PREFETCH.key() + "=";
    return url == null || url.contains(option)
        ? this
        : new BrokerSettings(appended(url, option + messages), user, password, clientId);
  }

  private static String appended(String url, String option) {
    return url + (url.indexOf('?') < 0 ? "?" : "&") + option;
  }

  public BrokerSettings withoutClientId() {
    return new BrokerSettings(url, user, password, null);
  }

  /**
   * A factory for these settings whose connections never reconnect by themselves: a broken
   * connection is the container's to replace.
   *
   * @throws JMSException naming the address that is missing or wrong; there is no default that
   *     could hide the omission
   */
  public MetaqXAConnectionFactory connectionFactory() throws JMSException {
    if (url == null) {
      throw new JMSException(
          "No broker address: set serverUrl (metaq://host:8123) on the resource adapter, the"
              + " connection factory or the bean");
    }
    MetaqXAConnectionFactory factory;
    try {
      factory = new MetaqXAConnectionFactory(withoutReconnect(url));
    } catch (IllegalArgumentException e) {
      JMSException wrong =
          new JMSException("The broker address in serverUrl is wrong: " + e.getMessage());
      wrong.initCause(e);
      throw wrong;
    }
    if (user != null) {
      factory.setUser(user);
      factory.setPassword(password);
    }
    if (clientId != null) {
      factory.setClientId(clientId);
    }
    return factory;
  }

  private static String withoutReconnect(String url) {
    String option = ClientOption.RECONNECT.key() + "=";
    String set = url.replaceAll("([?&])" + option + "[^&]*", "$1" + option + "false");
    if (!set.equals(url) || url.contains(option + "false")) {
      return set;
    }
    return appended(url, option + "false");
  }

  /**
   * Connects. The threads of the connection get nothing of the application that happens to be the
   * caller, so that it can be undeployed while a pool keeps the connection.
   */
  public XAConnection connect() throws JMSException {
    Thread caller = Thread.currentThread();
    ClassLoader before = caller.getContextClassLoader();
    caller.setContextClassLoader(BrokerSettings.class.getClassLoader());
    try {
      return connectionFactory().createXAConnection();
    } finally {
      caller.setContextClassLoader(before);
    }
  }

  /** The brokers meant, whatever the options: what tells one resource manager from another. */
  Set<BrokerAddress> addresses() throws JMSException {
    connectionFactory();
    return Set.copyOf(MetaqUri.parse(url).addresses());
  }

  /** The URL as it may be shown. */
  public String shownUrl() {
    return MetaqUri.masked(url);
  }

  @Override
  public String toString() {
    return "BrokerSettings[url=" + shownUrl() + ", user=" + user + ", clientId=" + clientId + "]";
  }
}
