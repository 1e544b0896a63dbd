package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqXAConnectionFactory;
import io.metaq.tck.transactions.FrameProxy.Fault;
import io.metaq.tck.transactions.TransactionTable.Cell;
import io.metaq.wire.TransactionFrames;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Walks the table of docs/transactions.md through the client's XAResource and a broker. (X1, X3)
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class XaTableTest {
  /** What the broker's own tests of the table bring about. */
  private static final Set<String> NOT_FROM_OUTSIDE =
      Set.of(
          "disk full",
          "caller has open local work",
          "a send of it was refused",
          "a queue that it sent to was deleted",
          "the broker was restarted");

  private static final String CUT = "connection cut during the call";

  private EmbeddedBroker broker;
  private FrameProxy proxy;

  @BeforeAll
  void start() throws Exception {
    broker = EmbeddedBroker.builder().start();
    proxy = new FrameProxy(broker.port());
  }

  @AfterAll
  void stop() throws Exception {
    proxy.close();
    broker.close();
  }

  @TestFactory
  Stream<DynamicTest> everyCellHolds() throws Exception {
    List<Rig> rigs = new ArrayList<>();
    for (Cell cell : TransactionTable.read()) {
      if (cell.condition().equals(CUT)) {
        rigs.add(new Rig(cell, Fault.LOSE_REQUEST));
        rigs.add(new Rig(cell, Fault.CUT_BEHIND_REQUEST));
        rigs.add(new Rig(cell, Fault.LOSE_REPLY));
      } else if (!NOT_FROM_OUTSIDE.contains(cell.condition())) {
        rigs.add(new Rig(cell, null));
      }
    }
    // All of them at once, so that their time runs out together.
    for (Rig rig : rigs) {
      if (rig.cell.state().equals("timed out")) {
        rig.bring();
      }
    }
    return rigs.stream()
        .map(
            rig ->
                dynamicTest(rig.toString(), () -> assertThat(rig.call()).isIn(rig.cell.codes())));
  }

  /** One cell: the connections in it and its branch. */
  private final class Rig {
    private final Cell cell;
    private final TestXid xid = TestXid.next();
    private XAConnection first;
    private XAConnection second;
    private XASession memberSession;
    private XAResource member;
    private XAResource other;

    /** Where completion calls come from: beside the member, so that none is held for a late end. */
    private XAResource coordinator;

    private boolean brought;

    /** What the proxy does to the call, or null. */
    private final Fault fault;

    Rig(Cell cell, Fault fault) {
      this.cell = cell;
      this.fault = fault;
    }

    @Override
    public String toString() {
      return cell + (fault == null ? "" : " (" + fault + ")");
    }

    void bring() throws Exception {
      brought = true;
      boolean memberIsCut = isCut() && cell.call().equals("end");
      String url = memberIsCut || cell.state().equals("member lost") ? proxy.url() : broker.url();
      first = new MetaqXAConnectionFactory(url).createXAConnection();
      second =
          new MetaqXAConnectionFactory(isCut() ? proxy.url() : broker.url()).createXAConnection();
      memberSession = first.createXASession();
      member = memberSession.getXAResource();
      other = second.createXASession().getXAResource();
      coordinator =
          isCut() || cell.state().equals("member lost")
              ? other
              : first.createXASession().getXAResource();
      if (cell.state().equals("none")) {
        return;
      }
      if (cell.state().equals("timed out")) {
        assertThat(member.setTransactionTimeout(1)).isTrue();
      }
      member.start(xid, XAResource.TMNOFLAGS);
      if (!cell.condition().equals("nothing was sent or acknowledged")) {
        memberSession
            .createProducer(memberSession.createQueue("table"))
            .send(memberSession.createMessage());
      }
      switch (cell.state()) {
        case "active" -> {}
        case "suspended" -> member.end(xid, XAResource.TMSUSPEND);
        case "rollback-only" -> member.end(xid, XAResource.TMFAIL);
        default -> {
          member.end(xid, XAResource.TMSUCCESS);
          // It goes one-way, and the proxy must not take it for the call.
          Awaitility.await()
              .until(() -> !Operator.find(broker.url(), xid).get("state").equals("active"));
        }
      }
      switch (cell.state()) {
        case "prepared", "heuristic commit", "heuristic rollback" -> {
          assertThat(member.prepare(xid)).isEqualTo(XAResource.XA_OK);
          if (!cell.state().equals("prepared")) {
            Operator.decide(broker.url(), xid, cell.state().equals("heuristic commit"));
          }
        }
        case "member lost" -> {
          proxy.cut();
          Awaitility.await()
              .until(() -> Operator.find(broker.url(), xid).get("state").contains("lost"));
        }
        default -> {}
      }
    }

    private boolean isCut() {
      return fault != null;
    }

    String call() throws Exception {
      try {
        if (!brought) {
          bring();
        }
        if (cell.state().equals("timed out")) {
          Awaitility.await()
              .until(() -> Operator.find(broker.url(), xid).get("state").contains("timed out"));
        }
        XAResource caller = cell.call().equals("end") ? member : other;
        switch (cell.condition()) {
          case "caller is the member" -> caller = member;
          case "caller is no member" -> caller = other;
          case "caller is active in another branch" ->
              other.start(TestXid.next(), XAResource.TMNOFLAGS);
          case "another member failed", "caller is the member, another one failed" -> {
            caller = member;
            other.start(xid, XAResource.TMJOIN);
            other.end(xid, XAResource.TMFAIL);
            Awaitility.await()
                .until(
                    () -> Operator.find(broker.url(), xid).get("state").contains("rollback-only"));
          }
          case CUT -> proxy.once(Rig::isXa, fault);
          case "a scan is open" -> coordinator.recover(XAResource.TMSTARTRSCAN);
          case "", "nothing was sent or acknowledged", "no scan is open" -> {}
          default -> throw new IllegalArgumentException("unknown condition " + cell.condition());
        }
        return answer(caller);
      } finally {
        proxy.disarm();
        close(first);
        close(second);
      }
    }

    private static boolean isXa(Object frame) {
      return frame instanceof TransactionFrames.XaStart
          || frame instanceof TransactionFrames.XaEnd
          || frame instanceof TransactionFrames.XaComplete
          || frame instanceof TransactionFrames.XaRecover;
    }

    private String answer(XAResource caller) throws Exception {
      try {
        return switch (cell.call()) {
          case "start" -> {
            caller.start(xid, flag());
            yield "OK";
          }
          case "end" -> {
            caller.end(xid, flag());
            yield "OK";
          }
          case "prepare" -> coordinator.prepare(xid) == XAResource.XA_RDONLY ? "RDONLY" : "OK";
          case "commit" -> {
            coordinator.commit(xid, cell.flag().equals("one phase"));
            yield "OK";
          }
          case "rollback" -> {
            coordinator.rollback(xid);
            yield "OK";
          }
          case "forget" -> {
            coordinator.forget(xid);
            yield "OK";
          }
          case "recover" -> {
            Xid[] found = coordinator.recover(flag());
            assertThat(found).isNotNull();
            yield xid.isIn(found) ? "listed" : "absent";
          }
          default -> throw new IllegalArgumentException("unknown call " + cell);
        };
      } catch (XAException refused) {
        return name(refused.errorCode);
      }
    }

    private int flag() throws ReflectiveOperationException {
      int flags = 0;
      for (String name : cell.flag().split(",\\s*")) {
        flags |= XAResource.class.getField(name).getInt(null);
      }
      return flags;
    }
  }

  /** The name of an error code without its prefix. */
  static String name(int code) throws IllegalAccessException {
    for (Field field : XAException.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && field.getType() == int.class
          && field.getInt(null) == code
          && field.getName().startsWith("XA")
          && !field.getName().matches("XA_RB(BASE|END)")) {
        return field.getName().replaceFirst("^XA(ER)?_", "");
      }
    }
    return "code " + code;
  }

  private static void close(XAConnection connection) throws Exception {
    if (connection != null) {
      connection.close();
    }
  }
}
