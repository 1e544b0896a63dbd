package io.metaq.ra;

import io.metaq.ra.inbound.Activation;
import io.metaq.ra.inbound.MetaqActivationSpec;
import io.metaq.transport.BrokerAddress;
import jakarta.jms.JMSException;
import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.ConfigProperty;
import jakarta.resource.spi.Connector;
import jakarta.resource.spi.ResourceAdapter;
import jakarta.resource.spi.ResourceAdapterInternalException;
import jakarta.resource.spi.TransactionSupport.TransactionSupportLevel;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.io.Serializable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAResource;

/**
 * The adapter itself: holds the settings that factories and beans inherit, the activations, and one
 * recovery connection per broker. {@code start} touches no network, so that a server comes up while
 * the broker is down.
 */
@Connector(
    displayName = "MetaQ",
    vendorName = "MetaQ",
    eisType = "Jakarta Messaging 3.1",
    transactionSupport = TransactionSupportLevel.XATransaction)
public class MetaqResourceAdapter implements ResourceAdapter, Serializable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = System.getLogger(MetaqResourceAdapter.class.getName());
  private static final long STOP_SECONDS = 10;

  private String serverUrl;
  private String userName;
  private String password;
  private String clientId;

  private transient BootstrapContext context;
  private transient Map<ActivationKey, Activation> activations;
  private transient Map<Set<BrokerAddress>, RecoveryResource> recovery;

  @Override
  public void start(BootstrapContext bootstrap) throws ResourceAdapterInternalException {
    if (settings().url() != null) {
      try {
        settings().connectionFactory();
      } catch (JMSException e) {
        throw new ResourceAdapterInternalException(e.getMessage(), e);
      }
    }
    context = bootstrap;
    activations = new ConcurrentHashMap<>();
    recovery = new ConcurrentHashMap<>();
  }

  @Override
  public void stop() {
    if (activations == null) {
      return;
    }
    List<Activation> running = new ArrayList<>(activations.values());
    activations.clear();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
    running.forEach(Activation::requestStop);
    running.forEach(activation -> activation.awaitStop(deadline));
    recovery.values().forEach(RecoveryResource::close);
    recovery.clear();
  }

  @Override
  public void endpointActivation(MessageEndpointFactory endpoints, ActivationSpec spec)
      throws ResourceException {
    if (!(spec instanceof MetaqActivationSpec metaqSpec)) {
      throw new NotSupportedException(
          "Not an activation spec of this adapter: " + spec.getClass().getName());
    }
    metaqSpec.validate();
    Activation activation = new Activation(this, context.getWorkManager(), endpoints, metaqSpec);
    activations.put(new ActivationKey(endpoints, spec), activation);
    activation.start();
  }

  @Override
  public void endpointDeactivation(MessageEndpointFactory endpoints, ActivationSpec spec) {
    Activation activation = activations.remove(new ActivationKey(endpoints, spec));
    if (activation != null) {
      activation.requestStop();
      activation.awaitStop(System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS));
    }
  }

  /**
   * One self-reconnecting resource per distinct broker, however often it is asked for (Connectors
   * 14.5.2). An adapter that is not started, or was told no usable address, has none.
   */
  @Override
  public XAResource[] getXAResources(ActivationSpec[] specs) throws ResourceException {
    if (recovery == null || specs == null) {
      return new XAResource[0];
    }
    Set<XAResource> resources = new LinkedHashSet<>();
    for (ActivationSpec spec : specs) {
      if (!(spec instanceof MetaqActivationSpec metaqSpec)) {
        throw new NotSupportedException(
            "Not an activation spec of this adapter: " + spec.getClass().getName());
      }
      BrokerSettings settings = settingsOf(metaqSpec).withoutClientId();
      if (settings.url() != null) {
        try {
          resources.add(
              recovery.computeIfAbsent(
                  settings.addresses(), addresses -> new RecoveryResource(settings)));
        } catch (JMSException e) {
          LOG.log(Level.WARNING, "No recovery for " + spec + ": " + e.getMessage());
        }
      }
    }
    return resources.toArray(XAResource[]::new);
  }

  /** A running activation also knows what its connection factory says, which only JNDI tells. */
  private BrokerSettings settingsOf(MetaqActivationSpec spec) {
    for (Map.Entry<ActivationKey, Activation> entry : activations.entrySet()) {
      if (entry.getKey().spec() == spec) {
        return entry.getValue().settings();
      }
    }
    return spec.settings().orElse(settings());
  }

  /** What factories and beans inherit where they say nothing themselves. */
  public BrokerSettings settings() {
    return new BrokerSettings(serverUrl, userName, password, clientId);
  }

  public String getServerUrl() {
    return serverUrl;
  }

  /** Broker addresses, {@code metaq://host:8123[,host:8123...][?option=value&...]}. No default. */
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

  public void setClientId(String clientId) {
    this.clientId = clientId;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MetaqResourceAdapter adapter && settings().equals(adapter.settings());
  }

  @Override
  public int hashCode() {
    return settings().hashCode();
  }

  @Override
  public String toString() {
    return "MetaqResourceAdapter[" + settings() + "]";
  }

  /**
   * Activation specs have identity, endpoint factories may define equality: together they name an
   * activation.
   */
  private record ActivationKey(MessageEndpointFactory endpoints, ActivationSpec spec) {
    @Override
    public boolean equals(Object other) {
      return other instanceof ActivationKey key
          && key.spec == spec
          && Objects.equals(key.endpoints, endpoints);
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(spec) * 31 + Objects.hashCode(endpoints);
    }
  }
}
