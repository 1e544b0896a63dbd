package io.metaq.jms;

import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;

/** A connection in the classic API, also as a QueueConnection or TopicConnection. Thread-safe. */
public class MetaqConnection implements QueueConnection, TopicConnection {
  private final ConnectionCore core;
  private final Domain domain;
  private volatile boolean used;

  MetaqConnection(ConnectionCore core, Domain domain) {
    this.core = core;
    this.domain = domain;
  }

  final ConnectionCore core() {
    return core;
  }

  final Domain domain() {
    return domain;
  }

  /** From now on it is too late for a client id. */
  final void use() throws IllegalStateException {
    core.requireOpen();
    used = true;
  }

  final MetaqSession session(int mode, Domain of) throws JMSException {
    use();
    return new MetaqSession(core.createSession(AckMode.of(mode)), of);
  }

  @Override
  public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
    return session(
        transacted ? Session.SESSION_TRANSACTED : requireNotTransacted(acknowledgeMode), domain);
  }

  @Override
  public Session createSession(int sessionMode) throws JMSException {
    return session(sessionMode, domain);
  }

  @Override
  public Session createSession() throws JMSException {
    return session(Session.AUTO_ACKNOWLEDGE, domain);
  }

  @Override
  public QueueSession createQueueSession(boolean transacted, int acknowledgeMode)
      throws JMSException {
    return session(
        transacted ? Session.SESSION_TRANSACTED : requireNotTransacted(acknowledgeMode),
        Domain.QUEUE);
  }

  @Override
  public TopicSession createTopicSession(boolean transacted, int acknowledgeMode)
      throws JMSException {
    return session(
        transacted ? Session.SESSION_TRANSACTED : requireNotTransacted(acknowledgeMode),
        Domain.TOPIC);
  }

  private static int requireNotTransacted(int acknowledgeMode) throws JMSException {
    if (acknowledgeMode == Session.SESSION_TRANSACTED) {
      throw new JMSException(
          "SESSION_TRANSACTED is no acknowledge mode of a session that is not transacted");
    }
    return acknowledgeMode;
  }

  @Override
  public String getClientID() throws JMSException {
    core.requireOpen();
    return core.clientId();
  }

  @Override
  public void setClientID(String clientId) throws JMSException {
    core.requireOpen();
    if (core.clientId() != null) {
      throw new IllegalStateException(
          "The connection has the client id " + core.clientId() + " already");
    }
    if (used) {
      throw new IllegalStateException(
          "A client id must be set before anything else is done with the connection");
    }
    if (clientId == null || clientId.isEmpty()) {
      throw new InvalidClientIDException("The client id is missing");
    }
    core.claimClientId(clientId);
  }

  @Override
  public ConnectionMetaData getMetaData() throws JMSException {
    use();
    return new MetaqConnectionMetaData();
  }

  @Override
  public ExceptionListener getExceptionListener() throws JMSException {
    use();
    return core.exceptionListener();
  }

  @Override
  public void setExceptionListener(ExceptionListener listener) throws JMSException {
    use();
    core.exceptionListener(listener);
  }

  @Override
  public void start() throws JMSException {
    use();
    core.start();
  }

  @Override
  public void stop() throws JMSException {
    use();
    core.stop();
  }

  @Override
  public void close() throws JMSException {
    core.close();
  }

  // ---- for application servers

  @Override
  public ConnectionConsumer createConnectionConsumer(
      Destination destination, String selector, ServerSessionPool pool, int maxMessages)
      throws JMSException {
    use();
    return connectionConsumer(rules().consumer(destination, selector, false), pool, maxMessages);
  }

  @Override
  public ConnectionConsumer createConnectionConsumer(
      Queue queue, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
    return createConnectionConsumer((Destination) queue, selector, pool, maxMessages);
  }

  @Override
  public ConnectionConsumer createConnectionConsumer(
      Topic topic, String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
    return createConnectionConsumer((Destination) topic, selector, pool, maxMessages);
  }

  @Override
  public ConnectionConsumer createDurableConnectionConsumer(
      Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
      throws JMSException {
    return subscriber(
        "createDurableConnectionConsumer",
        SubscriptionKind.DURABLE,
        topic,
        name,
        selector,
        pool,
        maxMessages);
  }

  @Override
  public ConnectionConsumer createSharedConnectionConsumer(
      Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
      throws JMSException {
    return subscriber(
        "createSharedConnectionConsumer",
        SubscriptionKind.SHARED_NON_DURABLE,
        topic,
        name,
        selector,
        pool,
        maxMessages);
  }

  @Override
  public ConnectionConsumer createSharedDurableConnectionConsumer(
      Topic topic, String name, String selector, ServerSessionPool pool, int maxMessages)
      throws JMSException {
    return subscriber(
        "createSharedDurableConnectionConsumer",
        SubscriptionKind.SHARED_DURABLE,
        topic,
        name,
        selector,
        pool,
        maxMessages);
  }

  private ConnectionConsumer subscriber(
      String method,
      SubscriptionKind kind,
      Topic topic,
      String name,
      String selector,
      ServerSessionPool pool,
      int maxMessages)
      throws JMSException {
    use();
    domain.requireTopics(method);
    return connectionConsumer(
        rules().subscription(kind, topic, name, selector, false), pool, maxMessages);
  }

  private SubscriptionRules rules() {
    return new SubscriptionRules(core);
  }

  private ConnectionConsumer connectionConsumer(
      ConsumerSpec spec, ServerSessionPool pool, int maxMessages) throws JMSException {
    if (pool == null || maxMessages < 1) {
      throw new JMSException(
          "A ConnectionConsumer needs a ServerSessionPool and at least one message at a time");
    }
    return new MetaqConnectionConsumer(core.createSession(AckMode.CLIENT), spec, pool, maxMessages);
  }

  @Override
  public String toString() {
    return core.toString();
  }
}
