package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.config.ServerIni;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of non-persistent messages whose sends did not wait for the broker. */
class NonPersistentSendTest {
  private static final int LIMIT = 100_000;

  @TempDir Path data;

  private EmbeddedBroker start(String policy) throws Exception {
    String ini =
        "[system]\nserverPort=0\njournalFileSize=16 * 1024 * 1024\n"
            + "[queue=small]\nnonPersistentMaxBytes="
            + LIMIT
            + "\nlimitPolicy="
            + policy
            + "\n";
    return EmbeddedBroker.builder().config(ServerIni.parse(ini, data)).dataDirectory(data).start();
  }

  private static MessageProducer producer(Session session, Queue to) throws JMSException {
    MessageProducer producer = session.createProducer(to);
    producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    return producer;
  }

  private static Message numbered(Session session, int number) throws JMSException {
    Message message = session.createTextMessage("x".repeat(1_000));
    message.setIntProperty("number", number);
    return message;
  }

  @Test
  void aRefusalReachesTheExceptionListener() throws Exception {
    BlockingQueue<JMSException> heard = new LinkedBlockingQueue<>();
    try (EmbeddedBroker broker = start("fail");
        Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      connection.setExceptionListener(heard::add);
      connection.start();
      Session session = connection.createSession();
      Queue queue = session.createQueue("small");
      MessageProducer producer = producer(session, queue);
      int sent = 0;
      while (heard.isEmpty()) {
        producer.send(numbered(session, sent++));
      }
      assertThat(heard.poll(10, TimeUnit.SECONDS))
          .isInstanceOf(ResourceAllocationException.class)
          .hasMessageContaining("small");
      MessageConsumer consumer = session.createConsumer(queue);
      for (int number = 0; number < LIMIT / 3_000; number++) {
        assertThat(consumer.receive(10_000).getIntProperty("number")).isEqualTo(number);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"?sendWindow=5000", ""})
  void aSenderGoesNoFasterThanAFullDestinationAndNothingIsLost(String window) throws Exception {
    try (EmbeddedBroker broker = start("block");
        Connection connection =
            new MetaqConnectionFactory(broker.url() + window).createConnection()) {
      connection.start();
      Session session = connection.createSession();
      Session sending = connection.createSession();
      Queue queue = session.createQueue("small");
      CompletableFuture<Integer> sender =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  MessageProducer producer = producer(sending, queue);
                  for (int number = 0; number < 500; number++) {
                    producer.send(numbered(sending, number));
                  }
                  sending.close();
                  return 500;
                } catch (JMSException e) {
                  throw new IllegalStateException(e);
                }
              });
      MessageConsumer consumer = session.createConsumer(queue);
      for (int number = 0; number < 500; number++) {
        assertThat(consumer.receive(10_000).getIntProperty("number")).isEqualTo(number);
      }
      assertThat(sender.get(10, TimeUnit.SECONDS)).isEqualTo(500);
    }
  }

  @Test
  void whatWasSentBeforeTheSessionClosedIsThereAfterwards() throws Exception {
    try (EmbeddedBroker broker = start("block")) {
      try (Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
        Session session = connection.createSession();
        MessageProducer producer = producer(session, session.createQueue("other"));
        for (int number = 0; number < 1_000; number++) {
          producer.send(numbered(session, number));
        }
      }
      try (Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
        connection.start();
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("other"));
        for (int number = 0; number < 1_000; number++) {
          assertThat(consumer.receiveNoWait().getIntProperty("number")).isEqualTo(number);
        }
      }
    }
  }

  @Test
  void aReplyToADeletedTemporaryQueueFailsAtOnce() throws Exception {
    try (EmbeddedBroker broker = start("block");
        Connection asking = new MetaqConnectionFactory(broker.url()).createConnection();
        Connection answering = new MetaqConnectionFactory(broker.url()).createConnection()) {
      TemporaryQueue replies = asking.createSession().createTemporaryQueue();
      Session session = answering.createSession();
      MessageProducer producer = producer(session, replies);
      producer.send(session.createMessage());
      replies.delete();
      assertThatThrownBy(() -> producer.send(session.createMessage()))
          .isInstanceOf(InvalidDestinationException.class);
    }
  }
}
