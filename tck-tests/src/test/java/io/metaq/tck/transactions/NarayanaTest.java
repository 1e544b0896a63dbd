package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Narayana stand-alone with Derby, each in a process of its own, since both keep state per process.
 */
class NarayanaTest {
  @TempDir Path directory;

  @Test
  void theExampleOfTheDocumentationWritesEveryOrderAndAnswersIt() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
        Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      connection.start();
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      MessageProducer producer = session.createProducer(session.createQueue("orders"));
      for (int i = 0; i < 5; i++) {
        producer.send(session.createTextMessage("order " + i));
      }
      try (ChildProcess desk =
          ChildProcess.start(OrderDesk.class, broker.url(), directory.toString())) {
        desk.await("No more orders; 5 written, all answered.", 120_000);
        assertThat(desk.ends(60_000)).isTrue();
      }
      List<String> answers = new ArrayList<>();
      MessageConsumer consumer = session.createConsumer(session.createQueue("answers"));
      for (Message answer = consumer.receive(1_000);
          answer != null;
          answer = consumer.receiveNoWait()) {
        answers.add(answer.getBody(String.class));
      }
      assertThat(answers)
          .containsExactly(
              "written: order 0",
              "written: order 1",
              "written: order 2",
              "written: order 3",
              "written: order 4");
    }
  }

  /** X10. */
  @Test
  void aProcessThatHaltsStraightAfterPrepareIsRecoveredByTheNextOneWithinTwoPeriods()
      throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      try (ChildProcess halting =
          ChildProcess.start(HaltAfterPrepare.class, "halt", broker.url(), directory.toString())) {
        assertThat(halting.ends(120_000)).as("it halts: %s", halting.output()).isTrue();
      }
      assertThat(Operator.ask(broker.url(), "tx.list")).hasSize(1);
      try (ChildProcess next =
          ChildProcess.start(
              HaltAfterPrepare.class, "recover", broker.url(), directory.toString())) {
        next.await("RECOVERING", 120_000);
        // A period of two seconds, with a back-off of one between the two halves of a pass.
        Awaitility.await()
            .atMost(Duration.ofSeconds(2 * (2 + 1) + 2))
            .until(() -> Operator.ask(broker.url(), "tx.list").isEmpty());
      }
    }
  }

  /** X9. */
  @Test
  void anApplicationStartsWithoutItsBrokerAndRecoversWhenItIsThere() throws Exception {
    int port = freePort();
    Path data = directory.resolve("data");
    try (ChildProcess broker = brokerProcess(data, port)) {
      broker.await("READY", 120_000);
      try (ChildProcess halting =
          ChildProcess.start(
              HaltAfterPrepare.class, "halt", "metaq://127.0.0.1:" + port, directory.toString())) {
        assertThat(halting.ends(120_000)).as("it halts: %s", halting.output()).isTrue();
      }
    }
    try (ChildProcess next =
        ChildProcess.start(
            HaltAfterPrepare.class, "recover", "metaq://127.0.0.1:" + port, directory.toString())) {
      next.await("RECOVERING", 120_000);
      assertThat(next.ends(3_000)).isFalse();
      try (ChildProcess broker = brokerProcess(data, port)) {
        broker.await("READY", 120_000);
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> Operator.ask("metaq://127.0.0.1:" + port, "tx.list").isEmpty());
      }
    }
  }

  private static ChildProcess brokerProcess(Path data, int port) throws Exception {
    return ChildProcess.start(
        BrokerProcess.class, data.toString(), Integer.toString(port), "none:1:broker", "0");
  }

  private static int freePort() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
