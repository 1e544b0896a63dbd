package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.tck.transactions.FrameProxy.Fault;
import io.metaq.wire.MessageFrames.Send;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sends that the broker has carried out and not answered, and then the connection is lost. */
class UnansweredSendTest {
  @TempDir Path data;
  private EmbeddedBroker broker;
  private FrameProxy proxy;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
    proxy = new FrameProxy(broker.port());
  }

  @AfterEach
  void stop() throws Exception {
    proxy.close();
    broker.close();
  }

  private void restart() throws Exception {
    int port = broker.port();
    broker.kill();
    broker = EmbeddedBroker.builder().port(port).dataDirectory(data).start();
  }

  private static Connection connect(String url) throws JMSException {
    Connection connection = new MetaqConnectionFactory(url).createConnection();
    connection.start();
    return connection;
  }

  private static MessageConsumer consumer(Connection connection) throws JMSException {
    Session session = connection.createSession();
    return session.createConsumer(session.createQueue("q"));
  }

  /** Sends one that is delivered and whose receipt is lost; the client is kept away meanwhile. */
  private void sendUnanswered(MessageProducer producer, Session session, MessageConsumer consumer)
      throws Exception {
    proxy.refuseNew();
    CountDownLatch struck = proxy.once(Send.class::isInstance, Fault.LOSE_REPLY);
    producer.send(session.createTextMessage("unanswered"));
    assertThat(struck.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(consumer.receive(10_000).getBody(String.class)).isEqualTo("unanswered");
  }

  @Test
  void aNonPersistentOneIsNotSentAgainToARestartedBroker() throws Exception {
    try (Connection sending = connect(proxy.url())) {
      Session session = sending.createSession();
      MessageProducer producer = session.createProducer(session.createQueue("q"));
      producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
      try (Connection receiving = connect(broker.url())) {
        sendUnanswered(producer, session, consumer(receiving));
      }
      restart();
      proxy.cut();
      proxy.admit();
      // Persistent: when it returns, the connection stands again.
      session.createProducer(session.createQueue("other")).send(session.createMessage());
      producer.send(session.createTextMessage("next"));
      try (Connection receiving = connect(broker.url())) {
        MessageConsumer consumer = consumer(receiving);
        assertThat(consumer.receive(20_000).getBody(String.class)).isEqualTo("next");
        assertThat(consumer.receive(300)).isNull();
      }
    }
  }

  @Test
  void aNonPersistentOneIsSentAgainToTheSameRunOfTheBrokerAndStoredOnce() throws Exception {
    try (Connection sending = connect(proxy.url());
        Connection receiving = connect(broker.url())) {
      MessageConsumer consumer = consumer(receiving);
      Session session = sending.createSession();
      MessageProducer producer = session.createProducer(session.createQueue("q"));
      producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
      sendUnanswered(producer, session, consumer);
      proxy.admit();
      // Persistent: when it returns, the connection stands again.
      session.createProducer(session.createQueue("other")).send(session.createMessage());
      producer.send(session.createTextMessage("next"));
      assertThat(consumer.receive(20_000).getBody(String.class)).isEqualTo("next");
      assertThat(consumer.receive(300)).isNull();
    }
  }

  @Test
  void whoWaitsForTheReceiptOfANonPersistentOneHearsThatItsOutcomeIsUnknown() throws Exception {
    try (Connection sending = connect(proxy.url() + "?nonPersistentReceipts=true");
        Connection receiving = connect(broker.url())) {
      MessageConsumer consumer = consumer(receiving);
      Session session = sending.createSession();
      MessageProducer producer = session.createProducer(session.createQueue("q"));
      producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
      Thread restarting =
          new Thread(
              () -> {
                try {
                  assertThat(consumer.receive(10_000)).isNotNull();
                  restart();
                  proxy.cut();
                  proxy.admit();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      proxy.refuseNew();
      proxy.once(Send.class::isInstance, Fault.LOSE_REPLY);
      restarting.start();
      assertThatThrownBy(() -> producer.send(session.createTextMessage("unanswered")))
          .isInstanceOf(JMSException.class)
          .hasMessageContaining("restarted");
      restarting.join();
    }
  }
}
