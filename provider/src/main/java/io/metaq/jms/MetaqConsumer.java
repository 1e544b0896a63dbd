package io.metaq.jms;

import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.Topic;
import jakarta.jms.TopicSubscriber;
import java.util.concurrent.TimeUnit;

/** A consumer in the classic API, also as a QueueReceiver or TopicSubscriber. */
final class MetaqConsumer implements QueueReceiver, TopicSubscriber {
  private static final ConsumerCore.Acceptance ANY = message -> {};

  private final ConsumerCore core;

  MetaqConsumer(ConsumerCore core) {
    this.core = core;
  }

  ConsumerCore core() {
    return core;
  }

  @Override
  public String getMessageSelector() throws JMSException {
    core.requireOpen();
    return core.spec().selector();
  }

  @Override
  public MessageListener getMessageListener() throws JMSException {
    core.requireOpen();
    return core.listener();
  }

  @Override
  public void setMessageListener(MessageListener listener) throws JMSException {
    core.listener(listener);
  }

  @Override
  public Message receive() throws JMSException {
    return core.receive(ConsumerCore.FOREVER, ANY);
  }

  @Override
  public Message receive(long timeoutMillis) throws JMSException {
    return core.receive(nanos(timeoutMillis), ANY);
  }

  @Override
  public Message receiveNoWait() throws JMSException {
    return core.receive(0, ANY);
  }

  /** 0 and less mean for ever. */
  static long nanos(long timeoutMillis) {
    boolean forEver = timeoutMillis <= 0 || timeoutMillis > TimeUnit.DAYS.toMillis(36_500);
    return forEver ? ConsumerCore.FOREVER : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
  }

  @Override
  public void close() throws JMSException {
    core.close(core.closeDeadline());
  }

  @Override
  public Queue getQueue() throws JMSException {
    core.requireOpen();
    if (core.spec().destination() instanceof Queue queue) {
      return queue;
    }
    throw new InvalidDestinationException(
        "The consumer is on " + core.spec().destination() + ", which is no queue");
  }

  @Override
  public Topic getTopic() throws JMSException {
    core.requireOpen();
    if (core.spec().destination() instanceof Topic topic) {
      return topic;
    }
    throw new InvalidDestinationException(
        "The consumer is on " + core.spec().destination() + ", which is no topic");
  }

  @Override
  public boolean getNoLocal() throws IllegalStateException {
    core.requireOpen();
    SubscriptionKind kind = core.spec().kind();
    return !kind.isShared() && core.spec().noLocal();
  }
}
