package io.metaq.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;

/**
 * A producer in the classic API, also as a QueueSender or TopicPublisher. Used by one thread at a
 * time.
 */
final class MetaqProducer implements QueueSender, TopicPublisher {
  private final SessionCore session;
  private final MetaqDestination destination;
  private int deliveryMode = Message.DEFAULT_DELIVERY_MODE;
  private int priority = Message.DEFAULT_PRIORITY;
  private long timeToLive = Message.DEFAULT_TIME_TO_LIVE;
  private long deliveryDelay = Message.DEFAULT_DELIVERY_DELAY;
  private boolean withoutId;
  private boolean withoutTimestamp;
  private volatile boolean closed;

  /**
   * @param destination null for an unbound producer
   */
  MetaqProducer(SessionCore session, MetaqDestination destination) {
    this.session = session;
    this.destination = destination;
  }

  static void requireDeliveryMode(int mode) throws JMSException {
    if (mode != DeliveryMode.PERSISTENT && mode != DeliveryMode.NON_PERSISTENT) {
      throw new JMSException(
          "Delivery mode " + mode + " is neither NON_PERSISTENT (1) nor PERSISTENT (2)");
    }
  }

  static void requirePriority(int priority) throws JMSException {
    if (priority < 0 || priority > 9) {
      throw new JMSException("Priority " + priority + " is not within 0..9");
    }
  }

  static void requireTime(String what, long millis) throws JMSException {
    if (millis < 0) {
      throw new JMSException(what + " of " + millis + " ms is negative");
    }
  }

  private void requireOpen() throws IllegalStateException {
    session.requireOpen();
    if (closed) {
      throw Failures.closed("producer");
    }
  }

  // ---- sending

  private MetaqDestination bound() throws JMSException {
    requireOpen();
    if (destination == null) {
      throw new UnsupportedOperationException(
          "The producer has no destination; give one with each send");
    }
    return destination;
  }

  private MetaqDestination given(Destination to) throws JMSException {
    requireOpen();
    if (destination != null) {
      throw new UnsupportedOperationException("The producer sends to " + destination + " only");
    }
    return Destinations.ours(to);
  }

  private SendOptions options(int mode, int withPriority, long timeToLiveMillis)
      throws JMSException {
    requireDeliveryMode(mode);
    requirePriority(withPriority);
    requireTime("A time to live", timeToLiveMillis);
    return new SendOptions(
        mode, withPriority, timeToLiveMillis, deliveryDelay, withoutId, withoutTimestamp);
  }

  private static CompletionListener required(CompletionListener listener) {
    if (listener == null) {
      throw new IllegalArgumentException("The CompletionListener is null");
    }
    return listener;
  }

  @Override
  public void send(Message message) throws JMSException {
    send(message, deliveryMode, priority, timeToLive);
  }

  @Override
  public void send(Message message, int mode, int withPriority, long timeToLiveMillis)
      throws JMSException {
    session.sender().send(bound(), message, options(mode, withPriority, timeToLiveMillis));
  }

  @Override
  public void send(Destination to, Message message) throws JMSException {
    send(to, message, deliveryMode, priority, timeToLive);
  }

  @Override
  public void send(
      Destination to, Message message, int mode, int withPriority, long timeToLiveMillis)
      throws JMSException {
    session.sender().send(given(to), message, options(mode, withPriority, timeToLiveMillis));
  }

  @Override
  public void send(Message message, CompletionListener listener) throws JMSException {
    send(message, deliveryMode, priority, timeToLive, listener);
  }

  @Override
  public void send(
      Message message,
      int mode,
      int withPriority,
      long timeToLiveMillis,
      CompletionListener listener)
      throws JMSException {
    MetaqDestination to = bound();
    session
        .sender()
        .send(to, message, options(mode, withPriority, timeToLiveMillis), required(listener));
  }

  @Override
  public void send(Destination to, Message message, CompletionListener listener)
      throws JMSException {
    send(to, message, deliveryMode, priority, timeToLive, listener);
  }

  @Override
  public void send(
      Destination to,
      Message message,
      int mode,
      int withPriority,
      long timeToLiveMillis,
      CompletionListener listener)
      throws JMSException {
    MetaqDestination target = given(to);
    session
        .sender()
        .send(target, message, options(mode, withPriority, timeToLiveMillis), required(listener));
  }

  @Override
  public void send(Queue queue, Message message) throws JMSException {
    send((Destination) queue, message);
  }

  @Override
  public void send(Queue queue, Message message, int mode, int withPriority, long timeToLiveMillis)
      throws JMSException {
    send((Destination) queue, message, mode, withPriority, timeToLiveMillis);
  }

  @Override
  public void publish(Message message) throws JMSException {
    send(message);
  }

  @Override
  public void publish(Message message, int mode, int withPriority, long timeToLiveMillis)
      throws JMSException {
    send(message, mode, withPriority, timeToLiveMillis);
  }

  @Override
  public void publish(Topic topic, Message message) throws JMSException {
    send((Destination) topic, message);
  }

  @Override
  public void publish(
      Topic topic, Message message, int mode, int withPriority, long timeToLiveMillis)
      throws JMSException {
    send((Destination) topic, message, mode, withPriority, timeToLiveMillis);
  }

  // ---- settings

  @Override
  public void setDisableMessageID(boolean value) throws JMSException {
    requireOpen();
    withoutId = value;
  }

  @Override
  public boolean getDisableMessageID() throws JMSException {
    requireOpen();
    return withoutId;
  }

  @Override
  public void setDisableMessageTimestamp(boolean value) throws JMSException {
    requireOpen();
    withoutTimestamp = value;
  }

  @Override
  public boolean getDisableMessageTimestamp() throws JMSException {
    requireOpen();
    return withoutTimestamp;
  }

  @Override
  public void setDeliveryMode(int mode) throws JMSException {
    requireOpen();
    requireDeliveryMode(mode);
    deliveryMode = mode;
  }

  @Override
  public int getDeliveryMode() throws JMSException {
    requireOpen();
    return deliveryMode;
  }

  @Override
  public void setPriority(int defaultPriority) throws JMSException {
    requireOpen();
    requirePriority(defaultPriority);
    priority = defaultPriority;
  }

  @Override
  public int getPriority() throws JMSException {
    requireOpen();
    return priority;
  }

  @Override
  public void setTimeToLive(long millis) throws JMSException {
    requireOpen();
    requireTime("A time to live", millis);
    timeToLive = millis;
  }

  @Override
  public long getTimeToLive() throws JMSException {
    requireOpen();
    return timeToLive;
  }

  @Override
  public void setDeliveryDelay(long millis) throws JMSException {
    requireOpen();
    requireTime("A delivery delay", millis);
    deliveryDelay = millis;
  }

  @Override
  public long getDeliveryDelay() throws JMSException {
    requireOpen();
    return deliveryDelay;
  }

  @Override
  public Destination getDestination() throws JMSException {
    requireOpen();
    return destination;
  }

  @Override
  public Queue getQueue() throws JMSException {
    return getDestination() instanceof Queue queue ? queue : null;
  }

  @Override
  public Topic getTopic() throws JMSException {
    return getDestination() instanceof Topic topic ? topic : null;
  }

  @Override
  public void close() throws JMSException {
    if (session.sender().isCallbackThread()) {
      throw new IllegalStateException(
          "MessageProducer.close must not be called from a CompletionListener of the session");
    }
    if (!closed) {
      closed = true;
      session.sender().awaitCallbacks(session.connection().closeDeadline());
    }
  }
}
