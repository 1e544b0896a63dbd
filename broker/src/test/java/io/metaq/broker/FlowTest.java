package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.config.ServerIni;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.AdminFrames.AdminResult;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * S8: a backlog waits, and the queue is purged, its limits change, or another subscription is slow:
 * the rest keeps flowing.
 */
@Timeout(120)
class FlowTest {
  private static final int BACKLOG = 5_000;

  @TempDir Path data;

  private EmbeddedBroker start(String keys) throws Exception {
    String ini = "[system]\nserverPort=0\njournalFileSize=16 * 1024 * 1024\n[queue=deep]\n" + keys;
    return EmbeddedBroker.builder().config(ServerIni.parse(ini, data)).dataDirectory(data).start();
  }

  private static Connection connect(EmbeddedBroker broker) throws JMSException {
    Connection connection = new MetaqConnectionFactory(broker.url()).createConnection();
    connection.start();
    return connection;
  }

  private static void fill(Connection connection, int from, int count) throws JMSException {
    Session session = connection.createSession(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(session.createQueue("deep"));
    for (int i = from; i < from + count; i++) {
      producer.send(session.createTextMessage(String.valueOf(i)));
    }
    session.commit();
    session.close();
  }

  /** A sender that finds the queue full. */
  private static CompletableFuture<String> sending(Connection connection, String text) {
    return CompletableFuture.supplyAsync(
        () -> {
          try (Session session = connection.createSession()) {
            Queue queue = session.createQueue("deep");
            session.createProducer(queue).send(session.createTextMessage(text));
            return text;
          } catch (JMSException e) {
            throw new CompletionException(e);
          }
        });
  }

  private static void awaitBlocked(WireClient admin, String count) {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                assertThat(((AdminResult) admin.ask(new Admin("queues", List.of()))).rows())
                    .filteredOn(row -> row.get("name").equals("deep"))
                    .singleElement()
                    .extracting(row -> row.get("blockedSenders"))
                    .isEqualTo(count));
  }

  private static void flows(Connection connection) throws JMSException {
    try (Session session = connection.createSession()) {
      Queue other = session.createQueue("other");
      MessageProducer producer = session.createProducer(other);
      MessageConsumer consumer = session.createConsumer(other);
      for (int i = 0; i < 100; i++) {
        producer.send(session.createTextMessage(String.valueOf(i)));
        assertThat(consumer.receive(10_000).getBody(String.class)).isEqualTo(String.valueOf(i));
      }
    }
  }

  @Test
  void aPurgeLetsThoseWhoWaitGoOnAndHoldsUpNoOtherQueue() throws Exception {
    try (EmbeddedBroker broker = start("maxMessages=" + BACKLOG + "\n");
        Connection connection = connect(broker);
        WireClient admin = new WireClient(broker.port())) {
      fill(connection, 0, BACKLOG);
      CompletableFuture<String> waiting = sending(connection, "new");
      awaitBlocked(admin, "1");
      flows(connection);
      Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
      MessageConsumer consumer = session.createConsumer(session.createQueue("deep"));
      Message held = consumer.receive(10_000);
      assertThat(admin.ask(new Admin("purge", List.of("deep")))).isInstanceOf(AdminResult.class);
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo("new");
      flows(connection);
      Message next = consumer.receive(10_000);
      while (!next.getBody(String.class).equals("new")) { // what it had been sent ahead
        next = consumer.receive(10_000);
      }
      held.acknowledge();
      assertThat(consumer.receiveNoWait()).isNull();
    }
  }

  @Test
  void aLimitBelowTheBacklogStopsItsSendersOnlyAndNoMessageIsLost() throws Exception {
    try (EmbeddedBroker broker = start("");
        Connection connection = connect(broker)) {
      fill(connection, 0, BACKLOG);
    }
    try (EmbeddedBroker broker = start("maxMessages=10\n");
        Connection connection = connect(broker);
        WireClient admin = new WireClient(broker.port())) {
      CompletableFuture<String> waiting = sending(connection, String.valueOf(BACKLOG));
      awaitBlocked(admin, "1");
      flows(connection);
      Session session = connection.createSession();
      MessageConsumer consumer = session.createConsumer(session.createQueue("deep"));
      for (int i = 0; i <= BACKLOG; i++) {
        assertThat(consumer.receive(10_000).getBody(String.class)).isEqualTo(String.valueOf(i));
      }
      assertThat(waiting.get(20, TimeUnit.SECONDS)).isNotNull();
    }
  }

  @Test
  void aSlowSubscriptionHoldsUpNoOtherOne() throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    try (EmbeddedBroker broker = start("");
        Connection connection = connect(broker);
        Connection slow = connect(broker)) {
      Session sleeping = slow.createSession();
      Topic topic = sleeping.createTopic("news");
      sleeping
          .createSharedDurableConsumer(topic, "slow")
          .setMessageListener(
              message -> {
                try {
                  latch.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      Session session = connection.createSession();
      MessageConsumer fast = session.createSharedDurableConsumer(topic, "fast");
      MessageConsumer plain = session.createConsumer(topic);
      Session sending = connection.createSession(Session.SESSION_TRANSACTED);
      MessageProducer producer = sending.createProducer(topic);
      for (int i = 0; i < BACKLOG; i++) {
        producer.send(sending.createTextMessage(String.valueOf(i)));
      }
      sending.commit();
      for (int i = 0; i < BACKLOG; i++) {
        assertThat(fast.receive(10_000).getBody(String.class)).isEqualTo(String.valueOf(i));
        assertThat(plain.receive(10_000).getBody(String.class)).isEqualTo(String.valueOf(i));
      }
      latch.countDown();
    }
  }
}
