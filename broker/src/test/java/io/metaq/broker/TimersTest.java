package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hundred thousand delayed messages at once. */
@Timeout(120)
class TimersTest {
  private static final int COUNT = 100_000;
  private static final int LATER = 14_000;

  @TempDir Path data;

  private EmbeddedBroker broker;
  private final BitSet received = new BitSet();
  private final List<String> early = new ArrayList<>();

  private Connection connect() throws JMSException {
    Connection connection = new MetaqConnectionFactory(broker.url()).createConnection();
    connection.start();
    return connection;
  }

  private void send(long latest) throws JMSException {
    Random random = new Random(1);
    try (Connection connection = connect()) {
      Session session = connection.createSession(Session.SESSION_TRANSACTED);
      MessageProducer producer = session.createProducer(session.createQueue("q"));
      for (int i = 0; i < COUNT; i++) {
        long due = latest - random.nextInt(LATER / 2);
        producer.setDeliveryDelay(Math.max(1, due - System.currentTimeMillis()));
        producer.send(session.createTextMessage(String.valueOf(i)));
        if (i % 1_000 == 999) {
          session.commit();
        }
      }
    }
  }

  /** Up to so many, each committed; none twice. */
  private void receive(int until) throws JMSException {
    try (Connection connection = connect()) {
      Session session = connection.createSession(Session.SESSION_TRANSACTED);
      MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
      while (received.cardinality() < until) {
        List<Integer> batch = new ArrayList<>();
        Message message = consumer.receive(30_000);
        while (message != null && batch.size() < 500) {
          long now = System.currentTimeMillis();
          int number = Integer.parseInt(message.getBody(String.class));
          if (message.getJMSDeliveryTime() > now) {
            early.add(number + " by " + (message.getJMSDeliveryTime() - now) + " ms");
          }
          batch.add(number);
          message = batch.size() < 500 ? consumer.receiveNoWait() : null;
        }
        session.commit();
        assertThat(batch).as("after %d", received.cardinality()).isNotEmpty();
        for (int number : batch) {
          assertThat(received.get(number)).as("%d came twice", number).isFalse();
          received.set(number);
        }
      }
    }
  }

  private void killAndStart() throws Exception {
    broker.kill();
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
  }

  @Test
  @DisplayName("D3: none of a hundred thousand is early, lost or doubled over kills and a restart")
  void noneIsEarlyLostOrDoubled() throws Exception {
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
    try {
      send(System.currentTimeMillis() + LATER);
      killAndStart();
      receive(COUNT / 3);
      killAndStart();
      receive(2 * COUNT / 3);
      broker.close();
      broker = EmbeddedBroker.builder().dataDirectory(data).start();
      receive(COUNT);
      try (Connection connection = connect()) {
        Session session = connection.createSession();
        assertThat(session.createConsumer(session.createQueue("q")).receiveNoWait()).isNull();
      }
    } finally {
      broker.close();
    }
    assertThat(early).isEmpty();
  }
}
