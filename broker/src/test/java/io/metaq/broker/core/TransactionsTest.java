package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.broker.core.tx.Xa;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.ConnectionFrames.CloseSession;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Goodbye;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.RecordFormat.LargeBody;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.SubscriptionFrames.Unsubscribe;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Outcome;
import io.metaq.wire.TransactionFrames.QueryOutcome;
import io.metaq.wire.TransactionFrames.Rollback;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaRecover;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaStarted;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Transactions between frames and entries: what is journaled, what waits for it, what comes back.
 */
class TransactionsTest {
  private static final WireXid XID = new WireXid(1, new byte[] {1}, new byte[] {2});

  private final CoreHarness broker = new CoreHarness();
  private Client client = broker.client(1);
  private Client other = broker.client(2);
  private final long queue = client.queue("q");
  private int sequence = 1_000;

  private Send in(long transaction, long destination, String text) {
    Send plain = client.sendFrame(destination, CoreHarness.message(text, 4, true, Map.of()), 0, 0);
    return new Send(1, plain.sequence(), destination, transaction, 0, 0, 0, plain.content());
  }

  private static String code(Frame answer) {
    return answer instanceof Failure failure
        ? Xa.name(failure.detail())
        : Xa.name(((XaDone) answer).vote());
  }

  private String complete(Client by, XaVerb verb) {
    return code(by.request(new XaComplete(verb, XID, 0)));
  }

  private long start(Client by) {
    return ((XaStarted) by.request(new XaStart(1, XID, Xa.TMNOFLAGS, 0))).handle();
  }

  private static void end(Client by, Range... acks) {
    assertThat(code(by.request(new XaEnd(1, XID, 0, Xa.TMSUCCESS, List.of(acks)))))
        .isEqualTo("XA_OK");
  }

  /** Receives one message, sends one, ends; not prepared. */
  private void workInBranch(Client by, long target) {
    Deliver delivered = receive(by);
    long handle = start(by);
    by.oneWay(in(handle, target, "sent"));
    end(by, CoreHarness.range(delivered));
  }

  private Deliver receive(Client by) {
    int consumer = by.consumeQueue("q");
    by.credit(consumer, 1);
    List<Deliver> all = by.deliveries(deliver -> deliver.consumerId() == consumer);
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  private List<String> everythingIn(String name) {
    int consumer = other.consumeQueue(name);
    for (int i = 0; i < 30; i++) {
      // Credit also counts bytes, and some messages are large.
      other.credit(consumer, 100);
    }
    return other.texts(consumer);
  }

  private long forcedEntries() {
    return broker.forced.stream().filter(force -> force).count();
  }

  @Test
  void aCommitIsOneForcedEntryAndItsAnswerWaitsForIt() {
    client.send(queue, "m");
    long target = client.queue("target");
    Deliver delivered = receive(client);
    long before = forcedEntries();
    client.oneWay(in(5, queue, "a"));
    client.oneWay(in(5, target, "b"));
    broker.autoCommit = false;
    int commit = client.ask(new Commit(1, 5, List.of(CoreHarness.range(delivered))));
    assertThat(forcedEntries() - before).isEqualTo(1);
    assertThat(client.answer(commit)).isNull();
    broker.commit();
    assertThat(client.answer(commit)).isEqualTo(Ok.INSTANCE);
    broker.autoCommit = true;
    broker.restart();
    other = broker.client(3);
    assertThat(everythingIn("q")).containsExactly("a");
    assertThat(everythingIn("target")).containsExactly("b");
  }

  @Test
  void theOutcomeIsKnownForTenMinutesAfterTheClientIsGone() {
    client.oneWay(in(5, queue, "a"));
    client.request(new Commit(1, 5, List.of()));
    client.disconnect();
    assertThat(other.request(new QueryOutcome(client.id, 5))).isEqualTo(new Outcome(true));
    assertThat(other.request(new QueryOutcome(client.id, 6))).isEqualTo(new Outcome(false));
    broker.pass(11 * 60_000);
    assertThat(other.request(new QueryOutcome(client.id, 5))).isEqualTo(new Outcome(false));
  }

  @Test
  void anAcknowledgementOfWhatWasTakenBackDoomsTheTransaction() {
    client.send(queue, "m");
    Deliver delivered = receive(client);
    client.oneWay(in(5, queue, "sent"));
    Range range = CoreHarness.range(delivered);
    Frame answer =
        client.request(
            new Commit(
                1,
                5,
                List.of(
                    range,
                    new Range(
                        range.consumerId(),
                        range.subscriptionId(),
                        range.lane(),
                        range.first() + 1,
                        range.first() + 1))));
    assertThat(answer).isEqualTo(Ok.INSTANCE);
    client.send(queue, "n");
    client.oneWay(in(6, queue, "never"));
    answer =
        client.request(
            new Commit(
                1, 6, List.of(new Range(range.consumerId(), range.subscriptionId(), 0, 1, 2))));
    assertThat(answer)
        .isInstanceOfSatisfying(
            Failure.class, refused -> assertThat(refused.code()).isEqualTo(ErrorCode.ROLLED_BACK));
    assertThat(everythingIn("q")).containsExactly("sent", "n");
  }

  @Test
  void aOneWaySendThatFailsFailsTheCommit() {
    client.oneWay(in(5, queue, "good"));
    client.oneWay(in(5, 999, "to nowhere"));
    assertThat(client.request(new Commit(1, 5, List.of())))
        .isInstanceOfSatisfying(
            Failure.class,
            refused -> {
              assertThat(refused.code()).isEqualTo(ErrorCode.ROLLED_BACK);
              assertThat(refused.message()).contains("999");
            });
    assertThat(everythingIn("q")).isEmpty();
  }

  @Test
  void aRollbackBringsTheSessionsMessagesBackInTheirPlace() {
    client.send(queue, "1");
    client.send(queue, "2");
    client.send(queue, "3");
    int consumer = client.consumeQueue("q");
    client.credit(consumer, 2);
    List<Deliver> seen = client.deliveries();
    client.oneWay(new Ack(1, 5, List.of(CoreHarness.range(seen.get(0)))));
    Range both = Range.of(seen.get(0));
    assertThat(client.request(new Rollback(1, 5, List.of(both)))).isEqualTo(Ok.INSTANCE);
    client.credit(consumer, 3);
    List<Deliver> again = client.deliveries().subList(2, 5);
    assertThat(again.stream().map(CoreHarness::text)).containsExactly("1", "2", "3");
    assertThat(again.stream().map(Deliver::deliveryCount)).containsExactly(2, 1, 1);
  }

  @Test
  void aLargeBodyOfATransactionThatRollsBackIsReleased() {
    client.oneWay(
        new Send(1, ++sequence, queue, 5, 0, 0, 77, CoreHarness.message("big", 4, true, Map.of())));
    int commit = client.ask(new Commit(1, 5, List.of()));
    assertThat(client.answer(commit)).as("the commit waits for the body").isNull();
    broker.sealed(new LargeBody(4, 2_000_000, 9));
    assertThat(client.answer(commit)).isEqualTo(Ok.INSTANCE);
    assertThat(broker.released).isEmpty();
    client.oneWay(
        new Send(1, ++sequence, queue, 6, 0, 0, 78, CoreHarness.message("big", 4, true, Map.of())));
    broker.sealed(new LargeBody(5, 2_000_000, 9));
    client.request(new Rollback(1, 6, List.of()));
    assertThat(broker.released).containsExactly(5L);
  }

  @Test
  void anXaTransactionForcesTwice() {
    client.send(queue, "m");
    long target = client.queue("target");
    Deliver delivered = receive(client);
    long before = forcedEntries();
    client.oneWay(in(start(client), target, "sent"));
    end(client, CoreHarness.range(delivered));
    assertThat(complete(client, XaVerb.PREPARE)).isEqualTo("XA_OK");
    assertThat(complete(client, XaVerb.COMMIT)).isEqualTo("XA_OK");
    assertThat(forcedEntries() - before).isEqualTo(2);
  }

  /** X14. */
  @Test
  void aCommitRetriedElsewhereHearsNothingBeforeTheFirstIsDurable() {
    client.send(queue, "m");
    long target = client.queue("target");
    workInBranch(client, target);
    complete(client, XaVerb.PREPARE);
    broker.autoCommit = false;
    client.ask(new XaComplete(XaVerb.COMMIT, XID, 0));
    client.disconnect();
    int retried = other.ask(new XaComplete(XaVerb.COMMIT, XID, 0));
    assertThat(other.answer(retried)).isNull();
    broker.commit();
    assertThat(code(other.answer(retried))).isEqualTo("XAER_NOTA");
    broker.autoCommit = true;
    broker.restart();
    other = broker.client(3);
    assertThat(everythingIn("target")).containsExactly("sent");
    assertThat(everythingIn("q")).isEmpty();
  }

  /** X12. */
  @Test
  void whatStandsBehindAPreparedBranchCostsWhatItAlwaysCosts() {
    long[] entries = new long[2];
    long[] forces = new long[2];
    long[] steps = new long[2];
    for (int prepared = 0; prepared < 2; prepared++) {
      CoreHarness one = new CoreHarness();
      Client sender = one.client(1);
      long destination = sender.queue("q");
      sender.send(destination, "held");
      int holding = sender.consumeQueue("q");
      sender.credit(holding, 1);
      Range held = CoreHarness.range(sender.deliveries().get(0));
      if (prepared == 1) {
        sender.request(new XaStart(1, XID, Xa.TMNOFLAGS, 0));
        sender.request(new XaEnd(1, XID, 0, Xa.TMSUCCESS, List.of(held)));
        sender.request(new XaComplete(XaVerb.PREPARE, XID, 0));
      } else {
        sender.request(new Ack(1, 0, List.of(held)));
      }
      int before = one.journal.size();
      int scannedBefore = one.scanned;
      long worked = one.worked;
      Client receiver = one.client(2);
      int consumer = receiver.consumeQueue("q");
      receiver.credit(consumer, 1_000);
      for (int i = 0; i < 1_000; i++) {
        sender.send(destination, "m" + i);
        one.settle();
      }
      assertThat(receiver.texts()).hasSize(1_000).doesNotContain("held");
      entries[prepared] = one.journal.size() - before;
      forces[prepared] =
          one.forced.subList(before, one.forced.size()).stream().filter(force -> force).count();
      steps[prepared] = one.scanned - scannedBefore + one.worked - worked;
    }
    assertThat(entries[1]).isLessThanOrEqualTo(entries[0]);
    assertThat(forces[1]).isLessThanOrEqualTo(forces[0]);
    assertThat(steps[1]).as("steps").isLessThanOrEqualTo(steps[0]);
  }

  @Test
  void aPreparedBranchSurvivesARestartAndARollbackKeepsThePlaceOfItsMessage() {
    client.send(queue, "1");
    client.send(queue, "2");
    workInBranch(client, queue);
    complete(client, XaVerb.PREPARE);
    client.send(queue, "3");
    broker.restart();
    other = broker.client(3);
    client = broker.client(4);
    assertThat(((XaInDoubt) other.request(new XaRecover())).xids()).containsExactly(XID);
    assertThat(complete(client, XaVerb.ROLLBACK)).isEqualTo("XA_OK");
    int consumer = other.consumeQueue("q");
    other.credit(consumer, 10);
    assertThat(other.texts(consumer)).containsExactly("1", "2", "3");
    assertThat(other.deliveries().get(0).deliveryCount()).isEqualTo(2);
  }

  @Test
  void aPreparedBranchHidesItsMessageFromARestartedBroker() {
    client.send(queue, "1");
    client.send(queue, "2");
    workInBranch(client, queue);
    complete(client, XaVerb.PREPARE);
    broker.restart();
    other = broker.client(3);
    assertThat(everythingIn("q")).containsExactly("2");
    assertThat(complete(other, XaVerb.COMMIT)).isEqualTo("XA_OK");
    broker.settle();
    assertThat(other.texts()).containsExactly("2", "sent");
  }

  @Test
  void aSnapshotCarriesPreparedBranchesDecisionsAndOutcomes() {
    client.send(queue, "m");
    workInBranch(client, queue);
    complete(client, XaVerb.PREPARE);
    WireXid decided = new WireXid(1, new byte[] {9}, new byte[] {9});
    long handle = ((XaStarted) client.request(new XaStart(1, decided, Xa.TMNOFLAGS, 0))).handle();
    client.oneWay(in(handle, queue, "decided"));
    client.request(new XaEnd(1, decided, handle, Xa.TMSUCCESS, List.of()));
    client.request(new XaComplete(XaVerb.PREPARE, decided, handle));
    AdminResult result =
        (AdminResult) other.request(new Admin("tx.commit", List.of(decided.toString())));
    assertThat(result.rows().get(0)).containsEntry("state", "heuristically committed");
    client.oneWay(in(5, queue, "local"));
    client.request(new Commit(1, 5, List.of()));
    broker.commit();
    broker.replayInto(broker.snapshot(), broker.journal.size());
    other = broker.client(3);
    assertThat(((XaInDoubt) other.request(new XaRecover())).xids())
        .containsExactlyInAnyOrder(XID, decided);
    assertThat(code(other.request(new XaComplete(XaVerb.ROLLBACK, decided, 0))))
        .isEqualTo("XA_HEURCOM");
    assertThat(other.request(new QueryOutcome(client.id, 5))).isEqualTo(new Outcome(true));
    assertThat(everythingIn("q")).containsExactly("decided", "local");
    assertThat(complete(other, XaVerb.COMMIT)).isEqualTo("XA_OK");
    broker.settle();
    assertThat(other.texts()).containsExactly("decided", "local", "sent");
  }

  @Test
  void aReplayFromTheMiddleMeetsBranchesThatEndedMeanwhile() {
    client.send(queue, "m");
    workInBranch(client, queue);
    complete(client, XaVerb.PREPARE);
    broker.commit();
    List<SnapshotUnit> units = broker.snapshot();
    int from = broker.journal.size();
    complete(client, XaVerb.COMMIT);
    broker.commit();
    broker.replayInto(units, from);
    other = broker.client(3);
    assertThat(((XaInDoubt) other.request(new XaRecover())).xids()).isEmpty();
    assertThat(everythingIn("q")).containsExactly("sent");
    broker.replayInto(broker.snapshot(), 0);
    other = broker.client(4);
    assertThat(((XaInDoubt) other.request(new XaRecover())).xids()).isEmpty();
  }

  @Test
  void whatWasNotPreparedIsGoneAfterARestart() {
    client.send(queue, "m");
    workInBranch(client, queue);
    broker.restart();
    other = broker.client(3);
    assertThat(complete(other, XaVerb.PREPARE)).isEqualTo("XAER_NOTA");
    assertThat(everythingIn("q")).containsExactly("m");
  }

  @Test
  void anOrderlyCloseKeepsAnEndedBranchWithWhatItHolds() {
    client.send(queue, "m");
    long target = client.queue("target");
    workInBranch(client, target);
    client.request(new CloseSession(1));
    client.request(new Goodbye());
    client.disconnect();
    assertThat(everythingIn("q")).isEmpty();
    assertThat(complete(other, XaVerb.PREPARE)).isEqualTo("XA_OK");
    assertThat(complete(other, XaVerb.COMMIT)).isEqualTo("XA_OK");
    assertThat(everythingIn("target")).containsExactly("sent");
  }

  @Test
  void aLostConnectionGivesBackAtOnceWhatItsOpenBranchHeld() {
    client.send(queue, "m");
    workInBranch(client, queue);
    client.disconnect();
    int consumer = other.consumeQueue("q");
    other.credit(consumer, 1);
    assertThat(other.texts(consumer)).containsExactly("m");
    assertThat(other.deliveries().get(0).deliveryCount()).isEqualTo(2);
    assertThat(complete(other, XaVerb.PREPARE)).isEqualTo("XA_RBCOMMFAIL");
    assertThat(complete(other, XaVerb.PREPARE)).isEqualTo("XAER_NOTA");
  }

  @Test
  void aSubscriptionThatAPreparedBranchHoldsMessagesOfIsNeitherDeletedNorMadeAnew() {
    Client owner = broker.client(5, new UUID(7, 5), 0, "c");
    long topic = owner.topic("t");
    int consumer = owner.consume(SubscriptionKind.DURABLE, "t", "s", null);
    owner.credit(consumer, 1);
    owner.send(topic, "held");
    broker.settle();
    Deliver held = owner.deliveries().get(0);
    start(owner);
    end(owner, CoreHarness.range(held));
    assertThat(complete(owner, XaVerb.PREPARE)).isEqualTo("XA_OK");
    owner.request(new CloseConsumer(consumer, 1));
    for (boolean restarted : new boolean[] {false, true}) {
      if (restarted) {
        broker.restart();
        owner = broker.client(6, new UUID(7, 5), 1, "c");
      }
      assertThat(owner.request(new Unsubscribe("s")))
          .extracting("code")
          .isEqualTo(ErrorCode.IN_USE);
      assertThat(
              owner.tryConsume(
                  SubscriptionKind.DURABLE,
                  DestinationKind.TOPIC,
                  "t",
                  "s",
                  "a = 1",
                  false,
                  false,
                  0))
          .extracting("code")
          .isEqualTo(ErrorCode.IN_USE);
    }
    assertThat(complete(owner, XaVerb.COMMIT)).isEqualTo("XA_OK");
    assertThat(owner.request(new Unsubscribe("s"))).isEqualTo(Ok.INSTANCE);
  }

  @Test
  void aDestinationThatAPreparedBranchNeedsIsNotDeletedNeitherAfterARestart() {
    client.send(queue, "m");
    long target = client.queue("target");
    workInBranch(client, target);
    complete(client, XaVerb.PREPARE);
    broker.restart();
    other = broker.client(3);
    for (String name : List.of("q", "target")) {
      assertThat(other.request(new Delete(DestinationKind.QUEUE, name)))
          .isInstanceOf(Failure.class);
    }
    complete(other, XaVerb.ROLLBACK);
    for (String name : List.of("q", "target")) {
      assertThat(other.request(new Delete(DestinationKind.QUEUE, name))).isEqualTo(Ok.INSTANCE);
    }
  }

  @Test
  void aLateFrameOfAnOlderBranchDoesNotTouchTheYoungerOneOfItsXid() {
    long old = start(client);
    client.oneWay(in(old, queue, "old"));
    end(client);
    complete(client, XaVerb.ROLLBACK);
    long young = start(client);
    client.oneWay(in(young, queue, "young"));
    end(client);
    assertThat(code(other.request(new XaComplete(XaVerb.ROLLBACK, XID, old))))
        .isEqualTo("XAER_NOTA");
    assertThat(code(other.request(new XaComplete(XaVerb.COMMIT_ONE_PHASE, XID, young))))
        .isEqualTo("XA_OK");
    assertThat(everythingIn("q")).containsExactly("young");
  }

  @Test
  void figuresTellHowLongTheOldestPreparedBranchHasWaited() {
    client.send(queue, "m");
    workInBranch(client, queue);
    assertThat(broker.core.transactions().active()).isEqualTo(1);
    complete(client, XaVerb.PREPARE);
    broker.pass(90_000);
    TransactionFigures figures = broker.core.transactions();
    assertThat(figures.active()).isZero();
    assertThat(figures.prepared()).isEqualTo(1);
    assertThat(figures.oldestPreparedMillis()).isBetween(90_000L, 91_000L);
  }
}
