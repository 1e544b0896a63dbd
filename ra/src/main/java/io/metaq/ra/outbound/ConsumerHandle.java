package io.metaq.ra.outbound;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;

/** A consumer that follows its session handle; it has no listeners (Messaging 12.2). */
record ConsumerHandle(Rebound<MessageConsumer> consumer, Destination destination, boolean noLocal)
    implements QueueReceiver, TopicSubscriber {

  @Override
  public Queue getQueue() throws JMSException {
    consumer.call(open -> open);
    return (Queue) destination;
  }

  @Override
  public Topic getTopic() throws JMSException {
    consumer.call(open -> open);
    return (Topic) destination;
  }

  @Override
  public boolean getNoLocal() throws JMSException {
    consumer.call(open -> open);
    return noLocal;
  }

  @Override
  public String getMessageSelector() throws JMSException {
    return consumer.call(MessageConsumer::getMessageSelector);
  }

  @Override
  public MessageListener getMessageListener() throws JMSException {
    throw new jakarta.jms.IllegalStateException(
        "getMessageListener is not for Jakarta EE components (Messaging 12.2)");
  }

  @Override
  public void setMessageListener(MessageListener listener) throws JMSException {
    throw new jakarta.jms.IllegalStateException(
        "setMessageListener is not for Jakarta EE components (Messaging 12.2)");
  }

  @Override
  public Message receive() throws JMSException {
    return consumer.call(MessageConsumer::receive);
  }

  @Override
  public Message receive(long timeout) throws JMSException {
    return consumer.call(from -> from.receive(timeout));
  }

  @Override
  public Message receiveNoWait() throws JMSException {
    return consumer.call(MessageConsumer::receiveNoWait);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
