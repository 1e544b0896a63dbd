package io.metaq.tck.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.tck.transactions.FrameProxy.Fault;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaVerb;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lost connections, restarts, timeouts and operators around the calls of a branch. */
class XaFaultsTest {
  @TempDir Path data;
  private EmbeddedBroker broker;
  private FrameProxy proxy;
  private final TestXid xid = TestXid.next();

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

  private void restart() throws Exception {
    proxy.close();
    broker.kill();
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
    proxy = new FrameProxy(broker.port());
  }

  /** X1. */
  @ParameterizedTest
  @CsvSource({
    "PREPARE, LOSE_REQUEST, false",
    "PREPARE, LOSE_REPLY, true",
    "COMMIT, LOSE_REQUEST, true",
    "COMMIT, LOSE_REPLY, false",
    "COMMIT_ONE_PHASE, LOSE_REQUEST, false",
    "COMMIT_ONE_PHASE, LOSE_REPLY, false",
    "ROLLBACK, LOSE_REQUEST, true",
    "ROLLBACK, LOSE_REPLY, false"
  })
  void aSocketCutUnderACallIsRmfailAndRecoverAgreesWithTheJournal(
      XaVerb verb, Fault fault, boolean inDoubt) throws Exception {
    try (XaClient client = new XaClient(proxy.url());
        XaClient after = new XaClient(broker.url())) {
      client.sendInBranch(xid, "q", "m");
      if (verb == XaVerb.COMMIT || verb == XaVerb.ROLLBACK) {
        client.resource().prepare(xid);
      }
      proxy.once(frame -> frame instanceof XaComplete call && call.verb() == verb, fault);
      long before = System.nanoTime();
      XAException failure =
          catchThrowableOfType(XAException.class, () -> complete(client.resource(), verb));
      assertThat(XaTableTest.name(failure.errorCode)).isEqualTo("RMFAIL");
      assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
      Awaitility.await()
          .untilAsserted(() -> assertThat(xid.isIn(after.recover())).isEqualTo(inDoubt));
      assertThat(Operator.find(broker.url(), xid).get("state").equals("prepared"))
          .isEqualTo(inDoubt);
    }
  }

  /** X1: whether the call was carried out, only the broker knows. */
  @ParameterizedTest
  @EnumSource(
      value = XaVerb.class,
      names = {"PREPARE", "COMMIT", "COMMIT_ONE_PHASE", "ROLLBACK"})
  void aSocketCutWhileACallIsUnderWayIsRmfailAndRecoverAgreesWithTheJournal(XaVerb verb)
      throws Exception {
    try (XaClient client = new XaClient(proxy.url());
        XaClient after = new XaClient(broker.url())) {
      client.sendInBranch(xid, "q", "m");
      boolean prepared = verb == XaVerb.COMMIT || verb == XaVerb.ROLLBACK;
      if (prepared) {
        client.resource().prepare(xid);
      }
      proxy.once(
          frame -> frame instanceof XaComplete call && call.verb() == verb,
          Fault.CUT_BEHIND_REQUEST);
      assertThat(codeOf(() -> complete(client.resource(), verb))).isEqualTo("RMFAIL");
      // The call, or the loss of the connection, has had its effect.
      Awaitility.await()
          .until(() -> prepared || !Operator.find(broker.url(), xid).get("state").equals("idle"));
      boolean inDoubt = xid.isIn(after.recover());
      assertThat(Operator.find(broker.url(), xid).get("state").equals("prepared"))
          .isEqualTo(inDoubt);
      restart();
    }
    try (XaClient again = new XaClient(broker.url())) {
      boolean inDoubt = xid.isIn(again.recover());
      assertThat(Operator.find(broker.url(), xid).get("state").equals("prepared"))
          .isEqualTo(inDoubt);
      if (inDoubt) {
        assertThat(codeOf(() -> again.resource().rollback(xid))).isEqualTo("OK");
      } else {
        assertThat(codeOf(() -> again.resource().rollback(xid))).isEqualTo("NOTA");
      }
      List<String> committed = again.drain("q");
      assertThat(committed)
          .as("in doubt: %s", inDoubt)
          .isIn(
              verb == XaVerb.COMMIT || verb == XaVerb.COMMIT_ONE_PHASE
                  ? List.of(inDoubt ? List.of() : List.of("m"), List.of())
                  : List.of(List.of()));
    }
  }

  private void complete(XAResource resource, XaVerb verb) throws XAException {
    switch (verb) {
      case PREPARE -> resource.prepare(xid);
      case COMMIT -> resource.commit(xid, false);
      case COMMIT_ONE_PHASE -> resource.commit(xid, true);
      case ROLLBACK -> resource.rollback(xid);
      case FORGET -> resource.forget(xid);
    }
  }

  /** X2. */
  @Test
  void aLostClientLosesItsOpenBranchAtOnceAndKeepsItsPreparedOne() throws Exception {
    TestXid prepared = TestXid.next();
    try (XaClient client = new XaClient(proxy.url());
        XaClient other = new XaClient(broker.url())) {
      other.send("q", "first", "second", "third");
      client.start(prepared);
      assertThat(client.text("q", 2_000)).isEqualTo("first");
      client.end(prepared);
      client.resource().prepare(prepared);
      client.start(xid);
      assertThat(client.text("q", 2_000)).isEqualTo("second");
      client.end(xid);
      proxy.cut();
      // Until the broker has seen the loss, what stands behind is rightly the next in line.
      await()
          .atMost(Duration.ofSeconds(1))
          .until(() -> broker.stats().contains("transactions_active 0"));
      Message again = other.receive("q", 5_000);
      assertThat(again.getBody(String.class)).isEqualTo("second");
      assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
      assertThat(again.getJMSRedelivered()).isTrue();
      assertThat(other.drain("q")).containsExactly("third");
      assertThat(prepared.isIn(other.recover())).isTrue();
    }
    restart();
    try (XaClient client = new XaClient(broker.url())) {
      assertThat(prepared.isIn(client.recover())).isTrue();
      assertThat(xid.isIn(client.recover())).isFalse();
      // One-way acknowledgements of a killed broker may be lost, what is prepared not.
      assertThat(client.drain("q")).doesNotContain("first");
      client.resource().rollback(prepared);
      assertThat(client.drain("q")).containsExactly("first");
    }
  }

  /** X4. */
  @Test
  void aPreparedBranchCommitsThroughAFreshConnectionAfterARestart() throws Exception {
    try (XaClient client = new XaClient(broker.url())) {
      client.send("in", "request");
      client.start(xid);
      assertThat(client.text("in", 2_000)).isEqualTo("request");
      client.send("out", "reply 1", "reply 2");
      client.end(xid);
      assertThat(client.resource().prepare(xid)).isEqualTo(XAResource.XA_OK);
    }
    restart();
    try (XaClient client = new XaClient(broker.url())) {
      assertThat(client.text("in", 0)).isNull();
      assertThat(client.text("out", 0)).isNull();
      assertThat(client.recover()).hasSize(1);
      client.resource().commit(xid, false);
      assertThat(client.recover()).isEmpty();
      assertThat(codeOf(() -> client.resource().commit(xid, false))).isEqualTo("NOTA");
    }
    restart();
    try (XaClient client = new XaClient(broker.url())) {
      assertThat(client.drain("out")).containsExactly("reply 1", "reply 2");
      assertThat(client.text("in", 0)).isNull();
    }
  }

  /** X6. */
  @Test
  void anOperatorsDecisionIsDurableAndToldUntilItIsForgotten() throws Exception {
    TestXid rolledBack = TestXid.next();
    try (XaClient client = new XaClient(broker.url())) {
      client.send("in", "taken", "given back");
      client.start(xid);
      assertThat(client.text("in", 2_000)).isEqualTo("taken");
      client.send("q", "committed");
      client.end(xid);
      client.resource().prepare(xid);
      client.start(rolledBack);
      assertThat(client.text("in", 2_000)).isEqualTo("given back");
      client.send("q", "rolled back");
      client.end(rolledBack);
      client.resource().prepare(rolledBack);
    }
    Map<String, String> row = Operator.find(broker.url(), xid);
    assertThat(row)
        .containsEntry("state", "prepared")
        .containsEntry("format", "4711")
        .containsEntry("gtrid", HexFormat.of().formatHex(xid.getGlobalTransactionId()))
        .containsEntry("bqual", HexFormat.of().formatHex(xid.getBranchQualifier()))
        .containsEntry("sends", "1 x queue q")
        .containsEntry("acknowledges", "1 x queue in");
    assertThat(row).containsKey("narayana");
    assertThat(row.get("client")).isNotBlank();
    assertThat(row.get("age")).matches("\\d+ s");
    Operator.decide(broker.url(), xid, true);
    Operator.decide(broker.url(), rolledBack, false);
    restart();
    try (XaClient client = new XaClient(broker.url())) {
      assertThat(client.recover()).hasSize(2);
      // Whatever the coordinator wants, and as often as it asks.
      for (int i = 0; i < 2; i++) {
        assertThat(codeOf(() -> client.resource().commit(xid, false))).isEqualTo("HEURCOM");
        assertThat(codeOf(() -> client.resource().rollback(xid))).isEqualTo("HEURCOM");
        assertThat(codeOf(() -> client.resource().commit(rolledBack, false))).isEqualTo("HEURRB");
        assertThat(codeOf(() -> client.resource().rollback(rolledBack))).isEqualTo("HEURRB");
      }
      client.resource().forget(xid);
      client.resource().forget(rolledBack);
      assertThat(client.recover()).isEmpty();
      assertThat(codeOf(() -> client.resource().commit(xid, false))).isEqualTo("NOTA");
    }
    restart();
    try (XaClient client = new XaClient(broker.url())) {
      assertThat(client.recover()).isEmpty();
      assertThat(client.drain("q")).containsExactly("committed");
      assertThat(client.drain("in")).containsExactly("given back");
    }
  }

  /** X7. */
  @Test
  void aRollbackWhoseReplyIsLostCanBeRunAgainAndALaterBranchTakesTheMessage() throws Exception {
    try (XaClient client = new XaClient(proxy.url());
        XaClient other = new XaClient(broker.url())) {
      other.send("q", "m");
      client.start(xid);
      assertThat(client.text("q", 2_000)).isEqualTo("m");
      client.end(xid);
      client.resource().prepare(xid);
      proxy.once(frame -> frame instanceof XaComplete, Fault.LOSE_REPLY);
      assertThat(codeOf(() -> client.resource().rollback(xid))).isEqualTo("RMFAIL");
      assertThat(codeOf(() -> other.resource().rollback(xid))).isEqualTo("NOTA");
      TestXid later = TestXid.next();
      other.start(later);
      assertThat(other.text("q", 2_000)).isEqualTo("m");
      other.end(later);
      other.resource().commit(later, true);
      assertThat(other.text("q", 0)).isNull();
    }
  }

  /** X8. */
  @Test
  void aQueueThatAPreparedBranchNeedsIsNotDeleted() throws Exception {
    try (XaClient client = new XaClient(broker.url());
        RawClient raw = new RawClient(broker.url())) {
      client.send("held", "m");
      client.start(xid);
      assertThat(client.text("held", 2_000)).isEqualTo("m");
      client.send("target", "n");
      client.end(xid);
      client.resource().prepare(xid);
      for (String queue : List.of("held", "target")) {
        assertThat(raw.ask(new Delete(DestinationKind.QUEUE, queue)))
            .isInstanceOfSatisfying(
                Failure.class,
                refused -> {
                  assertThat(refused.code()).isIn(ErrorCode.IN_USE, ErrorCode.ILLEGAL_STATE);
                  assertThat(refused.message()).contains(queue);
                });
      }
    }
    restart();
    try (XaClient client = new XaClient(broker.url());
        RawClient raw = new RawClient(broker.url())) {
      for (String queue : List.of("held", "target")) {
        assertThat(raw.ask(new Delete(DestinationKind.QUEUE, queue))).isInstanceOf(Failure.class);
      }
      client.resource().commit(xid, false);
      assertThat(client.text("target", 2_000)).isEqualTo("n");
      assertThat(raw.ask(new Delete(DestinationKind.QUEUE, "held"))).isNotInstanceOf(Failure.class);
    }
  }

  /** X11. */
  @Test
  void aBranchThatTimesOutGivesItsMessageBackAndTheNextTenArrive() throws Exception {
    try (XaClient client = new XaClient(broker.url())) {
      for (int i = 0; i < 11; i++) {
        client.send("q", "m" + i);
      }
      client.resource().setTransactionTimeout(1);
      client.start(xid);
      assertThat(client.text("q", 2_000)).isEqualTo("m0");
      Awaitility.await()
          .until(() -> Operator.find(broker.url(), xid).get("state").contains("timed out"));
      assertThat(codeOf(() -> endAndCommit(client, xid))).isEqualTo("RBTIMEOUT");
      client.resource().setTransactionTimeout(0);
      for (int i = 0; i < 11; i++) {
        TestXid next = TestXid.next();
        client.start(next);
        assertThat(client.text("q", 2_000)).isEqualTo("m" + i);
        client.end(next);
        client.resource().commit(next, true);
      }
    }
  }

  private static void endAndCommit(XaClient client, TestXid xid) throws XAException {
    client.end(xid);
    client.resource().commit(xid, true);
  }

  /** X12, I5. */
  @Test
  void aPreparedBranchHidesItsOwnMessageOnly() throws Exception {
    try (XaClient client = new XaClient(broker.url())) {
      client.send("q", "held");
      client.start(xid);
      assertThat(client.text("q", 2_000)).isEqualTo("held");
      client.end(xid);
      client.resource().prepare(xid);
      for (int i = 0; i < 1_000; i++) {
        client.send("q", "m" + i);
      }
      List<String> passed = client.drain("q");
      assertThat(passed).hasSize(1_000).startsWith("m0").endsWith("m999").doesNotContain("held");
      client.resource().rollback(xid);
      assertThat(client.text("q", 2_000)).isEqualTo("held");
    }
  }

  /** X13. */
  @ParameterizedTest
  @ValueSource(strings = {"rolled back", "failed", "prepared", "prepared before a restart"})
  void anAcknowledgementInAnAbortedBranchLeadsToOneRedelivery(String how) throws Exception {
    try (XaClient client = new XaClient(broker.url())) {
      client.send("q", "m");
      client.start(xid);
      assertThat(client.text("q", 2_000)).isEqualTo("m");
      client.resource().end(xid, how.equals("failed") ? XAResource.TMFAIL : XAResource.TMSUCCESS);
      if (how.startsWith("prepared")) {
        client.resource().prepare(xid);
      }
    }
    if (how.endsWith("restart")) {
      restart();
    }
    try (XaClient client = new XaClient(broker.url())) {
      client.resource().rollback(xid);
      Message again = client.receive("q", 2_000);
      assertThat(again.getJMSRedelivered()).isTrue();
      assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
      assertThat(client.text("q", 0)).isNull();
    }
  }

  /** X14. */
  @Test
  void aCommitThatIsRetriedOnAnotherConnectionIsCommittedWhateverItHears() throws Exception {
    try (XaClient client = new XaClient(proxy.url());
        XaClient other = new XaClient(broker.url())) {
      client.sendInBranch(xid, "q", "m");
      client.resource().prepare(xid);
      proxy.once(frame -> frame instanceof XaComplete, Fault.CUT_BEHIND_REQUEST);
      assertThat(codeOf(() -> client.resource().commit(xid, false))).isEqualTo("RMFAIL");
      assertThat(codeOf(() -> other.resource().commit(xid, false))).isIn("NOTA", "OK");
      restart();
    }
    try (XaClient client = new XaClient(broker.url())) {
      assertThat(client.recover()).isEmpty();
      assertThat(client.drain("q")).containsExactly("m");
    }
  }

  /** X15. */
  @Test
  void aBranchEndedOnAConnectionThatClosedInOrderGoesOnThroughAnother() throws Exception {
    try (XaClient other = new XaClient(broker.url())) {
      other.send("in", "request");
      try (XaClient pooled = new XaClient(broker.url())) {
        pooled.start(xid);
        assertThat(pooled.text("in", 2_000)).isEqualTo("request");
        pooled.send("out", "reply");
        pooled.end(xid);
      }
      assertThat(other.resource().prepare(xid)).isEqualTo(XAResource.XA_OK);
      other.resource().commit(xid, false);
      assertThat(other.drain("out")).containsExactly("reply");
      assertThat(other.text("in", 0)).isNull();
    }
  }

  @Test
  void aPrepareThatOvertakesTheEndWaitsForIt() throws Exception {
    try (XaClient client = new XaClient(proxy.url());
        XaClient coordinator = new XaClient(broker.url())) {
      client.start(xid);
      client.send("q", "m");
      proxy.once(frame -> frame instanceof io.metaq.wire.TransactionFrames.XaEnd, Fault.HOLD);
      Thread let =
          new Thread(
              () -> {
                Awaitility.await().pollDelay(Duration.ofMillis(300)).until(() -> true);
                proxy.let();
              });
      let.start();
      client.end(xid);
      assertThat(coordinator.resource().prepare(xid)).isEqualTo(XAResource.XA_OK);
      coordinator.resource().commit(xid, false);
      let.join();
      assertThat(coordinator.drain("q")).containsExactly("m");
    }
  }

  interface Call {
    void run() throws XAException;
  }

  static String codeOf(Call call) throws Exception {
    try {
      call.run();
      return "OK";
    } catch (XAException refused) {
      return XaTableTest.name(refused.errorCode);
    }
  }
}
