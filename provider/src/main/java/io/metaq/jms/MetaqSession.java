package io.metaq.jms;

import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.io.Serializable;
import java.util.function.Function;

/**
 * A session in the classic API, also as a QueueSession or TopicSession.
 *
 * <p>Used by one thread at a time, but for {@link #close}; while listeners are set, the session's
 * own thread calls them.
 */
public class MetaqSession implements QueueSession, TopicSession {
  /**
   * Session mode in which {@code acknowledge()} acknowledges the one message it is called on. An
   * extension; the number is the one that other providers use for it too.
   */
  public static final int INDIVIDUAL_ACKNOWLEDGE = 101;

  private final SessionCore core;
  private final Domain domain;
  private final SubscriptionRules rules;
  private final ServerSessionWork serverWork;

  MetaqSession(SessionCore core, Domain domain) {
    this.core = core;
    this.domain = domain;
    this.rules = new SubscriptionRules(core.connection());
    this.serverWork = new ServerSessionWork(core);
  }

  final SessionCore core() {
    return core;
  }

  final ServerSessionWork serverWork() {
    return serverWork;
  }

  // ---- messages

  private MessageFactory messages() throws JMSException {
    core.requireOpen();
    return core.connection().messages();
  }

  @Override
  public BytesMessage createBytesMessage() throws JMSException {
    return messages().createBytesMessage();
  }

  @Override
  public MapMessage createMapMessage() throws JMSException {
    return messages().createMapMessage();
  }

  @Override
  public Message createMessage() throws JMSException {
    return messages().createMessage();
  }

  @Override
  public ObjectMessage createObjectMessage() throws JMSException {
    return messages().createObjectMessage();
  }

  @Override
  public ObjectMessage createObjectMessage(Serializable object) throws JMSException {
    return messages().createObjectMessage(object);
  }

  @Override
  public StreamMessage createStreamMessage() throws JMSException {
    return messages().createStreamMessage();
  }

  @Override
  public TextMessage createTextMessage() throws JMSException {
    return messages().createTextMessage();
  }

  @Override
  public TextMessage createTextMessage(String text) throws JMSException {
    return messages().createTextMessage(text);
  }

  // ---- state

  @Override
  public boolean getTransacted() throws JMSException {
    core.requireOpen();
    return core.mode() == AckMode.TRANSACTED;
  }

  @Override
  public int getAcknowledgeMode() throws JMSException {
    core.requireOpen();
    return core.mode().code();
  }

  @Override
  public void commit() throws JMSException {
    requireTransacted("commit");
    core.requireNotInCompletion("Session.commit");
    core.sender().awaitCallbacks(ConsumerCore.FOREVER);
    core.transaction().commit();
  }

  @Override
  public void rollback() throws JMSException {
    requireTransacted("rollback");
    core.requireNotInCompletion("Session.rollback");
    core.sender().awaitCallbacks(ConsumerCore.FOREVER);
    core.transaction().rollback();
  }

  private void requireTransacted(String method) throws JMSException {
    core.requireOpen();
    if (core.mode() != AckMode.TRANSACTED) {
      throw new IllegalStateException(method + "() is only for a transacted session");
    }
  }

  @Override
  public void recover() throws JMSException {
    core.requireOpen();
    if (getTransacted()) {
      throw new IllegalStateException("recover() is not for a transacted session; use rollback()");
    }
    core.recover();
  }

  @Override
  public void close() throws JMSException {
    core.requireNotInCallback("Session.close");
    core.close(core.connection().closeDeadline());
  }

  /** Used by application servers only. */
  @Override
  public MessageListener getMessageListener() throws JMSException {
    core.requireOpen();
    return serverWork.listener();
  }

  /**
   * Used by application servers only: hears the messages that a ConnectionConsumer loads into this
   * session.
   */
  @Override
  public void setMessageListener(MessageListener listener) throws JMSException {
    core.requireOpen();
    serverWork.listener(listener);
  }

  /** Used by application servers only: runs the messages that a ConnectionConsumer has loaded. */
  @Override
  public void run() {
    serverWork.run();
  }

  // ---- destinations

  @Override
  public Queue createQueue(String name) throws JMSException {
    core.requireOpen();
    domain.requireQueues("createQueue");
    return named(name, MetaqQueue::new);
  }

  @Override
  public Topic createTopic(String name) throws JMSException {
    core.requireOpen();
    domain.requireTopics("createTopic");
    return named(name, MetaqTopic::new);
  }

  private static <D> D named(String name, Function<String, D> maker) throws JMSException {
    try {
      return maker.apply(name);
    } catch (IllegalArgumentException e) {
      throw Failures.caused(new InvalidDestinationException(e.getMessage()), e);
    }
  }

  @Override
  public TemporaryQueue createTemporaryQueue() throws JMSException {
    core.requireOpen();
    domain.requireQueues("createTemporaryQueue");
    return core.connection().destinations().createTemporaryQueue();
  }

  @Override
  public TemporaryTopic createTemporaryTopic() throws JMSException {
    core.requireOpen();
    domain.requireTopics("createTemporaryTopic");
    return core.connection().destinations().createTemporaryTopic();
  }

  // ---- producers

  @Override
  public MessageProducer createProducer(Destination destination) throws JMSException {
    return producer(destination);
  }

  @Override
  public QueueSender createSender(Queue queue) throws JMSException {
    return producer(queue);
  }

  @Override
  public TopicPublisher createPublisher(Topic topic) throws JMSException {
    return producer(topic);
  }

  private MetaqProducer producer(Destination destination) throws JMSException {
    core.requireOpen();
    MetaqDestination target = destination == null ? null : Destinations.ours(destination);
    if (target != null) {
      core.connection().destinations().resolve(target);
    }
    return new MetaqProducer(core, target);
  }

  // ---- consumers

  private MetaqConsumer consumer(ConsumerSpec spec) throws JMSException {
    return new MetaqConsumer(core.createConsumer(spec));
  }

  @Override
  public MessageConsumer createConsumer(Destination destination) throws JMSException {
    return createConsumer(destination, null, false);
  }

  @Override
  public MessageConsumer createConsumer(Destination destination, String selector)
      throws JMSException {
    return createConsumer(destination, selector, false);
  }

  @Override
  public MessageConsumer createConsumer(Destination destination, String selector, boolean noLocal)
      throws JMSException {
    core.requireOpen();
    return consumer(rules.consumer(destination, selector, noLocal));
  }

  @Override
  public QueueReceiver createReceiver(Queue queue) throws JMSException {
    return createReceiver(queue, null);
  }

  @Override
  public QueueReceiver createReceiver(Queue queue, String selector) throws JMSException {
    core.requireOpen();
    return consumer(rules.consumer(queue, selector, false));
  }

  @Override
  public TopicSubscriber createSubscriber(Topic topic) throws JMSException {
    return createSubscriber(topic, null, false);
  }

  @Override
  public TopicSubscriber createSubscriber(Topic topic, String selector, boolean noLocal)
      throws JMSException {
    core.requireOpen();
    return consumer(rules.consumer(topic, selector, noLocal));
  }

  private MetaqConsumer subscriber(
      String method,
      SubscriptionKind kind,
      Topic topic,
      String name,
      String selector,
      boolean noLocal)
      throws JMSException {
    core.requireOpen();
    domain.requireTopics(method);
    return consumer(rules.subscription(kind, topic, name, selector, noLocal));
  }

  @Override
  public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
    return createSharedConsumer(topic, name, null);
  }

  @Override
  public MessageConsumer createSharedConsumer(Topic topic, String name, String selector)
      throws JMSException {
    return subscriber(
        "createSharedConsumer", SubscriptionKind.SHARED_NON_DURABLE, topic, name, selector, false);
  }

  @Override
  public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
    return createDurableSubscriber(topic, name, null, false);
  }

  @Override
  public TopicSubscriber createDurableSubscriber(
      Topic topic, String name, String selector, boolean noLocal) throws JMSException {
    return subscriber(
        "createDurableSubscriber", SubscriptionKind.DURABLE, topic, name, selector, noLocal);
  }

  @Override
  public MessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
    return createDurableConsumer(topic, name, null, false);
  }

  @Override
  public MessageConsumer createDurableConsumer(
      Topic topic, String name, String selector, boolean noLocal) throws JMSException {
    return subscriber(
        "createDurableConsumer", SubscriptionKind.DURABLE, topic, name, selector, noLocal);
  }

  @Override
  public MessageConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
    return createSharedDurableConsumer(topic, name, null);
  }

  @Override
  public MessageConsumer createSharedDurableConsumer(Topic topic, String name, String selector)
      throws JMSException {
    return subscriber(
        "createSharedDurableConsumer",
        SubscriptionKind.SHARED_DURABLE,
        topic,
        name,
        selector,
        false);
  }

  @Override
  public QueueBrowser createBrowser(Queue queue) throws JMSException {
    return createBrowser(queue, null);
  }

  @Override
  public QueueBrowser createBrowser(Queue queue, String selector) throws JMSException {
    core.requireOpen();
    domain.requireQueues("createBrowser");
    ConsumerSpec spec = rules.browser(queue, selector);
    core.connection().destinations().resolve(spec.destination());
    return new MetaqBrowser(core, spec, queue, selector);
  }

  @Override
  public void unsubscribe(String name) throws JMSException {
    core.requireOpen();
    domain.requireTopics("unsubscribe");
    core.connection().unsubscribe(name);
  }

  @Override
  public String toString() {
    return core.toString();
  }
}
