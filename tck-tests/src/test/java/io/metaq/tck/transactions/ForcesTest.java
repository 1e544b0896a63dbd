package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What transactions cost in forces of the disk, counted by the broker. */
class ForcesTest {
  private EmbeddedBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.builder().start();
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private long forces() {
    return broker.stats().stream()
        .filter(line -> line.startsWith("journal_forces "))
        .mapToLong(line -> Long.parseLong(line.substring(15)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aTwoPhaseTransactionForcesTwice() throws Exception {
    int transactions = 300;
    try (Worker worker = new Worker(broker.url(), "q")) {
      worker.run(20);
      long before = forces();
      worker.run(transactions);
      double perTransaction = (double) (forces() - before) / transactions;
      System.out.printf("single-threaded: %.3f forces per XA transaction%n", perTransaction);
      assertThat(perTransaction).isLessThanOrEqualTo(2.05);
    }
  }

  /** How much is shared depends on how long a force takes, so this one needs a quiet machine. */
  @Test
  @Tag("slow")
  void concurrentTransactionsShareTheirForces() throws Exception {
    int threads = 8;
    int transactions = 200;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Worker> workers = new ArrayList<>();
    try {
      for (int i = 0; i < threads; i++) {
        workers.add(new Worker(broker.url(), "q" + i));
      }
      all(pool, workers, 20);
      long before = forces();
      all(pool, workers, transactions);
      double perTransaction = (double) (forces() - before) / (threads * transactions);
      System.out.printf("eight threads: %.3f forces per XA transaction%n", perTransaction);
      assertThat(perTransaction).isLessThanOrEqualTo(0.55);
    } finally {
      for (Worker worker : workers) {
        worker.close();
      }
      pool.shutdown();
    }
  }

  private static void all(ExecutorService pool, List<Worker> workers, int transactions)
      throws Exception {
    List<Callable<Void>> tasks = new ArrayList<>();
    for (Worker worker : workers) {
      tasks.add(
          () -> {
            worker.run(transactions);
            return null;
          });
    }
    for (Future<Void> done : pool.invokeAll(tasks)) {
      done.get();
    }
  }

  @Test
  void aBatchOfAHundredTransactedSendsForcesOnce() throws Exception {
    int batches = 50;
    try (Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      MessageProducer producer = session.createProducer(session.createQueue("q"));
      producer.send(session.createTextMessage("first"));
      session.commit();
      long before = forces();
      for (int batch = 0; batch < batches; batch++) {
        for (int i = 0; i < 100; i++) {
          producer.send(session.createTextMessage("m"));
        }
        session.commit();
      }
      double perMessage = (forces() - before) / (batches * 100.0);
      System.out.printf("batches of 100: %.5f forces per message%n", perMessage);
      assertThat(perMessage).isLessThanOrEqualTo(0.0105);
    }
  }

  /** Receives from its queue and sends to it again, in one branch each time. */
  private static final class Worker implements AutoCloseable {
    private final XaClient client;
    private final MessageConsumer consumer;
    private final MessageProducer producer;

    Worker(String url, String name) throws Exception {
      client = new XaClient(url);
      Queue queue = client.session().createQueue(name);
      client.send(name, "token");
      consumer = client.session().createConsumer(queue);
      producer = client.session().createProducer(queue);
    }

    void run(int transactions) throws Exception {
      for (int i = 0; i < transactions; i++) {
        TestXid xid = TestXid.next();
        client.start(xid);
        Message message = consumer.receive(10_000);
        assertThat(message).isNotNull();
        producer.send(client.session().createTextMessage("token"));
        client.end(xid);
        assertThat(client.resource().prepare(xid)).isEqualTo(XAResource.XA_OK);
        client.resource().commit(xid, false);
      }
    }

    @Override
    public void close() throws JMSException {
      client.close();
    }
  }
}
