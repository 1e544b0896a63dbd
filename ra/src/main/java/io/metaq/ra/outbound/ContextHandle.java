package io.metaq.ra.outbound;

import io.metaq.jms.Failures;
import io.metaq.jms.SimplifiedApi;
import io.metaq.ra.Quietly;
import jakarta.jms.BytesMessage;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
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

/** The simplified API over a connection handle and its one session (Messaging 12.4). */
final class ContextHandle implements JMSContext {
  private final ConnectionHandle connection;
  private final SessionHandle session;
  private boolean autoStart = true;

  ContextHandle(ConnectionHandle connection, int mode) throws JMSException {
    this.connection = connection;
    try {
      session = connection.createSession(mode);
    } catch (JMSException e) {
      Quietly.close(connection);
      throw e;
    }
  }

  private JMSConsumer consumer(MessageConsumer consumer) throws JMSException {
    if (autoStart) {
      connection.start();
    }
    return new ContextConsumer((ConsumerHandle) consumer);
  }

  private static IllegalStateRuntimeException forbidden(String method) {
    return new IllegalStateRuntimeException(
        method + " is not for Jakarta EE components (Messaging 12.2)");
  }

  @Override
  public JMSContext createContext(int mode) {
    throw new JMSRuntimeException(
        "A context of a Jakarta EE component makes no further ones (Messaging 12.4)");
  }

  @Override
  public JMSProducer createProducer() {
    return Failures.simplified(
        () -> SimplifiedApi.producer(session.session(), session.createProducer(null)));
  }

  @Override
  public String getClientID() {
    return Failures.simplified(connection::getClientID);
  }

  @Override
  public void setClientID(String clientId) {
    throw forbidden("setClientID");
  }

  @Override
  public ConnectionMetaData getMetaData() {
    return Failures.simplified(connection::getMetaData);
  }

  @Override
  public ExceptionListener getExceptionListener() {
    throw forbidden("getExceptionListener");
  }

  @Override
  public void setExceptionListener(ExceptionListener listener) {
    throw forbidden("setExceptionListener");
  }

  @Override
  public void start() {
    Failures.simplifiedRun(connection::start);
  }

  @Override
  public void stop() {
    throw forbidden("stop");
  }

  @Override
  public void setAutoStart(boolean autoStart) {
    this.autoStart = autoStart;
  }

  @Override
  public boolean getAutoStart() {
    return autoStart;
  }

  @Override
  public void close() {
    Failures.simplifiedRun(connection::close);
  }

  @Override
  public BytesMessage createBytesMessage() {
    return Failures.simplified(session::createBytesMessage);
  }

  @Override
  public MapMessage createMapMessage() {
    return Failures.simplified(session::createMapMessage);
  }

  @Override
  public Message createMessage() {
    return Failures.simplified(session::createMessage);
  }

  @Override
  public ObjectMessage createObjectMessage() {
    return Failures.simplified(() -> session.createObjectMessage());
  }

  @Override
  public ObjectMessage createObjectMessage(Serializable object) {
    return Failures.simplified(() -> session.createObjectMessage(object));
  }

  @Override
  public StreamMessage createStreamMessage() {
    return Failures.simplified(session::createStreamMessage);
  }

  @Override
  public TextMessage createTextMessage() {
    return Failures.simplified(() -> session.createTextMessage());
  }

  @Override
  public TextMessage createTextMessage(String text) {
    return Failures.simplified(() -> session.createTextMessage(text));
  }

  @Override
  public boolean getTransacted() {
    return Failures.simplified(session::getTransacted);
  }

  @Override
  public int getSessionMode() {
    return Failures.simplified(session::getAcknowledgeMode);
  }

  @Override
  public void commit() {
    Failures.simplifiedRun(session::commit);
  }

  @Override
  public void rollback() {
    Failures.simplifiedRun(session::rollback);
  }

  @Override
  public void recover() {
    Failures.simplifiedRun(session::recover);
  }

  @Override
  public JMSConsumer createConsumer(Destination destination) {
    return Failures.simplified(() -> consumer(session.createConsumer(destination)));
  }

  @Override
  public JMSConsumer createConsumer(Destination destination, String selector) {
    return Failures.simplified(() -> consumer(session.createConsumer(destination, selector)));
  }

  @Override
  public JMSConsumer createConsumer(Destination destination, String selector, boolean noLocal) {
    return Failures.simplified(
        () -> consumer(session.createConsumer(destination, selector, noLocal)));
  }

  @Override
  public Queue createQueue(String name) {
    return Failures.simplified(() -> session.createQueue(name));
  }

  @Override
  public Topic createTopic(String name) {
    return Failures.simplified(() -> session.createTopic(name));
  }

  @Override
  public JMSConsumer createDurableConsumer(Topic topic, String name) {
    return Failures.simplified(() -> consumer(session.createDurableConsumer(topic, name)));
  }

  @Override
  public JMSConsumer createDurableConsumer(
      Topic topic, String name, String selector, boolean noLocal) {
    return Failures.simplified(
        () -> consumer(session.createDurableConsumer(topic, name, selector, noLocal)));
  }

  @Override
  public JMSConsumer createSharedDurableConsumer(Topic topic, String name) {
    return Failures.simplified(() -> consumer(session.createSharedDurableConsumer(topic, name)));
  }

  @Override
  public JMSConsumer createSharedDurableConsumer(Topic topic, String name, String selector) {
    return Failures.simplified(
        () -> consumer(session.createSharedDurableConsumer(topic, name, selector)));
  }

  @Override
  public JMSConsumer createSharedConsumer(Topic topic, String name) {
    return Failures.simplified(() -> consumer(session.createSharedConsumer(topic, name)));
  }

  @Override
  public JMSConsumer createSharedConsumer(Topic topic, String name, String selector) {
    return Failures.simplified(() -> consumer(session.createSharedConsumer(topic, name, selector)));
  }

  @Override
  public QueueBrowser createBrowser(Queue queue) {
    return Failures.simplified(() -> session.createBrowser(queue));
  }

  @Override
  public QueueBrowser createBrowser(Queue queue, String selector) {
    return Failures.simplified(() -> session.createBrowser(queue, selector));
  }

  @Override
  public TemporaryQueue createTemporaryQueue() {
    return Failures.simplified(session::createTemporaryQueue);
  }

  @Override
  public TemporaryTopic createTemporaryTopic() {
    return Failures.simplified(session::createTemporaryTopic);
  }

  @Override
  public void unsubscribe(String name) {
    Failures.simplifiedRun(() -> session.unsubscribe(name));
  }

  @Override
  public void acknowledge() {
    // Jakarta EE components acknowledge automatically (Messaging 12.3)
  }
}
