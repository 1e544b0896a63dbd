package io.metaq.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Destination;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import jakarta.jms.XAConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one test works with: connections that are closed after it, destinations no other test uses,
 * and the few steps most tests share. Not for use by several threads except {@link #async}.
 */
public final class Jms {

  /** How long to wait for what must come. */
  public static final long SOON = 10_000;

  /** How long a receive waits for what must not come, where asking once is not enough. */
  public static final long BRIEFLY = 60;

  private static final AtomicInteger UNIQUE = new AtomicInteger();

  private final Brokers brokers;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "test-client");
            thread.setDaemon(true);
            return thread;
          });
  private BrokerMode mode = BrokerMode.OPEN;
  private Session own;
  private TcpProxy proxy;

  Jms(Brokers brokers) {
    this.brokers = brokers;
  }

  /** Chooses another broker; call it first. */
  public Jms in(BrokerMode newMode) {
    mode = newMode;
    return this;
  }

  public BrokerUnderTest broker() throws JMSException {
    try {
      return brokers.in(mode);
    } catch (JMSException e) {
      throw e;
    } catch (Exception e) {
      throw (JMSException) new JMSException("Cannot start the broker in mode " + mode).initCause(e);
    }
  }

  public String name(String prefix) {
    return prefix + "-" + UNIQUE.incrementAndGet() + "-" + Long.toString(System.nanoTime(), 36);
  }

  // ---- administered objects

  public ConnectionFactory factory() throws JMSException {
    return factory(ClientOptions.plain());
  }

  public ConnectionFactory factory(ClientOptions options) throws JMSException {
    return broker().connectionFactory(options);
  }

  /** The proxy that {@link #proxied()} options lead through. */
  public TcpProxy proxy() throws JMSException {
    if (proxy == null) {
      try {
        proxy = new TcpProxy(broker().port());
      } catch (java.io.IOException e) {
        throw (JMSException) new JMSException("Cannot open a proxy").initCause(e);
      }
    }
    return proxy;
  }

  public ClientOptions proxied() throws JMSException {
    return ClientOptions.plain().withPort(proxy().port());
  }

  // ---- connections, all closed after the test

  public Connection connection() throws JMSException {
    return closing(factory().createConnection());
  }

  public Connection connection(String clientId) throws JMSException {
    return closing(factory(ClientOptions.plain().withClientId(clientId)).createConnection());
  }

  public Connection started() throws JMSException {
    Connection connection = connection();
    connection.start();
    return connection;
  }

  public Connection started(String clientId) throws JMSException {
    Connection connection = connection(clientId);
    connection.start();
    return connection;
  }

  /** A started connection that runs through the proxy. */
  public Connection startedThroughProxy() throws JMSException {
    Connection connection = closing(factory(proxied()).createConnection());
    connection.start();
    return connection;
  }

  /** A session of its own started connection. */
  public Session session(int sessionMode) throws JMSException {
    return started().createSession(sessionMode);
  }

  public Session session() throws JMSException {
    return session(Session.AUTO_ACKNOWLEDGE);
  }

  public JMSContext context(int sessionMode) throws JMSException {
    return closing(factory().createContext(sessionMode));
  }

  public JMSContext context() throws JMSException {
    return context(JMSContext.AUTO_ACKNOWLEDGE);
  }

  public QueueConnection queueConnection() throws JMSException {
    return closing(broker().queueConnectionFactory(ClientOptions.plain()).createQueueConnection());
  }

  public QueueSession queueSession() throws JMSException {
    QueueConnection connection = queueConnection();
    connection.start();
    return connection.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  public TopicConnection topicConnection() throws JMSException {
    return closing(broker().topicConnectionFactory(ClientOptions.plain()).createTopicConnection());
  }

  public TopicConnection topicConnection(String clientId) throws JMSException {
    return closing(
        broker()
            .topicConnectionFactory(ClientOptions.plain().withClientId(clientId))
            .createTopicConnection());
  }

  public TopicSession topicSession() throws JMSException {
    TopicConnection connection = topicConnection();
    connection.start();
    return connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  public XAConnection xaConnection() throws JMSException {
    return closing(broker().xaConnectionFactory(ClientOptions.plain()).createXAConnection());
  }

  /** Closes something after the test, the last first. */
  public <T extends AutoCloseable> T closing(T resource) {
    open.push(resource);
    return resource;
  }

  // ---- destinations

  /** A session for the test's own doings, never for what it judges. */
  public Session own() throws JMSException {
    if (own == null) {
      own = session();
    }
    return own;
  }

  public Queue queue() throws JMSException {
    return own().createQueue(name("queue"));
  }

  public Topic topic() throws JMSException {
    return own().createTopic(name("topic"));
  }

  // ---- steps that most tests share

  public TextMessage text(String text) throws JMSException {
    return own().createTextMessage(text);
  }

  /** Sends text messages in order, from a session of its own. */
  public void send(Destination destination, String... texts) throws JMSException {
    MessageProducer producer = own().createProducer(destination);
    for (String text : texts) {
      producer.send(own().createTextMessage(text));
    }
    producer.close();
  }

  public void send(Destination destination, Message message) throws JMSException {
    MessageProducer producer = own().createProducer(destination);
    producer.send(message);
    producer.close();
  }

  /** Sends a message to a new queue and returns what arrives. */
  @SuppressWarnings("unchecked")
  public <T extends Message> T roundTrip(T message) throws JMSException {
    Queue queue = queue();
    send(queue, message);
    MessageConsumer consumer = own().createConsumer(queue);
    T received = (T) consumer.receive(SOON);
    consumer.close();
    assertThat(received).as("message that went to %s and back", queue).isNotNull();
    return received;
  }

  /** Takes everything that is on a queue, with a session of its own. */
  public List<String> drain(Queue queue) throws JMSException {
    MessageConsumer consumer = own().createConsumer(queue);
    try {
      return drain(consumer);
    } finally {
      consumer.close();
    }
  }

  /** Takes everything that a consumer can have now. */
  public static List<String> drain(MessageConsumer consumer) throws JMSException {
    List<String> texts = new ArrayList<>();
    for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
      texts.add(textOf(m));
    }
    return texts;
  }

  public static TextMessage receive(MessageConsumer consumer) throws JMSException {
    Message message = consumer.receive(SOON);
    assertThat(message).as("a message within %d ms", SOON).isNotNull();
    return (TextMessage) message;
  }

  public static TextMessage receive(JMSConsumer consumer) {
    Message message = consumer.receive(SOON);
    assertThat(message).as("a message within %d ms", SOON).isNotNull();
    return (TextMessage) message;
  }

  public static String receiveText(MessageConsumer consumer) throws JMSException {
    return receive(consumer).getText();
  }

  public static List<String> receiveTexts(MessageConsumer consumer, int count) throws JMSException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(receiveText(consumer));
    }
    return texts;
  }

  public static String textOf(Message message) throws JMSException {
    return message instanceof TextMessage text ? text.getText() : String.valueOf(message);
  }

  /** Runs a call on another thread. */
  public <T> CompletableFuture<T> async(Callable<T> call) {
    CompletableFuture<T> future = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            future.complete(call.call());
          } catch (Throwable e) {
            future.completeExceptionally(e);
          }
        });
    return future;
  }

  void close() throws Exception {
    Exception failure = null;
    while (!open.isEmpty()) {
      try {
        open.pop().close();
      } catch (Exception e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (proxy != null) {
      proxy.close();
    }
    threads.shutdownNow();
    if (failure != null) {
      throw failure;
    }
  }
}
