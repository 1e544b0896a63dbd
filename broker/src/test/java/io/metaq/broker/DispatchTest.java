package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets which message next. */
@Timeout(60)
class DispatchTest {
  private static final int MANY = 10_000;

  @TempDir Path data;

  private static Connection connect(EmbeddedBroker broker, String options) throws JMSException {
    Connection connection =
        new MetaqConnectionFactory("metaq://127.0.0.1:" + broker.port() + options)
            .createConnection();
    connection.start();
    return connection;
  }

  private static void fill(Connection connection, int count, int priority) throws JMSException {
    Session session = connection.createSession(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(session.createQueue("q"));
    for (int i = 0; i < count; i++) {
      producer.send(
          session.createTextMessage(String.valueOf(i)), DeliveryMode.PERSISTENT, priority, 0);
      if (i % 1_000 == 999) {
        session.commit();
      }
    }
    session.commit();
  }

  private static String text(Message message) {
    try {
      return message.getBody(String.class);
    } catch (JMSException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("D1: a fast consumer gets all but the prefetch of a blocked one")
  void aBlockedConsumerKeepsNoMoreThanItsPrefetch() throws Exception {
    List<String> blocked = new CopyOnWriteArrayList<>();
    List<String> fast = new ArrayList<>();
    CountDownLatch latch = new CountDownLatch(1);
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
        Connection slow = connect(broker, "?prefetch=50");
        Connection quick = connect(broker, "")) {
      Session sleeping = slow.createSession();
      sleeping
          .createConsumer(sleeping.createQueue("q"))
          .setMessageListener(
              message -> {
                try {
                  latch.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                blocked.add(text(message));
              });
      fill(quick, MANY, 4);
      Session session = quick.createSession();
      MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
      while (fast.size() < MANY - 50) {
        Message message = consumer.receive(10_000);
        assertThat(message).as("after %d", fast.size()).isNotNull();
        fast.add(text(message));
      }
      consumer.close();
      latch.countDown();
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(blocked.size() + fast.size()).isEqualTo(MANY));
    }
    fast.addAll(blocked);
    assertThat(fast)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, MANY).mapToObj(String::valueOf).toList());
  }

  @Test
  @DisplayName("D2: priority 9 behind five thousand of a low one comes next, after a restart too")
  void aHighPriorityOvertakesADeepBacklog() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
    try {
      try (Connection connection = connect(broker, "?prefetch=10")) {
        fill(connection, 5_000, 1);
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        assertThat(text(consumer.receive(10_000))).isEqualTo("0");
        MessageProducer producer = session.createProducer(session.createQueue("q"));
        producer.send(session.createTextMessage("urgent"), DeliveryMode.PERSISTENT, 9, 0);
        List<String> next = new ArrayList<>();
        for (int i = 0; i < 12; i++) { // what the consumer holds, and one
          next.add(text(consumer.receive(10_000)));
        }
        assertThat(next).contains("urgent");
        producer.send(session.createTextMessage("most urgent"), DeliveryMode.PERSISTENT, 9, 0);
        consumer.close();
      }
      broker.kill();
      broker = EmbeddedBroker.builder().dataDirectory(data).start();
      try (Connection connection = connect(broker, "")) {
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        assertThat(text(consumer.receive(10_000))).isEqualTo("most urgent");
      }
    } finally {
      broker.close();
    }
  }

  @Test
  @DisplayName("C1: a shared durable subscription of connections without client id is one backlog")
  void aSharedDurableSubscriptionWithoutClientIdIsOneBacklog() throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
        Connection first = connect(broker, "");
        Connection second = connect(broker, "");
        Connection third = connect(broker, "")) {
      Session session = first.createSession();
      session.createSharedDurableConsumer(session.createTopic("t"), "s").close();
      MessageProducer producer = session.createProducer(session.createTopic("t"));
      for (int i = 0; i < 150; i++) {
        producer.send(session.createTextMessage(String.valueOf(i)));
      }
      for (Connection connection : List.of(first, second, third)) {
        Session own = connection.createSession();
        own.createSharedDurableConsumer(own.createTopic("t"), "s")
            .setMessageListener(message -> received.add(text(message)));
      }
      for (int i = 150; i < 300; i++) {
        producer.send(session.createTextMessage(String.valueOf(i)));
      }
      await().untilAsserted(() -> assertThat(received).hasSizeGreaterThanOrEqualTo(300));
    }
    assertThat(received)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 300).mapToObj(String::valueOf).toList());
  }
}
