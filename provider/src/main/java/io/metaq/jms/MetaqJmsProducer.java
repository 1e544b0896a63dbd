package io.metaq.jms;

import static io.metaq.jms.Failures.simplified;
import static io.metaq.jms.Failures.simplifiedRun;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import java.io.Serializable;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * A producer in the simplified API. A message without body holds the properties and header fields
 * that go into every message sent, so that the rules for them are those of messages.
 */
final class MetaqJmsProducer implements JMSProducer {
  /** Where the messages go. */
  interface Outlet {
    void requireOpen() throws JMSException;

    /** Throws where asynchronous sends are not allowed. */
    default void requireCallbacksAllowed() {}

    /**
     * @param async null for a send that waits
     */
    void send(
        MetaqDestination target, Message message, SendOptions options, CompletionListener async)
        throws JMSException;
  }

  private final MessageFactory messages;
  private final Outlet outlet;
  private final MetaqMessage template;
  private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;
  private int priority = Message.DEFAULT_PRIORITY;
  private long timeToLive = Message.DEFAULT_TIME_TO_LIVE;
  private long deliveryDelay = Message.DEFAULT_DELIVERY_DELAY;
  private boolean withoutId;
  private boolean withoutTimestamp;
  private CompletionListener async;

  MetaqJmsProducer(SessionCore session) {
    this(session.connection().messages(), new SessionOutlet(session));
  }

  MetaqJmsProducer(MessageFactory messages, Outlet outlet) {
    this.messages = messages;
    this.outlet = outlet;
    this.template = messages.createMessage();
  }

  private record SessionOutlet(SessionCore session) implements Outlet {
    @Override
    public void requireOpen() throws JMSException {
      session.requireOpen();
    }

    @Override
    public void send(
        MetaqDestination target, Message message, SendOptions options, CompletionListener async)
        throws JMSException {
      if (async == null) {
        session.sender().send(target, message, options);
      } else {
        session.sender().send(target, message, options, async);
      }
    }
  }

  // ---- sending

  @Override
  public JMSProducer send(Destination destination, Message message) {
    simplifiedRun(() -> sendNow(destination, message));
    return this;
  }

  private void sendNow(Destination destination, Message message) throws JMSException {
    outlet.requireOpen();
    if (message == null) {
      throw new jakarta.jms.MessageFormatException("The message to send is null");
    }
    MetaqDestination target = Destinations.ours(destination);
    fill(message);
    SendOptions options =
        new SendOptions(
            deliveryMode, priority, timeToLive, deliveryDelay, withoutId, withoutTimestamp);
    outlet.send(target, message, options, async);
  }

  private void fill(Message message) throws JMSException {
    for (String name : getPropertyNames()) {
      message.setObjectProperty(name, template.getObjectProperty(name));
    }
    if (template.getJMSCorrelationID() != null) {
      if (template.hasCorrelationInBytes()) {
        message.setJMSCorrelationIDAsBytes(template.getJMSCorrelationIDAsBytes());
      } else {
        message.setJMSCorrelationID(template.getJMSCorrelationID());
      }
    }
    if (template.getJMSType() != null) {
      message.setJMSType(template.getJMSType());
    }
    if (template.getJMSReplyTo() != null) {
      message.setJMSReplyTo(template.getJMSReplyTo());
    }
  }

  private MessageFactory messages() {
    return messages;
  }

  @Override
  public JMSProducer send(Destination destination, String body) {
    return send(destination, (Message) simplified(() -> messages().createTextMessage(body)));
  }

  @Override
  public JMSProducer send(Destination destination, Map<String, Object> body) {
    return send(destination, simplified(() -> map(body)));
  }

  private Message map(Map<String, Object> body) throws JMSException {
    MapMessage message = messages().createMapMessage();
    if (body != null) {
      for (Map.Entry<String, Object> entry : body.entrySet()) {
        message.setObject(entry.getKey(), entry.getValue());
      }
    }
    return message;
  }

  @Override
  public JMSProducer send(Destination destination, byte[] body) {
    return send(destination, simplified(() -> bytes(body)));
  }

  private Message bytes(byte[] body) throws JMSException {
    BytesMessage message = messages().createBytesMessage();
    if (body != null) {
      message.writeBytes(body);
    }
    return message;
  }

  @Override
  public JMSProducer send(Destination destination, Serializable body) {
    return send(destination, (Message) simplified(() -> messages().createObjectMessage(body)));
  }

  // ---- settings

  @Override
  public JMSProducer setDisableMessageID(boolean value) {
    withoutId = value;
    return this;
  }

  @Override
  public boolean getDisableMessageID() {
    return withoutId;
  }

  @Override
  public JMSProducer setDisableMessageTimestamp(boolean value) {
    withoutTimestamp = value;
    return this;
  }

  @Override
  public boolean getDisableMessageTimestamp() {
    return withoutTimestamp;
  }

  @Override
  public JMSProducer setDeliveryMode(int mode) {
    simplifiedRun(() -> MetaqProducer.requireDeliveryMode(mode));
    deliveryMode = mode;
    return this;
  }

  @Override
  public int getDeliveryMode() {
    return deliveryMode;
  }

  @Override
  public JMSProducer setPriority(int newPriority) {
    simplifiedRun(() -> MetaqProducer.requirePriority(newPriority));
    priority = newPriority;
    return this;
  }

  @Override
  public int getPriority() {
    return priority;
  }

  @Override
  public JMSProducer setTimeToLive(long millis) {
    simplifiedRun(() -> MetaqProducer.requireTime("A time to live", millis));
    timeToLive = millis;
    return this;
  }

  @Override
  public long getTimeToLive() {
    return timeToLive;
  }

  @Override
  public JMSProducer setDeliveryDelay(long millis) {
    simplifiedRun(() -> MetaqProducer.requireTime("A delivery delay", millis));
    deliveryDelay = millis;
    return this;
  }

  @Override
  public long getDeliveryDelay() {
    return deliveryDelay;
  }

  @Override
  public JMSProducer setAsync(CompletionListener listener) {
    outlet.requireCallbacksAllowed();
    async = listener;
    return this;
  }

  @Override
  public CompletionListener getAsync() {
    return async;
  }

  // ---- properties

  @Override
  public JMSProducer setProperty(String name, boolean value) {
    return set(name, value);
  }

  @Override
  public JMSProducer setProperty(String name, byte value) {
    return set(name, value);
  }

  @Override
  public JMSProducer setProperty(String name, short value) {
    return set(name, value);
  }

  @Override
  public JMSProducer setProperty(String name, int value) {
    return set(name, value);
  }

  @Override
  public JMSProducer setProperty(String name, long value) {
    return set(name, value);
  }

  @Override
  public JMSProducer setProperty(String name, float value) {
    return set(name, value);
  }

  @Override
  public JMSProducer setProperty(String name, double value) {
    return set(name, value);
  }

  @Override
  public JMSProducer setProperty(String name, String value) {
    return set(name, value);
  }

  @Override
  public JMSProducer setProperty(String name, Object value) {
    return set(name, value);
  }

  private JMSProducer set(String name, Object value) {
    simplifiedRun(() -> template.setObjectProperty(name, value));
    return this;
  }

  @Override
  public JMSProducer clearProperties() {
    template.clearProperties();
    return this;
  }

  @Override
  public boolean propertyExists(String name) {
    return template.propertyExists(name);
  }

  @Override
  public boolean getBooleanProperty(String name) {
    return simplified(() -> template.getBooleanProperty(name));
  }

  @Override
  public byte getByteProperty(String name) {
    return simplified(() -> template.getByteProperty(name));
  }

  @Override
  public short getShortProperty(String name) {
    return simplified(() -> template.getShortProperty(name));
  }

  @Override
  public int getIntProperty(String name) {
    return simplified(() -> template.getIntProperty(name));
  }

  @Override
  public long getLongProperty(String name) {
    return simplified(() -> template.getLongProperty(name));
  }

  @Override
  public float getFloatProperty(String name) {
    return simplified(() -> template.getFloatProperty(name));
  }

  @Override
  public double getDoubleProperty(String name) {
    return simplified(() -> template.getDoubleProperty(name));
  }

  @Override
  public String getStringProperty(String name) {
    return simplified(() -> template.getStringProperty(name));
  }

  @Override
  public Object getObjectProperty(String name) {
    return template.getObjectProperty(name);
  }

  @Override
  public Set<String> getPropertyNames() {
    return Collections.unmodifiableSet(
        new LinkedHashSet<>(Collections.list(template.getPropertyNames())));
  }

  // ---- header fields

  @Override
  public JMSProducer setJMSCorrelationIDAsBytes(byte[] correlationId) {
    template.setJMSCorrelationIDAsBytes(correlationId);
    return this;
  }

  @Override
  public byte[] getJMSCorrelationIDAsBytes() {
    return template.getJMSCorrelationIDAsBytes();
  }

  @Override
  public JMSProducer setJMSCorrelationID(String correlationId) {
    template.setJMSCorrelationID(correlationId);
    return this;
  }

  @Override
  public String getJMSCorrelationID() {
    return template.getJMSCorrelationID();
  }

  @Override
  public JMSProducer setJMSType(String type) {
    template.setJMSType(type);
    return this;
  }

  @Override
  public String getJMSType() {
    return template.getJMSType();
  }

  @Override
  public JMSProducer setJMSReplyTo(Destination replyTo) {
    template.setJMSReplyTo(replyTo);
    return this;
  }

  @Override
  public Destination getJMSReplyTo() {
    return template.getJMSReplyTo();
  }
}
