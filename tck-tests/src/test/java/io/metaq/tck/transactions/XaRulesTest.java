package io.metaq.tck.transactions;

import static io.metaq.tck.transactions.XaFaultsTest.codeOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.broker.EmbeddedBroker;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XASession;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the XA specification and its users expect beyond the codes of single calls. */
class XaRulesTest {
  private static EmbeddedBroker broker;
  private XaClient client;
  private final TestXid xid = TestXid.next();

  @BeforeAll
  static void serve() throws Exception {
    broker = EmbeddedBroker.builder().start();
  }

  @AfterAll
  static void end() {
    broker.close();
  }

  @BeforeEach
  void start() throws Exception {
    broker.emptyBroker();
    client = new XaClient(broker.url());
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
  }

  @Test
  void aBranchIsAllOrNothingAcrossDestinations() throws Exception {
    client.send("in", "request");
    client.start(xid);
    assertThat(client.text("in", 2_000)).isEqualTo("request");
    client.send("out.a", "a");
    client.send("out.b", "b");
    client.end(xid);
    try (XaClient other = new XaClient(broker.url())) {
      assertThat(other.text("out.a", 0)).isNull();
      assertThat(other.text("in", 0)).isNull();
      assertThat(client.resource().prepare(xid)).isEqualTo(XAResource.XA_OK);
      assertThat(other.text("out.b", 0)).isNull();
      client.resource().commit(xid, false);
      assertThat(other.text("out.a", 2_000)).isEqualTo("a");
      assertThat(other.text("out.b", 2_000)).isEqualTo("b");
      assertThat(other.text("in", 0)).isNull();
    }
  }

  @Test
  void aBranchWithoutWorkVotesReadOnlyAndIsForgotten() throws Exception {
    client.start(xid);
    client.end(xid);
    assertThat(client.resource().prepare(xid)).isEqualTo(XAResource.XA_RDONLY);
    assertThat(codeOf(() -> client.resource().commit(xid, false))).isEqualTo("NOTA");
  }

  @Test
  void onlyAcknowledgingIsWork() throws Exception {
    client.send("q", "m");
    client.start(xid);
    client.text("q", 2_000);
    client.end(xid);
    assertThat(client.resource().prepare(xid)).isEqualTo(XAResource.XA_OK);
    client.resource().rollback(xid);
  }

  @Test
  void severalSessionsOfSeveralConnectionsWorkInOneBranch() throws Exception {
    try (XaClient second = new XaClient(broker.url())) {
      client.start(xid);
      second.resource().start(xid, XAResource.TMJOIN);
      client.send("q", "one");
      second.send("q", "two");
      client.end(xid);
      assertThat(codeOf(() -> second.resource().commit(xid, true))).isEqualTo("PROTO");
      second.end(xid);
      second.resource().commit(xid, true);
      assertThat(client.drain("q")).containsExactlyInAnyOrder("one", "two");
    }
  }

  @Test
  void oneFailedMemberDoomsTheBranchForAll() throws Exception {
    try (XaClient second = new XaClient(broker.url())) {
      client.start(xid);
      second.resource().start(xid, XAResource.TMJOIN);
      client.send("q", "one");
      second.send("q", "two");
      second.resource().end(xid, XAResource.TMFAIL);
      assertThat(codeOf(() -> client.end(xid))).isIn("OK", "RBROLLBACK");
      assertThat(codeOf(() -> client.resource().prepare(xid))).isEqualTo("RBROLLBACK");
      assertThat(codeOf(() -> client.resource().rollback(xid))).isEqualTo("NOTA");
      assertThat(client.drain("q")).isEmpty();
    }
  }

  @Test
  void oneSessionWorksOnSeveralBranchesInTurn() throws Exception {
    TestXid other = TestXid.next();
    client.start(xid);
    client.send("q", "first 1");
    client.resource().end(xid, XAResource.TMSUSPEND);
    client.start(other);
    client.send("q", "second");
    client.end(other);
    client.resource().start(xid, XAResource.TMRESUME);
    client.send("q", "first 2");
    client.end(xid);
    client.resource().rollback(other);
    client.resource().commit(xid, true);
    assertThat(client.drain("q")).containsExactly("first 1", "first 2");
  }

  @Test
  void aSuspendedBranchCanEndWithoutBeingResumed() throws Exception {
    client.start(xid);
    client.send("q", "m");
    client.resource().end(xid, XAResource.TMSUSPEND);
    client.resource().end(xid, XAResource.TMSUCCESS);
    client.resource().commit(xid, true);
    assertThat(client.drain("q")).containsExactly("m");
  }

  @Test
  void anyResourceCompletesABranchWhileItsSessionIsBusyWithAnother() throws Exception {
    TestXid other = TestXid.next();
    client.sendInBranch(xid, "q", "m");
    client.start(other);
    CompletableFuture<Void> receiving =
        CompletableFuture.runAsync(
            () -> {
              try {
                client.receive("empty", 1_500);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    assertThat(client.resource().prepare(xid)).isEqualTo(XAResource.XA_OK);
    client.resource().commit(xid, false);
    assertThat(receiving).isNotDone();
    receiving.get(10, TimeUnit.SECONDS);
    client.end(other);
    assertThat(client.resource().prepare(other)).isEqualTo(XAResource.XA_RDONLY);
    assertThat(client.drain("q")).containsExactly("m");
  }

  @Test
  void aMessageBelongsToTheBranchInWhichItIsHandedOver() throws Exception {
    client.send("q", "one", "two", "three");
    Session session = client.session();
    try (MessageConsumer consumer = session.createConsumer(session.createQueue("q"))) {
      assertThat(consumer.receive(2_000).getBody(String.class)).isEqualTo("one");
      client.start(xid);
      assertThat(consumer.receive(2_000).getBody(String.class)).isEqualTo("two");
      client.end(xid);
      assertThat(consumer.receive(2_000).getBody(String.class)).isEqualTo("three");
    }
    client.resource().rollback(xid);
    try (XaClient other = new XaClient(broker.url())) {
      Message back = other.receive("q", 2_000);
      assertThat(back.getBody(String.class)).isEqualTo("two");
      assertThat(back.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
      assertThat(other.text("q", 0)).isNull();
    }
  }

  @Test
  void anXaSessionIsTransactedButItsCommitIsTheCoordinators() throws Exception {
    XASession session = client.session();
    assertThat(session.getTransacted()).isTrue();
    client.start(xid);
    assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
    assertThatThrownBy(session::rollback).isInstanceOf(TransactionInProgressException.class);
    client.end(xid);
    client.resource().rollback(xid);
  }

  @Test
  void aPlainSessionOfAnXaConnectionIsPlain() throws Exception {
    try (Session plain = client.connection().createSession(true, Session.SESSION_TRANSACTED)) {
      plain.createProducer(plain.createQueue("q")).send(plain.createTextMessage("m"));
      plain.commit();
    }
    assertThat(client.drain("q")).containsExactly("m");
  }

  @Test
  void timeoutsHaveADefaultAndAMaximum() throws Exception {
    XAResource resource = client.resource();
    assertThat(resource.setTransactionTimeout(86_400)).isTrue();
    assertThat(resource.getTransactionTimeout()).isEqualTo(86_400);
    assertThat(resource.setTransactionTimeout(86_401)).isFalse();
    assertThat(resource.getTransactionTimeout()).isEqualTo(86_400);
    assertThat(codeOf(() -> resource.setTransactionTimeout(-1))).isEqualTo("INVAL");
    assertThat(resource.setTransactionTimeout(0)).isTrue();
  }

  @Test
  void theResourceManagerIsTheDataNotTheAddress() throws Exception {
    try (XaClient same = new XaClient(broker.url().replace("127.0.0.1", "localhost"));
        EmbeddedBroker elsewhere = EmbeddedBroker.builder().start();
        XaClient other = new XaClient(elsewhere.url())) {
      assertThat(client.resource().isSameRM(same.resource())).isTrue();
      assertThat(same.resource().isSameRM(client.resource())).isTrue();
      assertThat(client.resource().isSameRM(other.resource())).isFalse();
      assertThat(client.resource().isSameRM(null)).isFalse();
      elsewhere.kill();
      assertThat(client.resource().isSameRM(other.resource())).isFalse();
      assertThat(other.resource().isSameRM(other.resource())).isTrue();
    }
  }

  @Test
  void recoverListsBranchesOfAllClientsByteForByte() throws Exception {
    byte[] longest = new byte[64];
    for (int i = 0; i < 64; i++) {
      longest[i] = (byte) (i * 7 - 100);
    }
    TestXid big = new TestXid(Integer.MIN_VALUE, longest, longest);
    client.sendInBranch(big, "q", "m");
    client.resource().prepare(big);
    client.sendInBranch(xid, "q", "open");
    try (XaClient other = new XaClient(broker.url())) {
      assertThat(big.isIn(other.resource().recover(XAResource.TMSTARTRSCAN))).isTrue();
      assertThat(other.resource().recover(XAResource.TMNOFLAGS)).isEmpty();
      assertThat(other.resource().recover(XAResource.TMENDRSCAN)).isEmpty();
      assertThat(codeOf(() -> other.resource().recover(XAResource.TMNOFLAGS))).isEqualTo("INVAL");
      other.resource().rollback(big);
      assertThat(other.recover()).isEmpty();
    }
  }

  @Test
  void anUnreachableBrokerMakesRecoverFailRatherThanBeEmpty() throws Exception {
    try (EmbeddedBroker away = EmbeddedBroker.builder().start();
        XaClient lonely = new XaClient(away.url())) {
      away.kill();
      assertThat(codeOf(() -> lonely.recover())).isEqualTo("RMFAIL");
    }
  }

  @Test
  void branchesOfOneGlobalTransactionAreApart() throws Exception {
    TestXid sibling = xid.sibling(2);
    client.sendInBranch(xid, "q", "one");
    client.sendInBranch(sibling, "q", "two");
    client.resource().prepare(xid);
    client.resource().rollback(sibling);
    client.resource().commit(xid, false);
    assertThat(client.drain("q")).containsExactly("one");
  }

  @Test
  void anXidCanBeUsedAgainAndALateCallDoesNotTouchTheYoungerBranch() throws Exception {
    client.sendInBranch(xid, "q", "old");
    client.resource().commit(xid, true);
    client.sendInBranch(xid, "q", "young");
    client.resource().rollback(xid);
    assertThat(client.drain("q")).containsExactly("old");
  }

  @Test
  void outsideABranchTheSessionAcknowledgesByItself() throws Exception {
    client.send("q", "m");
    assertThat(client.text("q", 2_000)).isEqualTo("m");
    client.close();
    client = new XaClient(broker.url());
    assertThat(client.text("q", 0)).isNull();
  }

  @Test
  void unsubscribingIsRefusedWhileAPreparedBranchHoldsAMessageOfTheSubscription() throws Exception {
    Session session = client.session();
    MessageConsumer consumer =
        session.createSharedDurableConsumer(session.createTopic("t"), "subscription");
    session.createProducer(session.createTopic("t")).send(session.createTextMessage("m"));
    client.start(xid);
    assertThat(consumer.receive(2_000).getBody(String.class)).isEqualTo("m");
    client.end(xid);
    client.resource().prepare(xid);
    consumer.close();
    assertThatThrownBy(() -> session.unsubscribe("subscription"))
        .isInstanceOf(jakarta.jms.JMSException.class);
    client.resource().commit(xid, false);
    session.unsubscribe("subscription");
  }

  @Test
  void priorityAndTimeToLiveOfASendInABranchAreKept() throws Exception {
    client.start(xid);
    var producer = client.session().createProducer(client.session().createQueue("q"));
    producer.send(client.session().createTextMessage("plain"));
    producer.setPriority(9);
    producer.send(client.session().createTextMessage("urgent"));
    producer.setTimeToLive(1);
    producer.send(client.session().createTextMessage("short"));
    client.end(xid);
    client.resource().prepare(xid);
    org.awaitility.Awaitility.await().pollDelay(50, TimeUnit.MILLISECONDS).until(() -> true);
    client.resource().commit(xid, false);
    assertThat(client.drain("q")).containsExactly("urgent", "plain");
  }

  @Test
  void anXidThatIsNoneIsInvalid() throws Exception {
    XAResource resource = client.resource();
    TestXid none = new TestXid(-1, new byte[1], new byte[1]);
    TestXid tooLong = new TestXid(1, new byte[65], new byte[1]);
    for (TestXid bad : new TestXid[] {null, none, tooLong}) {
      assertThat(codeOf(() -> resource.start(bad, XAResource.TMNOFLAGS))).isEqualTo("INVAL");
      assertThat(codeOf(() -> resource.end(bad, XAResource.TMSUCCESS))).isEqualTo("INVAL");
      assertThat(codeOf(() -> resource.prepare(bad))).isEqualTo("INVAL");
      assertThat(codeOf(() -> resource.commit(bad, true))).isEqualTo("INVAL");
      assertThat(codeOf(() -> resource.rollback(bad))).isEqualTo("INVAL");
      assertThat(codeOf(() -> resource.forget(bad))).isEqualTo("INVAL");
    }
  }

  @Test
  void codesAreNamedInTheExceptionsMessage() {
    assertThatThrownBy(() -> client.resource().commit(xid, false))
        .isInstanceOf(XAException.class)
        .hasMessageContaining("NOTA");
  }
}
