package io.metaq.tck.kills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("kills")
@Timeout(value = 15, unit = TimeUnit.MINUTES)
class KillTest {
  private static final int ROUNDS = 20;
  private static final String QUEUE = "kills";

  @TempDir Path directory;

  private final AtomicBoolean over = new AtomicBoolean();
  private final Set<String> stored = ConcurrentHashMap.newKeySet();
  private final Set<String> rolledBack = ConcurrentHashMap.newKeySet();
  private final Set<String> received = ConcurrentHashMap.newKeySet();
  private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
  private final ConcurrentLinkedQueue<String> broken = new ConcurrentLinkedQueue<>();
  private final AtomicInteger exceptions = new AtomicInteger();
  private final List<Thread> threads = new ArrayList<>();

  private interface Work {
    void with(Connection connection) throws JMSException;
  }

  /**
   * Runs some work on a connection, and again on a fresh one whenever it fails, until all is over.
   */
  private void run(String name, String url, Work work) {
    Thread thread =
        new Thread(
            () -> {
              while (!over.get()) {
                try (Connection connection = new MetaqConnectionFactory(url).createConnection()) {
                  connection.start();
                  work.with(connection);
                } catch (JMSException e) {
                  exceptions.incrementAndGet();
                } catch (RuntimeException e) {
                  broken.add(name + " failed: " + e);
                }
              }
            },
            name);
    thread.start();
    threads.add(thread);
  }

  private void send(String name, AtomicInteger number, Connection connection) throws JMSException {
    Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
    while (!over.get()) {
      String id = name + "-" + number.incrementAndGet();
      producer.send(session.createTextMessage(id));
      stored.add(id);
    }
  }

  private void sendTransacted(String name, AtomicInteger number, Connection connection)
      throws JMSException {
    Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
    while (!over.get()) {
      List<String> ids = new ArrayList<>();
      try {
        for (int i = 0; i < 5; i++) {
          String id = name + "-" + number.incrementAndGet();
          ids.add(id);
          producer.send(session.createTextMessage(id));
        }
        session.commit();
        stored.addAll(ids);
      } catch (TransactionRolledBackException e) {
        rolledBack.addAll(ids);
      }
    }
  }

  /**
   * Receives in transactions: whatever a lost connection leaves open is rolled back, so that a
   * commit that returns is certain for exactly its own messages.
   */
  private void consume(Connection connection) throws JMSException {
    Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
    while (!over.get()) {
      List<String> batch = new ArrayList<>();
      Message message = consumer.receive(200);
      while (message instanceof TextMessage text && batch.size() < 7) {
        seen(text.getText());
        batch.add(text.getText());
        message = batch.size() < 7 ? consumer.receive(50) : null;
      }
      try {
        session.commit();
        confirmed.addAll(batch);
      } catch (TransactionRolledBackException e) {
        exceptions.incrementAndGet();
      }
    }
  }

  /**
   * Receives and acknowledges some at a time. After a lost connection the acknowledgement fails
   * unless the broker has it: then its messages are still anybody's.
   */
  private void consumeAcknowledging(Connection connection) throws JMSException {
    Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
    while (!over.get()) {
      List<String> batch = new ArrayList<>();
      Message last = null;
      Message message = consumer.receive(200);
      while (message instanceof TextMessage text) {
        seen(text.getText());
        batch.add(text.getText());
        last = message;
        message = batch.size() < 7 ? consumer.receive(50) : null;
      }
      if (last != null) {
        try {
          last.acknowledge();
          confirmed.addAll(batch);
        } catch (JMSException e) {
          exceptions.incrementAndGet();
        }
      }
    }
  }

  private void seen(String id) {
    if (confirmed.contains(id)) {
      broken.add(id + " was delivered after its acknowledgement was confirmed");
    }
    if (rolledBack.contains(id)) {
      broken.add(id + " was delivered although its transaction was rolled back");
    }
    received.add(id);
  }

  private void drain(String url) throws JMSException {
    try (Connection connection = new MetaqConnectionFactory(url).createConnection()) {
      connection.start();
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
      Message message = consumer.receive(10_000);
      while (message != null) {
        seen(((TextMessage) message).getText());
        message = consumer.receive(2_000);
      }
    }
  }

  @Test // S1, M4
  void nothingAcknowledgedIsLostAndNothingConfirmedComesAgainInTwentyKills() throws Exception {
    Random random = new Random();
    try (BrokerProcess broker = new BrokerProcess(directory)) {
      broker.start();
      String url = broker.url();
      for (String name : List.of("a", "b")) {
        AtomicInteger number = new AtomicInteger();
        run(name, url, connection -> send(name, number, connection));
      }
      AtomicInteger number = new AtomicInteger();
      run("t", url, connection -> sendTransacted("t", number, connection));
      run("c", url, this::consume);
      run("d", url, this::consume);
      run("e", url, this::consumeAcknowledging);
      run("f", url, this::consumeAcknowledging);
      for (int round = 0; round < ROUNDS; round++) {
        int before = stored.size();
        await().atMost(Duration.ofSeconds(60)).until(() -> stored.size() > before + 20);
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(500));
        await().pollInterval(Duration.ofMillis(5)).until(() -> System.nanoTime() > until);
        broker.kill();
        broker.start();
      }
      over.set(true);
      for (Thread thread : threads) {
        thread.join(60_000);
        assertThat(thread.isAlive()).as(thread.getName() + " hangs").isFalse();
      }
      drain(url);
      Set<String> lost = new HashSet<>(stored);
      lost.removeAll(received);
      assertThat(broken).isEmpty();
      assertThat(lost).as("acknowledged to the sender and never received").isEmpty();
      assertThat(confirmed).as("messages confirmed between the kills").isNotEmpty();
    }
  }
}
