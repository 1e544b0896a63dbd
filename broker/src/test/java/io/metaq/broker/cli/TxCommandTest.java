package io.metaq.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqXAConnectionFactory;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** X6: an operator's commands and JMX on a running broker with branches in doubt. */
class TxCommandTest {
  private static final String ONE = "4711:0a0b:01";
  private static final String TWO = "4711:0a0b:02";

  private record Name(int getFormatId, byte[] getGlobalTransactionId, byte[] getBranchQualifier)
      implements Xid {
    static Name of(int branch) {
      return new Name(4711, new byte[] {10, 11}, new byte[] {(byte) branch});
    }
  }

  @TempDir Path data;
  private EmbeddedBroker broker;

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private void restart() throws Exception {
    broker.kill();
    start();
  }

  private interface Work {
    void run(XASession session) throws Exception;
  }

  private void with(Work work) throws Exception {
    try (XAConnection connection =
        new MetaqXAConnectionFactory(broker.url()).createXAConnection()) {
      connection.start();
      work.run(connection.createXASession());
    }
  }

  private static void send(Session session, String queue, String text) throws Exception {
    session.createProducer(session.createQueue(queue)).send(session.createTextMessage(text));
  }

  /** A branch that takes one message and sends as many as are asked for. */
  private void prepare(int branch, int sends) throws Exception {
    with(
        session -> {
          XAResource resource = session.getXAResource();
          send(session, "in", "request " + branch);
          resource.start(Name.of(branch), XAResource.TMNOFLAGS);
          try (MessageConsumer consumer = session.createConsumer(session.createQueue("in"))) {
            assertThat(consumer.receive(5_000)).isNotNull();
          }
          String text = "x".repeat(2_000) + branch;
          for (int i = 0; i < sends; i++) {
            send(session, "out", text);
          }
          resource.end(Name.of(branch), XAResource.TMSUCCESS);
          assertThat(resource.prepare(Name.of(branch))).isEqualTo(XAResource.XA_OK);
        });
  }

  private List<String> drain(String queue) throws Exception {
    List<String> texts = new ArrayList<>();
    with(
        session -> {
          MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
          for (Message m = consumer.receiveNoWait(); m != null; m = consumer.receiveNoWait()) {
            texts.add(m.getBody(String.class));
          }
        });
    return texts;
  }

  private record Outcome(int code, String out, String err) {}

  private Outcome tx(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> all = new ArrayList<>(List.of("tx"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--url", broker.url()));
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(all.toArray(String[]::new));
    return new Outcome(code, out.toString(), err.toString());
  }

  private int code(Work call) throws Exception {
    int[] code = new int[1];
    with(
        session -> {
          try {
            call.run(session);
          } catch (XAException refused) {
            code[0] = refused.errorCode;
          }
        });
    return code[0];
  }

  @Test
  void branchesAreListedShownDecidedAndForgotten() throws Exception {
    assertThat(tx("list").out()).contains("No branches in doubt.");
    prepare(1, 2);
    prepare(2, 1);
    restart();

    assertThat(tx("list").out()).contains(ONE, TWO, "prepared", "2 x queue out", "1 x queue in");
    assertThat(tx("show", ONE).out())
        .containsPattern("format +4711")
        .containsPattern("gtrid +0a0b")
        .containsPattern("bqual +01")
        .containsPattern("state +prepared")
        .containsPattern("age +\\d+ s")
        .containsPattern("sends +2 x queue out")
        .containsPattern("acknowledges +1 x queue in");

    assertThat(tx("commit", ONE).out()).contains(ONE + " is heuristically committed");
    assertThat(tx("rollback", TWO).out()).contains(TWO + " is heuristically rolled back");
    restart();
    assertThat(tx("list").out()).contains("heuristically committed", "heuristically rolled back");
    assertThat(drain("out")).hasSize(2).allMatch(text -> text.endsWith("x1"));
    assertThat(drain("in")).containsExactly("request 2");
    assertThat(code(session -> session.getXAResource().rollback(Name.of(1))))
        .isEqualTo(XAException.XA_HEURCOM);
    assertThat(code(session -> session.getXAResource().commit(Name.of(2), false)))
        .isEqualTo(XAException.XA_HEURRB);

    assertThat(tx("forget", ONE).out()).contains(ONE + " is forgotten");
    assertThat(tx("forget", TWO).code()).isZero();
    restart();
    assertThat(tx("list").out()).contains("No branches in doubt.");
    assertThat(code(session -> session.getXAResource().commit(Name.of(1), false)))
        .isEqualTo(XAException.XAER_NOTA);
  }

  @Test
  void aCommitAnswersWhenEverythingItCommitsCanBeReceived() throws Exception {
    int many = 3_000; // more than is kept in memory
    prepare(1, many);
    assertThat(tx("commit", ONE).code()).isZero();
    assertThat(drain("out")).hasSize(many);
  }

  @Test
  void whatCannotBeDoneIsSaidAndChangesNothing() throws Exception {
    prepare(1, 1);
    Outcome unknown = tx("commit", TWO);
    assertThat(unknown.code()).isNotZero();
    assertThat(unknown.err()).contains("no branch " + TWO).contains("tx list");
    Outcome nonsense = tx("rollback", "everything");
    assertThat(nonsense.code()).isNotZero();
    assertThat(nonsense.err()).contains("is no Xid");
    Outcome early = tx("forget", ONE);
    assertThat(early.code()).isNotZero();
    assertThat(early.err()).contains("commit it or roll it back");
    assertThat(tx("commit", ONE).code()).isZero();
    Outcome twice = tx("rollback", ONE);
    assertThat(twice.code()).isNotZero();
    assertThat(twice.err()).contains("heuristically committed");
    assertThat(tx("list").out()).contains(ONE).doesNotContain(TWO);
  }

  @Test
  void theSameThroughJmx() throws Exception {
    prepare(1, 3_000);
    prepare(2, 1);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("io.metaq:type=Transactions,port=" + broker.port());
    assertThat(server.getAttribute(name, "Prepared")).isEqualTo(2);
    assertThat((Long) server.getAttribute(name, "OldestPreparedAgeMillis")).isNotNegative();
    assertThat((TabularData[]) server.invoke(name, "list", null, null)).hasSize(2);
    invoke(server, name, "commit", ONE);
    assertThat(drain("out")).as("visible when it answers").hasSize(3_000);
    invoke(server, name, "rollback", TWO);
    assertThat(server.getAttribute(name, "Prepared")).isEqualTo(0);
    assertThat(server.getAttribute(name, "Heuristic")).isEqualTo(2);
    assertThatThrownBy(() -> invoke(server, name, "commit", ONE))
        .hasStackTraceContaining("heuristically committed");
    invoke(server, name, "forget", ONE);
    invoke(server, name, "forget", TWO);
    assertThat(server.getAttribute(name, "Heuristic")).isEqualTo(0);
    assertThat((TabularData[]) server.invoke(name, "list", null, null)).isEmpty();
  }

  private static void invoke(MBeanServer server, ObjectName name, String operation, String xid)
      throws Exception {
    server.invoke(name, operation, new Object[] {xid}, new String[] {String.class.getName()});
  }
}
