package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.tck.transactions.FrameProxy.Fault;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Outcome;
import io.metaq.wire.TransactionFrames.QueryOutcome;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transacted sessions: atomicity, lost connections and what a restart finds. */
class LocalTransactionTest {
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

  private static Connection connect(String url) throws JMSException {
    Connection connection = new MetaqConnectionFactory(url).createConnection();
    connection.start();
    return connection;
  }

  private static void send(Session session, String queue, String... texts) throws JMSException {
    MessageProducer producer = session.createProducer(session.createQueue(queue));
    for (String text : texts) {
      producer.send(session.createTextMessage(text));
    }
  }

  private static List<String> receive(Session session, String queue, long patience)
      throws JMSException {
    List<String> texts = new ArrayList<>();
    try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
      for (Message message = consumer.receive(patience);
          message != null;
          message = consumer.receiveNoWait()) {
        texts.add(message.getBody(String.class));
      }
    }
    return texts;
  }

  @Test
  void nothingOfATransactionShowsBeforeItsCommitAndAllOfItAfter() throws Exception {
    try (Connection connection = connect(broker.url())) {
      Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
      Session watching = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      send(watching, "in", "request");
      assertThat(receive(transacted, "in", 2_000)).containsExactly("request");
      send(transacted, "out.a", "a1", "a2");
      send(transacted, "out.b", "b");
      assertThat(receive(watching, "out.a", 100)).isEmpty();
      transacted.commit();
      assertThat(receive(watching, "out.a", 2_000)).containsExactly("a1", "a2");
      assertThat(receive(watching, "out.b", 2_000)).containsExactly("b");
      assertThat(receive(watching, "in", 100)).isEmpty();
    }
  }

  @Test
  void aRollbackBringsMessagesBackInTheirPlaceCountedOnceMore() throws Exception {
    try (Connection connection = connect(broker.url())) {
      Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
      send(transacted, "q", "1", "2", "3");
      transacted.commit();
      MessageConsumer consumer = transacted.createConsumer(transacted.createQueue("q"));
      assertThat(consumer.receive(2_000).getBody(String.class)).isEqualTo("1");
      assertThat(consumer.receive(2_000).getBody(String.class)).isEqualTo("2");
      send(transacted, "q", "never");
      transacted.rollback();
      List<String> seen = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Message message = consumer.receive(2_000);
        seen.add(
            message.getBody(String.class) + " x" + message.getIntProperty("JMSXDeliveryCount"));
      }
      assertThat(seen).containsExactly("1 x2", "2 x2", "3 x1");
      transacted.commit();
      assertThat(consumer.receiveNoWait()).isNull();
    }
  }

  @Test
  void aCommitWhoseReplyIsLostReturnsSinceTheBrokerHasCommitted() throws Exception {
    try (Connection connection = connect(proxy.url());
        Connection direct = connect(broker.url())) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      send(session, "q", "m");
      proxy.once(Commit.class::isInstance, Fault.LOSE_REPLY);
      session.commit();
      assertThat(receive(direct.createSession(false, Session.AUTO_ACKNOWLEDGE), "q", 2_000))
          .containsExactly("m");
    }
  }

  @Test
  void aCommitThatNeverArrivedThrowsAndTheNextTransactionIsItsOwn() throws Exception {
    try (Connection connection = connect(proxy.url());
        Connection direct = connect(broker.url())) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      send(session, "q", "lost");
      proxy.once(Commit.class::isInstance, Fault.LOSE_REQUEST);
      assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
      send(session, "q", "kept");
      session.commit();
      assertThat(receive(direct.createSession(false, Session.AUTO_ACKNOWLEDGE), "q", 2_000))
          .containsExactly("kept");
    }
  }

  @Test
  void aConnectionLostInsideATransactionRollsItBackAsAWhole() throws Exception {
    try (Connection connection = connect(proxy.url());
        Connection direct = connect(broker.url())) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      Session plain = direct.createSession(false, Session.AUTO_ACKNOWLEDGE);
      send(plain, "in", "request");
      MessageConsumer consumer = session.createConsumer(session.createQueue("in"));
      assertThat(consumer.receive(2_000).getBody(String.class)).isEqualTo("request");
      send(session, "out", "reply");
      proxy.refuse();
      MessageConsumer other = plain.createConsumer(plain.createQueue("in"));
      long before = System.nanoTime();
      Message again = other.receive(5_000);
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
      assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
      proxy.admit();
      assertThatThrownBy(session::commit).isInstanceOf(TransactionRolledBackException.class);
      assertThat(receive(plain, "out", 100)).isEmpty();
    }
  }

  /** M4, and I2: the outcome and what it names are durable together. */
  @Test
  void aCommitThatWasAnsweredIsThereAfterAKill() throws Exception {
    try (Connection connection = connect(broker.url())) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      send(session, "in", "request");
      session.commit();
      assertThat(receive(session, "in", 2_000)).containsExactly("request");
      send(session, "out", "reply");
      session.commit();
      send(session, "out", "open");
      broker.kill();
    }
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
    try (Connection connection = connect(broker.url())) {
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      assertThat(receive(session, "out", 2_000)).containsExactly("reply");
      assertThat(receive(session, "in", 100)).isEmpty();
    }
  }

  @Test
  void theOutcomeOfATransactionOutlivesARestart() throws Exception {
    UUID id;
    try (RawTransaction raw = new RawTransaction(broker.url())) {
      id = raw.client().id();
      raw.commitOne("q", 7);
    }
    broker.kill();
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
    try (RawClient client = new RawClient(broker.url())) {
      assertThat(client.ask(new QueryOutcome(id, 7))).isEqualTo(new Outcome(true));
      assertThat(client.ask(new QueryOutcome(id, 8))).isEqualTo(new Outcome(false));
      assertThat(client.ask(new QueryOutcome(UUID.randomUUID(), 7))).isEqualTo(new Outcome(false));
    }
  }

  @Test
  void aTransactionOfAThousandMessagesInSeveralQueuesIsOneUnit() throws Exception {
    try (Connection connection = connect(broker.url())) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      for (int i = 0; i < 1_000; i++) {
        send(session, "q" + i % 5, Integer.toString(i));
      }
      session.commit();
      broker.kill();
    }
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
    try (Connection connection = connect(broker.url())) {
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      for (int queue = 0; queue < 5; queue++) {
        List<String> texts = receive(session, "q" + queue, 2_000);
        assertThat(texts).hasSize(200).startsWith(Integer.toString(queue));
      }
    }
  }

  @Test
  void aTransactionFarLargerThanAJournalEntryIsOneUnit() throws Exception {
    String body = "x".repeat(900_000);
    try (Connection connection = connect(broker.url())) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      for (int i = 0; i < 40; i++) {
        send(session, "large", i + body);
      }
      session.commit();
      broker.kill();
    }
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
    try (Connection connection = connect(broker.url())) {
      List<String> texts =
          receive(connection.createSession(false, Session.AUTO_ACKNOWLEDGE), "large", 5_000);
      assertThat(texts).hasSize(40);
      assertThat(texts.get(39)).isEqualTo(39 + body);
    }
  }

  @Test
  void twoTransactionsOfOneConnectionDoNotMix() throws Exception {
    try (Connection connection = connect(broker.url())) {
      Session one = connection.createSession(true, Session.SESSION_TRANSACTED);
      Session two = connection.createSession(true, Session.SESSION_TRANSACTED);
      Session watching = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      send(one, "q", "one");
      send(two, "q", "two");
      two.rollback();
      one.commit();
      assertThat(receive(watching, "q", 2_000)).containsExactly("one");
    }
  }

  @Test
  void closingASessionRollsItsTransactionBack() throws Exception {
    try (Connection connection = connect(broker.url())) {
      Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
      Session plain = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      send(plain, "in", "request");
      assertThat(receive(transacted, "in", 2_000)).containsExactly("request");
      send(transacted, "out", "reply");
      transacted.close();
      assertThat(receive(plain, "in", 2_000)).containsExactly("request");
      assertThat(receive(plain, "out", 100)).isEmpty();
    }
  }

  @Test
  void aListenerThatRollsBackGetsTheMessageAgain() throws Exception {
    try (Connection connection = connect(broker.url())) {
      Session transacted = connection.createSession(true, Session.SESSION_TRANSACTED);
      List<Integer> counts = new ArrayList<>();
      CountDownLatch committed = new CountDownLatch(1);
      transacted
          .createConsumer(transacted.createQueue("q"))
          .setMessageListener(
              message -> {
                try {
                  counts.add(message.getIntProperty("JMSXDeliveryCount"));
                  if (counts.size() < 3) {
                    transacted.rollback();
                  } else {
                    transacted.commit();
                    committed.countDown();
                  }
                } catch (JMSException e) {
                  throw new IllegalStateException(e);
                }
              });
      send(connection.createSession(false, Session.AUTO_ACKNOWLEDGE), "q", "m");
      assertThat(committed.await(10, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
      assertThat(counts).containsExactly(1, 2, 3);
    }
  }

  /** R3. */
  @Test
  void aTransactedListenerThatLosesItsConnectionProcessesAllAndSendsNothingToTheDeadLetters()
      throws Exception {
    int count = 1_000;
    try (Connection connection = connect(broker.url())) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      MessageProducer producer = session.createProducer(session.createQueue("batch"));
      for (int i = 0; i < count; i++) {
        producer.send(session.createTextMessage("m" + i));
      }
      session.commit();
    }
    Set<String> processed = ConcurrentHashMap.newKeySet();
    Set<String> seen = ConcurrentHashMap.newKeySet();
    AtomicInteger countedUnseen = new AtomicInteger();
    int cuts = 5;
    try (Connection connection = connect(proxy.url() + "?prefetch=1000")) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      List<String> batch = new ArrayList<>();
      MessageConsumer consumer = session.createConsumer(session.createQueue("batch"));
      consumer.setMessageListener(
          message -> {
            try {
              String text = message.getBody(String.class);
              if (seen.add(text) && message.getIntProperty("JMSXDeliveryCount") > 1) {
                countedUnseen.incrementAndGet();
              }
              batch.add(text);
              if (batch.size() == 20 || processed.size() + batch.size() == count) {
                session.commit();
                processed.addAll(batch);
                batch.clear();
              }
            } catch (JMSException e) {
              batch.clear(); // rolled back: all of the batch comes again
            }
          });
      for (int cut = 1; cut <= cuts; cut++) {
        int goal = cut * count / (cuts + 1);
        await().atMost(Duration.ofSeconds(20)).until(() -> seen.size() >= goal);
        proxy.cut();
      }
      await().atMost(Duration.ofSeconds(20)).until(() -> processed.size() == count);
      // The next in line of each lost connection may count as begun.
      assertThat(countedUnseen).hasValueLessThanOrEqualTo(cuts);
    }
    try (Connection connection = connect(broker.url())) {
      Session session = connection.createSession();
      assertThat(receive(session, "batch", 500)).isEmpty();
      assertThat(receive(session, "DLQ", 500)).isEmpty();
    }
  }
}
