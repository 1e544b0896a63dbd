package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.wire.ConnectionFrames.CloseSession;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.AckConfirmed;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Drained;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Recover;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.SubscriptionFrames.StopConsumer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Queues: sending, credit, acknowledgement and what comes back. */
class QueueTest {
  private final CoreHarness harness = new CoreHarness();
  private final Client client = harness.client(1);
  private final long queue = client.queue("q");

  @Test
  void deliversInOrderAndNoMoreThanTheCredit() {
    for (int i = 0; i < 5; i++) {
      assertThat(client.send(queue, "m" + i)).isEqualTo(Ok.INSTANCE);
    }
    int consumer = client.consumeQueue("q");
    client.credit(consumer, 3);
    assertThat(client.texts()).containsExactly("m0", "m1", "m2");
    assertThat(client.deliveries()).extracting(Deliver::ordinal).containsExactly(1L, 2L, 3L);
    assertThat(client.deliveries()).extracting(Deliver::deliveryCount).containsOnly(1);
    client.credit(consumer, 10);
    assertThat(client.texts()).containsExactly("m0", "m1", "m2", "m3", "m4");
  }

  @Test
  void aSendReceiptAndItsDeliveryWaitForTheForce() {
    int consumer = client.consumeQueue("q");
    client.credit(consumer, 3);
    harness.autoCommit = false;
    int asked =
        client.ask(client.sendFrame(queue, CoreHarness.message("m", 4, true, Map.of()), 0, 0));
    harness.settle();
    assertThat(client.answer(asked)).isNull();
    assertThat(client.texts()).isEmpty();
    harness.commit();
    assertThat(client.answer(asked)).isEqualTo(Ok.INSTANCE);
    assertThat(client.texts()).containsExactly("m");
  }

  @Test
  void aNonPersistentMessageWaitsForNothingAndLeavesNoEntry() {
    int consumer = client.consumeQueue("q");
    client.credit(consumer, 3);
    harness.autoCommit = false;
    final int entries = harness.journal.size();
    client.send(queue, CoreHarness.message("m", 4, false, Map.of()));
    harness.settle();
    assertThat(client.texts()).containsExactly("m");
    assertThat(harness.journal).hasSize(entries);
  }

  @Test
  void whatIsAcknowledgedDoesNotComeAgain() {
    int consumer = client.consumeQueue("q");
    for (int i = 0; i < 4; i++) {
      client.send(queue, "m" + i);
    }
    client.credit(consumer, 10);
    List<Deliver> got = client.deliveries();
    assertThat(client.acknowledge(got.get(1))).isEqualTo(Ok.INSTANCE);
    client.oneWay(new Ack(7, 0, List.of(CoreHarness.range(got.get(2)))));
    assertThat(harness.sent)
        .last()
        .extracting(CoreHarness.Out::frame)
        .isEqualTo(new AckConfirmed(7));
    harness.restart();
    Client again = harness.client(2);
    again.credit(again.consumeQueue("q"), 10);
    assertThat(again.texts()).containsExactly("m0", "m3");
    assertThat(again.deliveries()).extracting(Deliver::deliveryCount).containsOnly(2);
  }

  @Test
  void exactlyTheUnacknowledgedComeAgainInOrderWhenTheConsumerDies() {
    int consumer = client.consumeQueue("q");
    for (int i = 0; i < 10; i++) {
      client.send(queue, "m" + i);
    }
    client.credit(consumer, 10);
    for (int i : new int[] {7, 2, 4, 3}) {
      client.acknowledge(client.deliveries().get(i));
    }
    client.disconnect();
    Client other = harness.client(2);
    other.credit(other.consumeQueue("q"), 10);
    assertThat(other.texts()).containsExactly("m0", "m1", "m5", "m6", "m8", "m9");
    // R5; only the next in line may have been seen
    assertThat(other.deliveries())
        .extracting(Deliver::deliveryCount)
        .containsExactly(2, 1, 1, 1, 1, 1);
  }

  @Test
  void whatCameToAnotherConnectionIsNotTheFormerHoldersToAcknowledge() {
    client.send(queue, "m0");
    client.send(queue, "m1");
    client.credit(client.consumeQueue("q"), 10);
    Range first = CoreHarness.range(client.deliveries().get(0));
    Range both = new Range(first.consumerId(), first.subscriptionId(), 0, 0, 1);
    client.disconnect();
    Client other = harness.client(2);
    other.credit(other.consumeQueue("q"), 10);
    Client again = harness.client(3);
    for (Range range : List.of(first, both)) {
      assertThat(again.request(new Ack(0, 0, List.of(range))))
          .isInstanceOf(Failure.class)
          .extracting(answer -> ((Failure) answer).code())
          .isEqualTo(ErrorCode.IN_USE);
    }
    again.oneWay(new Ack(0, 0, List.of(first)));
    other.disconnect();
    again.credit(again.consumeQueue("q"), 10);
    assertThat(again.texts()).containsExactly("m0", "m1");
  }

  @Test
  void aConsumerAcknowledgesOnlyWhatItWasHandedItselfAlsoOnOneConnection() {
    client.send(queue, "m0");
    client.send(queue, "m1");
    int first = client.consumeQueue("q");
    client.credit(first, 2);
    List<Deliver> former = client.deliveries();
    client.request(new Release(false, former.stream().map(Range::of).toList()));
    harness.sent.clear();
    int second = client.consumeQueue("q");
    client.credit(second, 2);
    assertThat(client.texts(second)).containsExactly("m0", "m1");
    for (List<Deliver> late : List.of(former.subList(0, 1), former)) {
      List<Range> ranges = late.stream().map(Range::of).toList();
      client.oneWay(new Ack(1, 0, ranges));
      assertThat(client.request(new Ack(0, 0, ranges)))
          .isInstanceOfSatisfying(
              Failure.class, refused -> assertThat(refused.code()).isEqualTo(ErrorCode.IN_USE));
      client.request(new Release(true, ranges));
    }
    assertThat(harness.core.parts().destinations.byName("q").depth()).isEqualTo(2);
    assertThat(client.texts(second)).containsExactly("m0", "m1");
    client.deliveries(deliver -> deliver.consumerId() == second).forEach(client::acknowledge);
    assertThat(harness.core.parts().destinations.byName("q").depth()).isZero();
  }

  @Test
  void whatIsRepeatedAfterAReconnectIsTakenFromWhoeverHasItByThen() {
    client.send(queue, "m0");
    client.credit(client.consumeQueue("q"), 1);
    Range handed = Range.of(client.deliveries().get(0));
    client.disconnect();
    Client again = harness.client(2);
    again.consumers = handed.consumerId(); // ids go on from one socket of a client to the next
    int next = again.consumeQueue("q");
    again.credit(next, 1);
    assertThat(again.texts(next)).containsExactly("m0");
    again.oneWay(new Ack(1, 0, List.of(handed)));
    assertThat(harness.core.parts().destinations.byName("q").depth()).isZero();
  }

  @Test
  void recoveryCountsWhatWasHandedOnly() {
    int consumer = client.consumeQueue("q");
    client.send(queue, "m0");
    client.send(queue, "m1");
    client.credit(consumer, 10);
    Range first = CoreHarness.range(client.deliveries().get(0));
    harness.sent.clear();
    assertThat(client.request(new Recover(1, List.of(first)))).isEqualTo(Ok.INSTANCE);
    harness.settle();
    assertThat(client.texts()).isEmpty();
    client.credit(consumer, 10);
    assertThat(client.texts()).containsExactly("m0", "m1");
    assertThat(client.deliveries()).extracting(Deliver::deliveryCount).containsExactly(2, 1);
  }

  @Test
  void releasedMessagesComeBackInTheirPlace() {
    int consumer = client.consumeQueue("q");
    for (int i = 0; i < 4; i++) {
      client.send(queue, "m" + i);
    }
    client.credit(consumer, 2);
    List<Deliver> got = client.deliveries();
    harness.sent.clear();
    client.request(
        new Release(false, List.of(CoreHarness.range(got.get(1)), CoreHarness.range(got.get(0)))));
    client.credit(consumer, 10);
    assertThat(client.texts()).containsExactly("m0", "m1", "m2", "m3");
  }

  @Test
  void aStoppedConsumerGivesBackWhatWasNotHanded() {
    int consumer = client.consumeQueue("q");
    for (int i = 0; i < 4; i++) {
      client.send(queue, "m" + i);
    }
    client.credit(consumer, 10);
    harness.sent.clear();
    client.request(new StopConsumer(consumer, 1));
    Client other = harness.client(2);
    other.credit(other.consumeQueue("q"), 10);
    assertThat(other.texts()).containsExactly("m1", "m2", "m3");
  }

  @Test
  void aDrainIsAnsweredWhenNothingIsLeft() {
    int consumer = client.consumeQueue("q");
    client.oneWay(new Credit(consumer, 5, 1000, true));
    harness.settle();
    assertThat(harness.sent)
        .last()
        .extracting(CoreHarness.Out::frame)
        .isEqualTo(new Drained(consumer));
    client.send(queue, "m0");
    harness.settle();
    assertThat(client.texts()).isEmpty();
    client.oneWay(new Credit(consumer, 5, 1000, true));
    harness.settle();
    assertThat(client.texts()).containsExactly("m0");
    assertThat(harness.sent)
        .last()
        .extracting(CoreHarness.Out::frame)
        .isEqualTo(new Drained(consumer));
  }

  @Test
  void aBacklogBeyondTheCacheIsReadFromTheLog() {
    CoreHarness small = new CoreHarness(CoreHarness.withCache(2000));
    Client sender = small.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 1000; i++) {
      sender.send(id, "m" + i);
      small.written();
    }
    int consumer = sender.consumeQueue("q");
    small.failingReads = 2;
    sender.credit(consumer, 1000);
    small.pass(1000);
    assertThat(sender.texts())
        .hasSize(1000)
        .startsWith("m0", "m1")
        .endsWith("m999")
        .doesNotHaveDuplicates();
  }

  @Test
  void theNextBatchIsReadWhileTheSecondHalfOfTheLastIsHandedOut() {
    CoreHarness small = new CoreHarness(CoreHarness.withCache(2000));
    Client receiver = small.client(1);
    long id = receiver.queue("q");
    for (int i = 0; i < 1000; i++) {
      receiver.send(id, "m" + i);
      small.written();
    }
    int consumer = receiver.consumeQueue("q");
    receiver.credit(consumer, 100);
    assertThat(small.readFrom).containsExactly(0L);
    receiver.credit(consumer, 50);
    assertThat(small.readFrom).containsExactly(0L, 256L);
    assertThat(receiver.texts()).hasSize(150);
    receiver.credit(consumer, 1000);
    assertThat(receiver.texts()).hasSize(1000).endsWith("m999").doesNotHaveDuplicates();
  }

  @Test
  void higherPriorityGoesFirstAtAnyDepthAlsoAfterARestart() {
    CoreHarness small = new CoreHarness(CoreHarness.withCache(2000));
    Client sender = small.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 500; i++) {
      sender.send(id, "m" + i, i % 2 == 0 ? 4 : 1);
      small.written();
    }
    sender.send(id, "urgent", 9);
    small.restart(); // D2
    Client consumer = small.client(2);
    consumer.credit(consumer.consumeQueue("q"), 1000);
    small.settle();
    assertThat(consumer.texts()).hasSize(501).startsWith("urgent", "m0", "m2", "m4");
    assertThat(consumer.texts().subList(251, 501)).startsWith("m1", "m3").endsWith("m499");
  }

  @Test
  void persistentAndNonPersistentMessagesMergeByAcceptance() {
    client.send(queue, "p0");
    client.send(queue, CoreHarness.message("n1", 4, false, Map.of()));
    client.send(queue, "p2");
    client.send(queue, CoreHarness.message("n3", 7, false, Map.of()));
    client.credit(client.consumeQueue("q"), 10);
    assertThat(client.texts()).containsExactly("n3", "p0", "n1", "p2");
  }

  @Test
  void aResentSendIsStoredOnce() {
    var send = client.sendFrame(queue, CoreHarness.message("m", 4, true, Map.of()), 0, 0);
    client.request(send);
    client.disconnect();
    Client back = harness.client(2, client.id, 1, null);
    assertThat(back.request(send)).isEqualTo(Ok.INSTANCE);
    back.credit(back.consumeQueue("q"), 10);
    assertThat(back.texts()).containsExactly("m");
  }

  @Test
  void aResentSendIsStoredOnceAlsoAfterARestart() {
    var send = client.sendFrame(queue, CoreHarness.message("m", 4, true, Map.of()), 0, 0);
    client.request(send);
    harness.replayInto(harness.snapshot(), harness.journal.size());
    Client back = harness.client(2, client.id, 1, null);
    assertThat(back.request(send)).isEqualTo(Ok.INSTANCE);
    back.credit(back.consumeQueue("q"), 10);
    assertThat(back.texts()).containsExactly("m");
  }

  @Test
  void aSendRepeatedAfterTheBrokerHasForgottenItHasAnUnknownOutcome() {
    var send = client.sendFrame(queue, CoreHarness.message("m", 4, true, Map.of()), 0, 0);
    client.request(send);
    client.disconnect();
    harness.pass(11 * 60_000);
    Client back = harness.client(2, client.id, 1, null);
    assertThat(back.request(send)).extracting("code").isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    back.send(queue, "again");
    assertThat(back.send(queue, "later")).isEqualTo(Ok.INSTANCE);
  }

  @Test
  void theFourthDeliveryAfterThreeKilledConsumersAndABrokerRestartIsCountedFour() {
    client.send(queue, "m"); // R2
    for (int kill = 1; kill <= 3; kill++) {
      Client victim = harness.client(10 + kill);
      victim.credit(victim.consumeQueue("q"), 1);
      assertThat(victim.deliveries()).extracting(Deliver::deliveryCount).containsExactly(kill);
      victim.disconnect();
      if (kill == 2) {
        harness.restart();
      }
    }
    Client last = harness.client(20);
    last.credit(last.consumeQueue("q"), 1);
    assertThat(last.deliveries()).extracting(Deliver::deliveryCount).containsExactly(4);
  }

  @Test
  void whatWasOutOnceMoreWhenTheBrokerDiedCountsThatDeliveryToo() {
    client.send(queue, "m");
    client.send(queue, "unseen");
    for (int deliveries = 1; deliveries <= 5; deliveries++) {
      Client next = harness.client(10 + deliveries);
      next.credit(next.consumeQueue("q"), 1);
      assertThat(next.deliveries().get(0).deliveryCount()).isEqualTo(deliveries);
      harness.restart(); // nobody has told the broker that the consumer is dead
    }
    Client last = harness.client(20);
    int consumer = last.consumeQueue("q");
    last.credit(consumer, 1);
    last.oneWay(new io.metaq.wire.SubscriptionFrames.StopConsumer(consumer, 0)); // unseen
    harness.restart();
    Client after = harness.client(21);
    after.credit(after.consumeQueue("q"), 2);
    assertThat(after.deliveries()).extracting(Deliver::deliveryCount).containsExactly(6, 1);
  }

  @Test
  void aBlockedConsumerKeepsNoMoreThanItsPrefetchFromAFastOne() {
    for (int i = 0; i < 1000; i++) {
      client.send(queue, "m" + i); // D1
    }
    int blocked = client.consumeQueue("q");
    client.credit(blocked, 10);
    int fast = client.consumeQueue("q");
    for (int i = 0; i < 100; i++) {
      client.credit(fast, 10);
    }
    assertThat(client.texts(fast)).hasSize(990);
  }

  @Test
  void aClosedSessionGivesEverythingBack() {
    client.send(queue, "m0");
    int consumer = client.consumeQueue("q");
    client.credit(consumer, 10);
    assertThat(client.request(new CloseSession(1))).isEqualTo(Ok.INSTANCE);
    Client other = harness.client(2);
    other.credit(other.consumeQueue("q"), 10);
    assertThat(other.deliveries()).extracting(Deliver::deliveryCount).containsExactly(1);
  }

  @Test
  void aQueueIsNoTopic() {
    assertThat(
            client.request(new io.metaq.wire.DestinationFrames.Resolve(DestinationKind.TOPIC, "q")))
        .isInstanceOf(Failure.class)
        .extracting("code")
        .isEqualTo(ErrorCode.INVALID_DESTINATION);
  }
}
