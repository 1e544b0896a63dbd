package io.metaq.jms;

import static io.metaq.jms.Failures.simplified;
import static io.metaq.jms.Failures.simplifiedRun;

import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageListener;
import jakarta.jms.StreamMessage;

/** A consumer in the simplified API. */
final class MetaqJmsConsumer implements JMSConsumer {
  private final MetaqConsumer consumer;

  MetaqJmsConsumer(MetaqConsumer consumer) {
    this.consumer = consumer;
  }

  @Override
  public String getMessageSelector() {
    return simplified(consumer::getMessageSelector);
  }

  @Override
  public MessageListener getMessageListener() {
    return simplified(consumer::getMessageListener);
  }

  @Override
  public void setMessageListener(MessageListener listener) {
    simplifiedRun(() -> consumer.setMessageListener(listener));
  }

  @Override
  public Message receive() {
    return simplified(consumer::receive);
  }

  @Override
  public Message receive(long timeoutMillis) {
    return simplified(() -> consumer.receive(timeoutMillis));
  }

  @Override
  public Message receiveNoWait() {
    return simplified(consumer::receiveNoWait);
  }

  @Override
  public void close() {
    simplifiedRun(consumer::close);
  }

  @Override
  public <T> T receiveBody(Class<T> type) {
    return body(type, ConsumerCore.FOREVER);
  }

  @Override
  public <T> T receiveBody(Class<T> type, long timeoutMillis) {
    return body(type, MetaqConsumer.nanos(timeoutMillis));
  }

  @Override
  public <T> T receiveBodyNoWait(Class<T> type) {
    return body(type, 0);
  }

  private <T> T body(Class<T> type, long timeoutNanos) {
    return simplified(() -> receiveBody(consumer, type, timeoutNanos));
  }

  static <T> T receiveBody(MetaqConsumer consumer, Class<T> type, long timeoutNanos)
      throws JMSException {
    MetaqMessage message =
        consumer.core().receive(timeoutNanos, received -> requireBody(received, type));
    return message == null ? null : message.getBody(type);
  }

  private static void requireBody(MetaqMessage message, Class<?> type)
      throws MessageFormatException {
    boolean hasBody = !message.hasNullBody() && !(message instanceof StreamMessage);
    boolean fits;
    try {
      fits = hasBody && message.isBodyAssignableTo(type);
    } catch (jakarta.jms.JMSException e) {
      throw (MessageFormatException)
          Failures.caused(
              new MessageFormatException(
                  "The body of " + message + " cannot be read: " + e.getMessage()),
              e);
    }
    if (!fits) {
      throw new MessageFormatException("The body of " + message + " is not a " + type.getName());
    }
  }
}
