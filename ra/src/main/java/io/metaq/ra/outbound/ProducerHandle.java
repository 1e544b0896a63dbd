package io.metaq.ra.outbound;

import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A producer that follows its session handle, with its settings. Asynchronous sends are not for
 * Jakarta EE components (Messaging 12.2).
 */
record ProducerHandle(Rebound<MessageProducer> producer, Settings settings)
    implements QueueSender, TopicPublisher {

  /** What the application has set, so that it holds for a producer on another session too. */
  static final class Settings {
    private final Map<String, Rebound.Step<MessageProducer>> steps = new ConcurrentHashMap<>();

    MessageProducer applied(MessageProducer to) throws JMSException {
      for (Rebound.Step<MessageProducer> step : steps.values()) {
        step.on(to);
      }
      return to;
    }
  }

  private void set(String name, Rebound.Step<MessageProducer> step) throws JMSException {
    producer.run(step);
    settings.steps.put(name, step);
  }

  private static jakarta.jms.IllegalStateException noCallbacks() {
    return new jakarta.jms.IllegalStateException(
        "Asynchronous sends are not for Jakarta EE components (Messaging 12.2)");
  }

  @Override
  public Queue getQueue() throws JMSException {
    return (Queue) getDestination();
  }

  @Override
  public Topic getTopic() throws JMSException {
    return (Topic) getDestination();
  }

  @Override
  public Destination getDestination() throws JMSException {
    return producer.call(MessageProducer::getDestination);
  }

  @Override
  public void setDisableMessageID(boolean value) throws JMSException {
    set("DisableMessageID", to -> to.setDisableMessageID(value));
  }

  @Override
  public boolean getDisableMessageID() throws JMSException {
    return producer.call(MessageProducer::getDisableMessageID);
  }

  @Override
  public void setDisableMessageTimestamp(boolean value) throws JMSException {
    set("DisableMessageTimestamp", to -> to.setDisableMessageTimestamp(value));
  }

  @Override
  public boolean getDisableMessageTimestamp() throws JMSException {
    return producer.call(MessageProducer::getDisableMessageTimestamp);
  }

  @Override
  public void setDeliveryMode(int deliveryMode) throws JMSException {
    set("DeliveryMode", to -> to.setDeliveryMode(deliveryMode));
  }

  @Override
  public int getDeliveryMode() throws JMSException {
    return producer.call(MessageProducer::getDeliveryMode);
  }

  @Override
  public void setPriority(int priority) throws JMSException {
    set("Priority", to -> to.setPriority(priority));
  }

  @Override
  public int getPriority() throws JMSException {
    return producer.call(MessageProducer::getPriority);
  }

  @Override
  public void setTimeToLive(long timeToLive) throws JMSException {
    set("TimeToLive", to -> to.setTimeToLive(timeToLive));
  }

  @Override
  public long getTimeToLive() throws JMSException {
    return producer.call(MessageProducer::getTimeToLive);
  }

  @Override
  public void setDeliveryDelay(long deliveryDelay) throws JMSException {
    set("DeliveryDelay", to -> to.setDeliveryDelay(deliveryDelay));
  }

  @Override
  public long getDeliveryDelay() throws JMSException {
    return producer.call(MessageProducer::getDeliveryDelay);
  }

  @Override
  public void send(Message message) throws JMSException {
    producer.run(to -> to.send(message));
  }

  @Override
  public void send(Message message, int deliveryMode, int priority, long timeToLive)
      throws JMSException {
    producer.run(to -> to.send(message, deliveryMode, priority, timeToLive));
  }

  @Override
  public void send(Destination destination, Message message) throws JMSException {
    producer.run(to -> to.send(destination, message));
  }

  @Override
  public void send(
      Destination destination, Message message, int deliveryMode, int priority, long timeToLive)
      throws JMSException {
    producer.run(to -> to.send(destination, message, deliveryMode, priority, timeToLive));
  }

  @Override
  public void send(Queue queue, Message message) throws JMSException {
    producer.run(to -> to.send(queue, message));
  }

  @Override
  public void send(Queue queue, Message message, int deliveryMode, int priority, long timeToLive)
      throws JMSException {
    producer.run(to -> to.send(queue, message, deliveryMode, priority, timeToLive));
  }

  @Override
  public void publish(Message message) throws JMSException {
    producer.run(to -> to.send(message));
  }

  @Override
  public void publish(Message message, int deliveryMode, int priority, long timeToLive)
      throws JMSException {
    producer.run(to -> to.send(message, deliveryMode, priority, timeToLive));
  }

  @Override
  public void publish(Topic topic, Message message) throws JMSException {
    producer.run(to -> to.send(topic, message));
  }

  @Override
  public void publish(Topic topic, Message message, int deliveryMode, int priority, long timeToLive)
      throws JMSException {
    producer.run(to -> to.send(topic, message, deliveryMode, priority, timeToLive));
  }

  @Override
  public void send(Message message, CompletionListener listener) throws JMSException {
    throw noCallbacks();
  }

  @Override
  public void send(
      Message message, int deliveryMode, int priority, long timeToLive, CompletionListener listener)
      throws JMSException {
    throw noCallbacks();
  }

  @Override
  public void send(Destination destination, Message message, CompletionListener listener)
      throws JMSException {
    throw noCallbacks();
  }

  @Override
  public void send(
      Destination destination,
      Message message,
      int deliveryMode,
      int priority,
      long timeToLive,
      CompletionListener listener)
      throws JMSException {
    throw noCallbacks();
  }

  @Override
  public void close() {
    producer.close();
  }
}
