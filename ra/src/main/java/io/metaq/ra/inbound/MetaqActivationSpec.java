package io.metaq.ra.inbound;

import io.metaq.ra.BrokerSettings;
import io.metaq.selector.Selector;
import io.metaq.selector.SelectorSyntaxException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.Activation;
import jakarta.resource.spi.ActivationSpec;
import jakarta.resource.spi.ConfigProperty;
import jakarta.resource.spi.InvalidPropertyException;
import jakarta.resource.spi.ResourceAdapter;
import java.beans.IntrospectionException;
import java.beans.PropertyDescriptor;
import java.util.ArrayList;
import java.util.List;

/**
 * What a message-driven bean says of itself: the eight standard properties (Messaging 13.1) and the
 * names that ported beans use. Has identity, as Connectors 20.4 asks. {@link #validate} needs no
 * broker and names every wrong property at once.
 */
@Activation(messageListeners = jakarta.jms.MessageListener.class)
public class MetaqActivationSpec implements ActivationSpec {
  private ResourceAdapter resourceAdapter;
  private String destinationLookup;
  private String connectionFactoryLookup;
  private String acknowledgeMode = "Auto-acknowledge";
  private String messageSelector;
  private String destinationType;
  private String subscriptionDurability = "NonDurable";
  private String clientId;
  private String subscriptionName;
  private String destination;
  private Boolean shareSubscriptions = Boolean.FALSE;
  private Integer maxSessions = 10;
  private String serverUrl;
  private String userName;
  private String password;
  private Integer maxFailures = 0;
  private Integer pauseSeconds = 30;

  /** What this bean overrides of the adapter's settings. */
  public BrokerSettings settings() {
    return new BrokerSettings(serverUrl, userName, password, clientId);
  }

  @Override
  public void validate() throws InvalidPropertyException {
    Faults faults = new Faults();
    boolean named = isSet(destination);
    faults.check(
        named || isSet(destinationLookup),
        "destinationLookup",
        "destinationLookup or destination is needed");
    faults.check(
        destinationType == null || isQueueType() || isTopicType(),
        "destinationType",
        "destinationType is '"
            + destinationType
            + "', but must be jakarta.jms.Queue or jakarta.jms.Topic");
    faults.check(
        !named
            || isSet(destinationLookup)
            || destinationType != null
            || destination.startsWith("java:"),
        "destinationType",
        "destinationType is needed with destination, since a bare name tells no kind");
    faults.check(
        shareSubscriptions != null,
        "shareSubscriptions",
        "shareSubscriptions must be true or false");
    faults.check(
        "Auto-acknowledge".equalsIgnoreCase(acknowledgeMode)
            || "Dups-ok-acknowledge".equalsIgnoreCase(acknowledgeMode),
        "acknowledgeMode",
        "acknowledgeMode is '"
            + acknowledgeMode
            + "', but must be Auto-acknowledge or Dups-ok-acknowledge");
    faults.check(
        isDurable() || "NonDurable".equalsIgnoreCase(subscriptionDurability),
        "subscriptionDurability",
        "subscriptionDurability is '"
            + subscriptionDurability
            + "', but must be Durable or NonDurable");
    faults.check(
        !isDurable() || isSet(subscriptionName),
        "subscriptionName",
        "subscriptionName is needed for a Durable subscription");
    faults.check(
        !isDurable() || !isQueueType(),
        "subscriptionDurability",
        "subscriptionDurability Durable goes with a Topic only");
    faults.check(
        maxSessions != null && maxSessions > 0,
        "maxSessions",
        "maxSessions is " + maxSessions + ", but must be 1 or more");
    faults.check(
        maxFailures != null && maxFailures >= 0,
        "maxFailures",
        "maxFailures is " + maxFailures + ", but must be 0 (never pause) or more");
    faults.check(
        pauseSeconds != null && pauseSeconds >= 0,
        "pauseSeconds",
        "pauseSeconds is " + pauseSeconds + ", but must be 0 (until resumed) or more");
    if (isSet(messageSelector)) {
      try {
        Selector.parse(messageSelector);
      } catch (SelectorSyntaxException e) {
        faults.add("messageSelector", "messageSelector: " + e.getMessage());
      }
    }
    faults.throwIfAny();
  }

  /** Collects wrong properties with what is wrong about each. */
  private static final class Faults {
    private final List<String> messages = new ArrayList<>();
    private final List<PropertyDescriptor> properties = new ArrayList<>();

    void check(boolean holds, String property, String message) {
      if (!holds) {
        add(property, message);
      }
    }

    void add(String property, String message) {
      messages.add(message);
      try {
        properties.add(new PropertyDescriptor(property, MetaqActivationSpec.class));
      } catch (IntrospectionException e) {
        throw new IllegalStateException("No accessors for the property " + property, e);
      }
    }

    void throwIfAny() throws InvalidPropertyException {
      if (!messages.isEmpty()) {
        InvalidPropertyException invalid =
            new InvalidPropertyException(String.join("; ", messages));
        invalid.setInvalidPropertyDescriptors(properties.toArray(PropertyDescriptor[]::new));
        throw invalid;
      }
    }
  }

  private static boolean isSet(String value) {
    return value != null && !value.isBlank();
  }

  public boolean isDurable() {
    return "Durable".equalsIgnoreCase(subscriptionDurability);
  }

  public boolean isDupsOk() {
    return "Dups-ok-acknowledge".equalsIgnoreCase(acknowledgeMode);
  }

  boolean isTopicType() {
    return Topic.class.getName().equals(destinationType);
  }

  boolean isQueueType() {
    return Queue.class.getName().equals(destinationType);
  }

  @Override
  public ResourceAdapter getResourceAdapter() {
    return resourceAdapter;
  }

  @Override
  public void setResourceAdapter(ResourceAdapter adapter) throws ResourceException {
    if (resourceAdapter != null && resourceAdapter != adapter) {
      throw new jakarta.resource.spi.IllegalStateException(
          "The activation spec is already associated with an adapter");
    }
    resourceAdapter = adapter;
  }

  public String getDestinationLookup() {
    return destinationLookup;
  }

  /** JNDI name of the destination, looked up in the bean's namespace. */
  public void setDestinationLookup(String destinationLookup) {
    this.destinationLookup = destinationLookup;
  }

  public String getConnectionFactoryLookup() {
    return connectionFactoryLookup;
  }

  /**
   * JNDI name of a factory of this adapter, whose address, user and client id are taken where the
   * bean names none.
   */
  public void setConnectionFactoryLookup(String connectionFactoryLookup) {
    this.connectionFactoryLookup = connectionFactoryLookup;
  }

  public String getAcknowledgeMode() {
    return acknowledgeMode;
  }

  /** Auto-acknowledge (default) or Dups-ok-acknowledge; without effect in XA delivery. */
  public void setAcknowledgeMode(String acknowledgeMode) {
    this.acknowledgeMode = acknowledgeMode;
  }

  public String getMessageSelector() {
    return messageSelector;
  }

  public void setMessageSelector(String messageSelector) {
    this.messageSelector = messageSelector;
  }

  public String getDestinationType() {
    return destinationType;
  }

  /** jakarta.jms.Queue or jakarta.jms.Topic. */
  public void setDestinationType(String destinationType) {
    this.destinationType = destinationType;
  }

  public String getSubscriptionDurability() {
    return subscriptionDurability;
  }

  /** Durable or NonDurable (default). */
  public void setSubscriptionDurability(String subscriptionDurability) {
    this.subscriptionDurability = subscriptionDurability;
  }

  public String getClientId() {
    return clientId;
  }

  /** Always optional: without it a named subscription is a shared one. */
  public void setClientId(String clientId) {
    this.clientId = clientId;
  }

  public String getSubscriptionName() {
    return subscriptionName;
  }

  public void setSubscriptionName(String subscriptionName) {
    this.subscriptionName = subscriptionName;
  }

  public String getDestination() {
    return destination;
  }

  /** Name of the destination on the broker, or, as ported beans use it, its JNDI name. */
  public void setDestination(String destination) {
    this.destination = destination;
  }

  public Boolean getShareSubscriptions() {
    return shareSubscriptions;
  }

  /** Whether a named subscription is shared although a client id is given. */
  public void setShareSubscriptions(Boolean shareSubscriptions) {
    this.shareSubscriptions = shareSubscriptions;
  }

  public Integer getMaxSessions() {
    return maxSessions;
  }

  /** Endpoints in parallel, 1 or more, default 10; 1 keeps the order of messages. */
  public void setMaxSessions(Integer maxSessions) {
    this.maxSessions = maxSessions;
  }

  public Integer getMaxSession() {
    return maxSessions;
  }

  /** The name beans from other adapters use for {@link #setMaxSessions}. */
  public void setMaxSession(Integer maxSession) {
    this.maxSessions = maxSession;
  }

  public String getServerUrl() {
    return serverUrl;
  }

  public void setServerUrl(String serverUrl) {
    this.serverUrl = serverUrl;
  }

  public String getUserName() {
    return userName;
  }

  public void setUserName(String userName) {
    this.userName = userName;
  }

  public String getUser() {
    return userName;
  }

  /** The name beans from other adapters use for {@link #setUserName}. */
  public void setUser(String user) {
    this.userName = user;
  }

  public String getPassword() {
    return password;
  }

  @ConfigProperty(confidential = true)
  public void setPassword(String password) {
    this.password = password;
  }

  public Integer getMaxFailures() {
    return maxFailures;
  }

  /** Failed deliveries in a row after which the bean is paused; 0 (default) = never. */
  public void setMaxFailures(Integer maxFailures) {
    this.maxFailures = maxFailures;
  }

  public Integer getPauseSeconds() {
    return pauseSeconds;
  }

  /** How long a paused bean waits, in seconds, default 30; 0 = until it is resumed through JMX. */
  public void setPauseSeconds(Integer pauseSeconds) {
    this.pauseSeconds = pauseSeconds;
  }

  @Override
  public String toString() {
    return "MetaqActivationSpec["
        + (destinationLookup != null ? destinationLookup : destination)
        + ", "
        + settings()
        + "]";
  }
}
