package io.metaq.ra.outbound;

import io.metaq.ra.BrokerSettings;
import io.metaq.ra.MetaqResourceAdapter;
import jakarta.jms.JMSException;
import jakarta.jms.JMSSecurityException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ConfigProperty;
import jakarta.resource.spi.ConnectionManager;
import jakarta.resource.spi.ConnectionRequestInfo;
import jakarta.resource.spi.ManagedConnection;
import jakarta.resource.spi.ManagedConnectionFactory;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterAssociation;
import jakarta.resource.spi.SecurityException;
import jakarta.resource.spi.ValidatingManagedConnectionFactory;
import jakarta.resource.spi.security.PasswordCredential;
import java.io.PrintWriter;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import javax.security.auth.Subject;

/**
 * Makes physical connections for the container's pool and the factory that applications look up.
 * Its three subclasses differ only in the interface under which the deployment descriptor offers
 * them. Equality is by configuration (Connectors 20.4); no pooling happens here.
 */
public abstract class MetaqManagedConnectionFactory
    implements ManagedConnectionFactory,
        ResourceAdapterAssociation,
        ValidatingManagedConnectionFactory {
  private static final long serialVersionUID = 1L;

  private transient PrintWriter logWriter;
  private transient MetaqResourceAdapter resourceAdapter;
  private String serverUrl;
  private String userName;
  private String password;
  private String clientId;

  @Override
  public Object createConnectionFactory(ConnectionManager manager) {
    return new RaConnectionFactory(this, manager);
  }

  /** For use without a container: every connection is a physical one of its own. */
  @Override
  public Object createConnectionFactory() {
    return createConnectionFactory(new UnmanagedConnections());
  }

  @Override
  public ManagedConnection createManagedConnection(Subject subject, ConnectionRequestInfo request)
      throws ResourceException {
    BrokerSettings settings = effective(subject, request);
    try {
      return new MetaqManagedConnection(this, settings, settings.connect());
    } catch (JMSSecurityException e) {
      throw new SecurityException(
          "User "
              + settings.user()
              + " is refused by "
              + settings.shownUrl()
              + ": "
              + e.getMessage(),
          e);
    } catch (JMSException e) {
      throw new ResourceException(
          "No connection to " + settings.shownUrl() + ": " + e.getMessage(), e);
    }
  }

  @Override
  @SuppressWarnings("rawtypes") // the interface's
  public ManagedConnection matchManagedConnections(
      Set candidates, Subject subject, ConnectionRequestInfo request) throws ResourceException {
    BrokerSettings wanted = effective(subject, request);
    for (Object candidate : candidates) {
      if (candidate instanceof MetaqManagedConnection connection
          && connection.isUsableFor(this, wanted)) {
        return connection;
      }
    }
    return null;
  }

  @Override
  @SuppressWarnings({"rawtypes", "unchecked"}) // the interface's
  public Set getInvalidConnections(Set candidates) {
    Set invalid = new HashSet();
    for (Object candidate : candidates) {
      if (candidate instanceof MetaqManagedConnection connection && !connection.isAlive()) {
        invalid.add(connection);
      }
    }
    return invalid;
  }

  /**
   * Credentials: the container's for this factory, else the request's, else the configured ones
   * (Connectors 10).
   */
  private BrokerSettings effective(Subject subject, ConnectionRequestInfo request) {
    BrokerSettings settings = settings();
    if (subject != null) {
      for (PasswordCredential credential :
          subject.getPrivateCredentials(PasswordCredential.class)) {
        if (equals(credential.getManagedConnectionFactory())) {
          char[] secret = credential.getPassword();
          return settings.as(credential.getUserName(), secret == null ? null : new String(secret));
        }
      }
    }
    if (request instanceof Credentials credentials && credentials.user() != null) {
      return settings.as(credentials.user(), credentials.password());
    }
    return settings;
  }

  /** What this factory says, completed by its resource adapter. */
  public BrokerSettings settings() {
    BrokerSettings own = new BrokerSettings(serverUrl, userName, password, clientId);
    return resourceAdapter == null ? own : own.orElse(resourceAdapter.settings());
  }

  @Override
  public ResourceAdapter getResourceAdapter() {
    return resourceAdapter;
  }

  @Override
  public void setResourceAdapter(ResourceAdapter adapter) throws ResourceException {
    if (resourceAdapter != null && resourceAdapter != adapter) {
      throw new jakarta.resource.spi.IllegalStateException(
          "The connection factory is already associated with an adapter");
    }
    if (!(adapter instanceof MetaqResourceAdapter metaq)) {
      throw new ResourceException("Not the MetaQ resource adapter: " + adapter);
    }
    resourceAdapter = metaq;
  }

  @Override
  public void setLogWriter(PrintWriter out) {
    logWriter = out;
  }

  @Override
  public PrintWriter getLogWriter() {
    return logWriter;
  }

  public String getServerUrl() {
    return serverUrl;
  }

  /** Broker addresses of this factory; the resource adapter's where it says nothing. */
  public void setServerUrl(String serverUrl) {
    this.serverUrl = serverUrl;
  }

  public String getUserName() {
    return userName;
  }

  public void setUserName(String userName) {
    this.userName = userName;
  }

  public String getPassword() {
    return password;
  }

  @ConfigProperty(confidential = true)
  public void setPassword(String password) {
    this.password = password;
  }

  public String getClientId() {
    return clientId;
  }

  /** Client id of every connection: with it, a factory has one connection at a time. */
  public void setClientId(String clientId) {
    this.clientId = clientId;
  }

  @Override
  public boolean equals(Object other) {
    return other != null
        && other.getClass() == getClass()
        && other instanceof MetaqManagedConnectionFactory factory
        && Objects.equals(resourceAdapter, factory.resourceAdapter)
        && settings().equals(factory.settings());
  }

  @Override
  public int hashCode() {
    return Objects.hash(getClass(), settings());
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[" + settings() + "]";
  }
}
