package io.metaq.ra.outbound;

import io.metaq.jms.ManagedSession;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What an application holds instead of a session. All handles of a managed connection work through
 * its one session, whose mode is the container's business; closing a handle closes what was made
 * through it and nothing else.
 */
final class SessionHandle implements QueueSession, TopicSession {
  /**
   * Which API the session was made through; methods of the other one are refused (Messaging 9.2).
   */
  enum Domain {
    BOTH,
    QUEUES,
    TOPICS
  }

  private final ConnectionHandle connection;
  private final Domain domain;
  private final int mode;
  private final Set<Rebound<?>> children = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  SessionHandle(ConnectionHandle connection, Domain domain, int mode) {
    this.connection = connection;
    this.domain = domain;
    this.mode = mode;
  }

  ManagedSession session() throws JMSException {
    if (closed) {
      throw new jakarta.jms.IllegalStateException("The session is closed");
    }
    return connection.managed().session();
  }

  /** Runs a call on the session behind; a connection that breaks in it is reported first. */
  <R> R onManaged(Rebound.Call<ManagedSession, R> call) throws JMSException {
    if (closed) {
      throw new jakarta.jms.IllegalStateException("The session is closed");
    }
    MetaqManagedConnection managed = connection.managed();
    try {
      return call.on(managed.session());
    } catch (JMSException e) {
      managed.noticeBreak(e);
      throw e;
    }
  }

  private void queues(String method) throws JMSException {
    refuse(method, Domain.TOPICS);
  }

  private void topics(String method) throws JMSException {
    refuse(method, Domain.QUEUES);
  }

  private void refuse(String method, Domain wrong) throws JMSException {
    session();
    if (domain == wrong) {
      throw new jakarta.jms.IllegalStateException(method + " is of the other messaging domain");
    }
  }

  void forget(Rebound<?> child) {
    children.remove(child);
  }

  private <T extends AutoCloseable> Rebound<T> child(Rebound.Maker<T> maker) throws JMSException {
    Rebound<T> child = new Rebound<>(this, maker);
    children.add(child);
    return child;
  }

  private ProducerHandle producer(Rebound.Maker<MessageProducer> maker) throws JMSException {
    ProducerHandle.Settings settings = new ProducerHandle.Settings();
    return new ProducerHandle(child(session -> settings.applied(maker.on(session))), settings);
  }

  @Override
  public void close() {
    closed = true;
    List<Rebound<?>> open = new ArrayList<>(children);
    open.forEach(Rebound::close);
    connection.forget(this);
  }

  private static jakarta.jms.IllegalStateException forbidden(String method) {
    return new jakarta.jms.IllegalStateException(
        method + " is not for Jakarta EE components (Messaging 12.2)");
  }

  @Override
  public BytesMessage createBytesMessage() throws JMSException {
    return session().createBytesMessage();
  }

  @Override
  public MapMessage createMapMessage() throws JMSException {
    return session().createMapMessage();
  }

  @Override
  public Message createMessage() throws JMSException {
    return session().createMessage();
  }

  @Override
  public ObjectMessage createObjectMessage() throws JMSException {
    return session().createObjectMessage();
  }

  @Override
  public ObjectMessage createObjectMessage(Serializable object) throws JMSException {
    return session().createObjectMessage(object);
  }

  @Override
  public StreamMessage createStreamMessage() throws JMSException {
    return session().createStreamMessage();
  }

  @Override
  public TextMessage createTextMessage() throws JMSException {
    return session().createTextMessage();
  }

  @Override
  public TextMessage createTextMessage(String text) throws JMSException {
    return session().createTextMessage(text);
  }

  @Override
  public boolean getTransacted() throws JMSException {
    return session().inTransaction();
  }

  @Override
  public int getAcknowledgeMode() throws JMSException {
    return getTransacted() ? SESSION_TRANSACTED : mode;
  }

  @Override
  public void commit() throws JMSException {
    session();
    throw forbidden("commit");
  }

  @Override
  public void rollback() throws JMSException {
    session();
    throw forbidden("rollback");
  }

  @Override
  public void recover() throws JMSException {
    session();
    throw forbidden("recover");
  }

  @Override
  public MessageListener getMessageListener() throws JMSException {
    throw forbidden("getMessageListener");
  }

  @Override
  public void setMessageListener(MessageListener listener) throws JMSException {
    throw forbidden("setMessageListener");
  }

  @Override
  public void run() {
    throw new java.lang.IllegalStateException(
        "run is not for Jakarta EE components (Messaging 12.2)");
  }

  @Override
  public MessageProducer createProducer(Destination destination) throws JMSException {
    return producer(session -> session.createProducer(destination));
  }

  @Override
  public QueueSender createSender(Queue queue) throws JMSException {
    queues("createSender");
    return producer(session -> session.createProducer(queue));
  }

  @Override
  public TopicPublisher createPublisher(Topic topic) throws JMSException {
    topics("createPublisher");
    return producer(session -> session.createProducer(topic));
  }

  private ConsumerHandle consumer(Rebound.Maker<MessageConsumer> maker) throws JMSException {
    return new ConsumerHandle(child(maker), null, false);
  }

  @Override
  public MessageConsumer createConsumer(Destination destination) throws JMSException {
    return consumer(session -> session.createConsumer(destination));
  }

  @Override
  public MessageConsumer createConsumer(Destination destination, String selector)
      throws JMSException {
    return consumer(session -> session.createConsumer(destination, selector));
  }

  @Override
  public MessageConsumer createConsumer(Destination destination, String selector, boolean noLocal)
      throws JMSException {
    return consumer(session -> session.createConsumer(destination, selector, noLocal));
  }

  @Override
  public QueueReceiver createReceiver(Queue queue) throws JMSException {
    return createReceiver(queue, null);
  }

  @Override
  public QueueReceiver createReceiver(Queue queue, String selector) throws JMSException {
    queues("createReceiver");
    return new ConsumerHandle(
        child(session -> session.createConsumer(queue, selector)), queue, false);
  }

  @Override
  public TopicSubscriber createSubscriber(Topic topic) throws JMSException {
    return createSubscriber(topic, null, false);
  }

  @Override
  public TopicSubscriber createSubscriber(Topic topic, String selector, boolean noLocal)
      throws JMSException {
    topics("createSubscriber");
    return new ConsumerHandle(
        child(session -> session.createConsumer(topic, selector, noLocal)), topic, noLocal);
  }

  @Override
  public TopicSubscriber createDurableSubscriber(Topic topic, String name) throws JMSException {
    return createDurableSubscriber(topic, name, null, false);
  }

  @Override
  public TopicSubscriber createDurableSubscriber(
      Topic topic, String name, String selector, boolean noLocal) throws JMSException {
    topics("createDurableSubscriber");
    return new ConsumerHandle(
        child(session -> session.createDurableConsumer(topic, name, selector, noLocal)),
        topic,
        noLocal);
  }

  @Override
  public MessageConsumer createDurableConsumer(Topic topic, String name) throws JMSException {
    topics("createDurableConsumer");
    return consumer(session -> session.createDurableConsumer(topic, name));
  }

  @Override
  public MessageConsumer createDurableConsumer(
      Topic topic, String name, String selector, boolean noLocal) throws JMSException {
    topics("createDurableConsumer");
    return consumer(session -> session.createDurableConsumer(topic, name, selector, noLocal));
  }

  @Override
  public MessageConsumer createSharedConsumer(Topic topic, String name) throws JMSException {
    topics("createSharedConsumer");
    return consumer(session -> session.createSharedConsumer(topic, name));
  }

  @Override
  public MessageConsumer createSharedConsumer(Topic topic, String name, String selector)
      throws JMSException {
    topics("createSharedConsumer");
    return consumer(session -> session.createSharedConsumer(topic, name, selector));
  }

  @Override
  public MessageConsumer createSharedDurableConsumer(Topic topic, String name) throws JMSException {
    topics("createSharedDurableConsumer");
    return consumer(session -> session.createSharedDurableConsumer(topic, name));
  }

  @Override
  public MessageConsumer createSharedDurableConsumer(Topic topic, String name, String selector)
      throws JMSException {
    topics("createSharedDurableConsumer");
    return consumer(session -> session.createSharedDurableConsumer(topic, name, selector));
  }

  @Override
  public QueueBrowser createBrowser(Queue queue) throws JMSException {
    return createBrowser(queue, null);
  }

  @Override
  public QueueBrowser createBrowser(Queue queue, String selector) throws JMSException {
    queues("createBrowser");
    return new BrowserHandle(child(session -> session.createBrowser(queue, selector)));
  }

  @Override
  public Queue createQueue(String name) throws JMSException {
    queues("createQueue");
    return session().createQueue(name);
  }

  @Override
  public Topic createTopic(String name) throws JMSException {
    topics("createTopic");
    return session().createTopic(name);
  }

  @Override
  public TemporaryQueue createTemporaryQueue() throws JMSException {
    queues("createTemporaryQueue");
    TemporaryQueue made = onManaged(ManagedSession::createTemporaryQueue);
    connection.managed().ownsTemporary(made::delete);
    return made;
  }

  @Override
  public TemporaryTopic createTemporaryTopic() throws JMSException {
    topics("createTemporaryTopic");
    TemporaryTopic made = onManaged(ManagedSession::createTemporaryTopic);
    connection.managed().ownsTemporary(made::delete);
    return made;
  }

  @Override
  public void unsubscribe(String name) throws JMSException {
    topics("unsubscribe");
    onManaged(
        session -> {
          session.unsubscribe(name);
          return name;
        });
  }

  @Override
  public String toString() {
    return "SessionHandle[" + domain + (closed ? ", closed" : "") + "]";
  }
}
