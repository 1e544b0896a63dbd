package io.metaq.jms;

import static io.metaq.jms.Failures.simplified;
import static io.metaq.jms.Failures.simplifiedRun;

import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.StreamMessage;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.Serializable;

/**
 * The simplified API: a session of its own on a connection that contexts made from one another
 * share. The session is made when it is first needed, since a client id may be set until then.
 */
class MetaqContext implements JMSContext {
  private final ContextConnection connection;
  private final AckMode mode;
  private MetaqSession session;
  private boolean autoStart = true;
  private boolean closed;

  MetaqContext(ContextConnection connection, AckMode mode) {
    this.connection = connection;
    this.mode = mode;
    connection.enter();
  }

  /** The first context of a connection. */
  static MetaqContext first(ConnectionCore core, AckMode mode) {
    return new MetaqContext(new ContextConnection(core), mode);
  }

  MetaqSession makeSession(ConnectionCore core) throws JMSException {
    return new MetaqSession(core.createSession(mode), Domain.COMMON);
  }

  private ConnectionCore core() {
    return connection.core();
  }

  private synchronized void requireOpen() throws JMSException {
    if (closed) {
      throw Failures.closed("context");
    }
  }

  final synchronized MetaqSession session() throws JMSException {
    requireOpen();
    connection.use();
    if (session == null) {
      session = makeSession(core());
    }
    return session;
  }

  private void used() throws JMSException {
    requireOpen();
    connection.use();
  }

  // ---- connection

  @Override
  public JMSContext createContext(int sessionMode) {
    return simplified(
        () -> {
          used();
          return new MetaqContext(connection, AckMode.of(sessionMode));
        });
  }

  @Override
  public String getClientID() {
    return simplified(
        () -> {
          requireOpen();
          return core().clientId();
        });
  }

  @Override
  public void setClientID(String clientId) {
    simplifiedRun(
        () -> {
          requireOpen();
          connection.clientId(clientId);
        });
  }

  @Override
  public ConnectionMetaData getMetaData() {
    return simplified(
        () -> {
          used();
          return new MetaqConnectionMetaData();
        });
  }

  @Override
  public ExceptionListener getExceptionListener() {
    return simplified(
        () -> {
          used();
          return core().exceptionListener();
        });
  }

  @Override
  public void setExceptionListener(ExceptionListener listener) {
    simplifiedRun(
        () -> {
          used();
          core().exceptionListener(listener);
        });
  }

  @Override
  public void start() {
    simplifiedRun(
        () -> {
          used();
          core().start();
        });
  }

  @Override
  public void stop() {
    simplifiedRun(
        () -> {
          used();
          core().stop();
        });
  }

  @Override
  public synchronized void setAutoStart(boolean autoStart) {
    simplifiedRun(this::requireOpen);
    this.autoStart = autoStart;
  }

  @Override
  public synchronized boolean getAutoStart() {
    simplifiedRun(this::requireOpen);
    return autoStart;
  }

  @Override
  public void close() {
    simplifiedRun(
        () -> {
          MetaqSession own;
          synchronized (this) {
            own = session;
          }
          if (own != null) {
            own.core().requireNotInCallback("JMSContext.close");
          }
          synchronized (this) {
            if (closed) {
              return;
            }
            closed = true;
          }
          try {
            if (own != null) {
              own.close();
            }
          } finally {
            connection.leave();
          }
        });
  }

  // ---- messages

  @Override
  public BytesMessage createBytesMessage() {
    return simplified(() -> session().createBytesMessage());
  }

  @Override
  public MapMessage createMapMessage() {
    return simplified(() -> session().createMapMessage());
  }

  @Override
  public Message createMessage() {
    return simplified(() -> session().createMessage());
  }

  @Override
  public ObjectMessage createObjectMessage() {
    return simplified(() -> session().createObjectMessage());
  }

  @Override
  public ObjectMessage createObjectMessage(Serializable object) {
    return simplified(() -> session().createObjectMessage(object));
  }

  @Override
  public StreamMessage createStreamMessage() {
    return simplified(() -> session().createStreamMessage());
  }

  @Override
  public TextMessage createTextMessage() {
    return simplified(() -> session().createTextMessage());
  }

  @Override
  public TextMessage createTextMessage(String text) {
    return simplified(() -> session().createTextMessage(text));
  }

  // ---- session

  @Override
  public JMSProducer createProducer() {
    return simplified(() -> new MetaqJmsProducer(session().core()));
  }

  @Override
  public boolean getTransacted() {
    return simplified(() -> session().getTransacted());
  }

  @Override
  public int getSessionMode() {
    return simplified(() -> session().getAcknowledgeMode());
  }

  @Override
  public void commit() {
    simplifiedRun(() -> session().commit());
  }

  @Override
  public void rollback() {
    simplifiedRun(() -> session().rollback());
  }

  @Override
  public void recover() {
    simplifiedRun(() -> session().recover());
  }

  @Override
  public void acknowledge() {
    simplifiedRun(() -> session().core().acknowledgeAll());
  }

  // ---- consumers

  private JMSConsumer consumer(Failures.Call<MessageConsumer> creation) {
    return simplified(
        () -> {
          MetaqConsumer consumer = (MetaqConsumer) creation.make();
          if (getAutoStart()) {
            core().start();
          }
          return new MetaqJmsConsumer(consumer);
        });
  }

  @Override
  public JMSConsumer createConsumer(Destination destination) {
    return consumer(() -> session().createConsumer(destination));
  }

  @Override
  public JMSConsumer createConsumer(Destination destination, String selector) {
    return consumer(() -> session().createConsumer(destination, selector));
  }

  @Override
  public JMSConsumer createConsumer(Destination destination, String selector, boolean noLocal) {
    return consumer(() -> session().createConsumer(destination, selector, noLocal));
  }

  @Override
  public JMSConsumer createDurableConsumer(Topic topic, String name) {
    return consumer(() -> session().createDurableConsumer(topic, name));
  }

  @Override
  public JMSConsumer createDurableConsumer(
      Topic topic, String name, String selector, boolean noLocal) {
    return consumer(() -> session().createDurableConsumer(topic, name, selector, noLocal));
  }

  @Override
  public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
    return consumer(() -> session().createSharedDurableConsumer(topic, name));
  }

  @Override
  public JMSConsumer createSharedDurableConsumer(Topic topic, String name, String selector) {
    return consumer(() -> session().createSharedDurableConsumer(topic, name, selector));
  }

  @Override
  public JMSConsumer createSharedConsumer(Topic topic, String name) {
    return consumer(() -> session().createSharedConsumer(topic, name));
  }

  @Override
  public JMSConsumer createSharedConsumer(Topic topic, String name, String selector) {
    return consumer(() -> session().createSharedConsumer(topic, name, selector));
  }

  // ---- destinations

  @Override
  public Queue createQueue(String name) {
    return simplified(() -> session().createQueue(name));
  }

  @Override
  public Topic createTopic(String name) {
    return simplified(() -> session().createTopic(name));
  }

  @Override
  public QueueBrowser createBrowser(Queue queue) {
    return createBrowser(queue, null);
  }

  @Override
  public QueueBrowser createBrowser(Queue queue, String selector) {
    return simplified(
        () -> {
          QueueBrowser browser = session().createBrowser(queue, selector);
          if (getAutoStart()) {
            core().start();
          }
          return browser;
        });
  }

  @Override
  public TemporaryQueue createTemporaryQueue() {
    return simplified(() -> session().createTemporaryQueue());
  }

  @Override
  public TemporaryTopic createTemporaryTopic() {
    return simplified(() -> session().createTemporaryTopic());
  }

  @Override
  public void unsubscribe(String name) {
    simplifiedRun(() -> session().unsubscribe(name));
  }

  @Override
  public String toString() {
    return "context on " + core();
  }
}
