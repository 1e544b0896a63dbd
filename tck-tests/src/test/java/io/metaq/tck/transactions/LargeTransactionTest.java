package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that are larger than the broker's memory: here 64 MB. */
class LargeTransactionTest {
  private static final int KILOBYTE = 1024;
  private static final long PATIENCE = 120_000;

  @TempDir Path data;
  private ChildProcess broker;
  private String url;

  @BeforeEach
  void start() throws Exception {
    broker =
        ChildProcess.start(
            List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError"),
            SmallHeapBroker.class,
            data.toString());
    url = broker.await("READY", 60_000).substring(6);
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private void killAndRestart() throws Exception {
    broker.kill();
    start();
  }

  private Connection connect() throws JMSException {
    Connection connection = new MetaqConnectionFactory(url).createConnection();
    connection.start();
    return connection;
  }

  private static void send(Session session, int count, int size) throws JMSException {
    byte[] body = new byte[size];
    try (MessageProducer producer = session.createProducer(session.createQueue("large"))) {
      for (int i = 0; i < count; i++) {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(body);
        message.setIntProperty("number", i);
        producer.send(message);
      }
    }
  }

  /** Takes all out; they must be as many, in order. */
  private void drain(int count, int size) throws JMSException {
    try (Connection connection = connect()) {
      Session session = connection.createSession(false, Session.DUPS_OK_ACKNOWLEDGE);
      MessageConsumer consumer = session.createConsumer(session.createQueue("large"));
      for (int i = 0; i < count; i++) {
        BytesMessage message = (BytesMessage) consumer.receive(30_000);
        assertThat(message).as("message %s of %s", i, count).isNotNull();
        assertThat(message.getIntProperty("number")).isEqualTo(i);
        assertThat(message.getBodyLength()).isEqualTo(size);
      }
      assertThat(consumer.receiveNoWait()).isNull();
    }
  }

  private void assertEmpty() throws JMSException {
    try (Connection connection = connect()) {
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      Message message = session.createConsumer(session.createQueue("large")).receiveNoWait();
      assertThat(message).isNull();
    }
  }

  private int asked;

  private long stat(String name) throws Exception {
    String ask = "ask" + ++asked;
    broker.tell(ask);
    broker.await(ask + " heap", PATIENCE);
    return Long.parseLong(broker.await(ask + " " + name + " ", 1_000).split(" ")[2]);
  }

  private long storedExtents() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve("bodies"))) {
      return files.count();
    }
  }

  private void commitsLocally(int count, int size) throws Exception {
    try (Connection connection = connect()) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      long began = System.nanoTime();
      send(session, count, size);
      long sent = System.nanoTime();
      long heap = stat("heap");
      long before = stat("journal_forces");
      session.commit();
      System.out.printf(
          "%,d messages of %,d bytes: sent in %.1f s with %d KiB of heap in use, committed in %.1f"
              + " s with %d forces of the journal%n",
          count,
          size,
          (sent - began) / 1e9,
          heap,
          (System.nanoTime() - sent) / 1e9,
          stat("journal_forces") - before);
      assertThat(heap).as("KiB of heap in use before the commit").isLessThan(40_000);
    }
    drain(count, size);
  }

  @Test
  void twoHundredThousandMessagesCommit() throws Exception {
    commitsLocally(200_000, KILOBYTE);
  }

  @Test
  void threeHundredMegabytesCommit() throws Exception {
    commitsLocally(600, 512 * KILOBYTE);
  }

  @Tag("slow")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @Test
  void aMillionMessagesCommit() throws Exception {
    commitsLocally(1_000_000, KILOBYTE);
  }

  @Test
  void aLargeRollbackLeavesNothingBehind() throws Exception {
    try (Connection connection = connect()) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      send(session, 100_000, KILOBYTE);
      assertThat(storedExtents()).isPositive();
      session.rollback();
    }
    assertEmpty();
    killAndRestart();
    assertThat(storedExtents()).isZero();
    assertEmpty();
  }

  private void survivesPrepareAndKill(int count, int size) throws Exception {
    TestXid xid = TestXid.next();
    try (XaClient client = new XaClient(url)) {
      client.start(xid);
      send(client.session(), count, size);
      client.end(xid);
      assertThat(client.resource().prepare(xid)).isEqualTo(XAResource.XA_OK);
    }
    killAndRestart();
    assertEmpty();
    try (XaClient client = new XaClient(url)) {
      assertThat(xid.isIn(client.recover())).isTrue();
      client.resource().commit(xid, false);
      assertThat(client.recover()).isEmpty();
    }
    killAndRestart();
    drain(count, size);
  }

  @Test
  void twoHundredThousandMessagesSurvivePrepareAndKill() throws Exception {
    survivesPrepareAndKill(200_000, KILOBYTE);
  }

  @Test
  void threeHundredMegabytesSurvivePrepareAndKill() throws Exception {
    survivesPrepareAndKill(600, 512 * KILOBYTE);
  }

  @Test
  void aBrokerKilledWhileItPlacesCommittedMessagesGoesOnWithThem() throws Exception {
    TestXid xid = TestXid.next();
    try (XaClient client = new XaClient(url)) {
      client.start(xid);
      send(client.session(), 50_000, KILOBYTE);
      client.end(xid);
      client.resource().prepare(xid);
    }
    Thread killer = new Thread(this::killDuringTheCommit, "killer");
    killer.start();
    try (XaClient client = new XaClient(url)) {
      client.resource().commit(xid, false);
    } catch (javax.transaction.xa.XAException cut) {
      assertThat(cut.errorCode).isEqualTo(javax.transaction.xa.XAException.XAER_RMFAIL);
    }
    killer.join();
    start();
    try (XaClient client = new XaClient(url)) {
      for (javax.transaction.xa.Xid doubtful : client.recover()) {
        client.resource().commit(doubtful, false);
      }
    }
    drain(50_000, KILOBYTE);
  }

  private void killDuringTheCommit() {
    try {
      java.util.concurrent.locks.LockSupport.parkNanos(150_000_000);
      broker.kill();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
