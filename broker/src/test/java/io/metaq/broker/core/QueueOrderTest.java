package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.broker.core.DestinationSettings.Limit;
import io.metaq.broker.core.DestinationSettings.Redelivery;
import io.metaq.broker.core.DestinationSettings.WhenFull;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Drained;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Recover;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.RecordFormat.LargeBody;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Rollback;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Who gets which message of a queue: selectors, groups, priorities of consumers; browsers; limits.
 */
class QueueOrderTest {
  private final CoreHarness harness = new CoreHarness();
  private final Client client = harness.client(1);
  private final long queue = client.queue("q");

  private void send(CoreHarness to, Client from, long id, String text, String group) {
    from.send(id, CoreHarness.message(text, 4, true, group, null, Map.of()));
  }

  @Test
  void aMatchBehindManyOthersIsFoundOnceAndASecondConsumerIsNotHeldUp() {
    CoreHarness small = new CoreHarness(CoreHarness.withCache(2000));
    Client sender = small.client(1); // S7
    long id = sender.queue("q");
    for (int i = 0; i < 10_000; i++) {
      sender.send(
          id, CoreHarness.message("m" + i, 4, true, i == 9_999 ? Map.of("k", 1) : Map.of()));
      small.written();
    }
    int selective = sender.consume(SubscriptionKind.QUEUE, "q", null, "k = 1");
    sender.credit(selective, 10);
    assertThat(sender.texts(selective)).containsExactly("m9999");
    assertThat(small.scanned).isLessThanOrEqualTo(10_000);
    sender.send(id, CoreHarness.message("late", 4, true, Map.of("k", 1)));
    small.settle();
    assertThat(sender.texts(selective)).containsExactly("m9999", "late");
    assertThat(small.scanned).isLessThanOrEqualTo(10_000);
    int plain = sender.consumeQueue("q");
    sender.credit(plain, 3);
    assertThat(sender.texts(plain)).containsExactly("m0", "m1", "m2");
  }

  @Test
  void tenSelectiveConsumersLookAtABacklogOnceEach() {
    tenSelectiveConsumers(20_000);
  }

  @Test
  @Tag("slow")
  void tenSelectiveConsumersLookAtAMillionMessagesTenMillionTimesAtMost() {
    tenSelectiveConsumers(1_000_000);
  }

  private static void tenSelectiveConsumers(int backlog) {
    CoreHarness small = new CoreHarness(CoreHarness.withCache(2000));
    Client sender = small.client(1); // S7
    long id = sender.queue("q");
    for (int i = 0; i < backlog; i++) {
      int fromEnd = backlog - i;
      Map<String, Object> mark = fromEnd <= 10 ? Map.of("k", fromEnd) : Map.of();
      sender.send(id, CoreHarness.message("m" + i, 4, true, mark));
      small.written();
      small.sent.clear();
    }
    Client plain = small.client(2);
    for (int k = 1; k <= 10; k++) {
      int consumer = sender.consume(SubscriptionKind.QUEUE, "q", null, "k = " + k);
      sender.credit(consumer, 5);
      assertThat(sender.texts(consumer)).containsExactly("m" + (backlog - k));
    }
    assertThat(small.scanned).isBetween(9 * backlog, 10 * backlog);
    sender.send(id, CoreHarness.message("late", 4, true, Map.of("k", 10)));
    small.settle();
    assertThat(sender.texts(sender.latest())).containsExactly("m" + (backlog - 10), "late");
    assertThat(small.scanned).isLessThanOrEqualTo(10 * backlog);
    plain.credit(plain.consumeQueue("q"), 3);
    assertThat(plain.texts()).containsExactly("m0", "m1", "m2");
  }

  @Test
  void aSelectorSeesMessagesThatAnotherConsumerGivesBack() {
    int plain = client.consumeQueue("q");
    client.credit(plain, 1);
    client.send(queue, CoreHarness.message("wanted", 4, true, Map.of("k", 1)));
    harness.settle();
    int selective = client.consume(SubscriptionKind.QUEUE, "q", null, "k = 1");
    client.credit(selective, 1);
    assertThat(client.texts(selective)).isEmpty();
    client.request(new CloseConsumer(plain, 0));
    harness.settle();
    assertThat(client.texts(selective)).containsExactly("wanted");
  }

  @Test
  void messagesOfAGroupStayWithOneConsumerUntilItCloses() {
    int one = client.consumeQueue("q");
    int two = client.consumeQueue("q");
    client.credit(one, 1000);
    client.credit(two, 1000);
    for (int i = 0; i < 100; i++) {
      send(harness, client, queue, "a" + i, "A");
      send(harness, client, queue, "b" + i, "B");
      harness.settle();
    }
    assertThat(client.texts(one))
        .hasSize(100)
        .allMatch(text -> text.charAt(0) == client.texts(one).get(0).charAt(0));
    assertThat(client.texts(two)).hasSize(100);
    char ofOne = client.texts(one).get(0).charAt(0);
    harness.sent.clear();
    client.request(new CloseConsumer(one, 0));
    harness.settle();
    assertThat(client.texts(two))
        .hasSize(100)
        .startsWith(ofOne + "0", ofOne + "1")
        .endsWith(ofOne + "99");
  }

  @Test
  void aGroupDoesNotMoveWhileTheSessionOfItsClosedConsumerOwesAcknowledgements() {
    int one = client.consumeQueue("q");
    client.credit(one, 2);
    send(harness, client, queue, "a0", "A");
    send(harness, client, queue, "a1", "A");
    harness.settle();
    List<Deliver> owed = client.deliveries();
    client.request(new CloseConsumer(one, 2));
    Client other = harness.client(2);
    int two = other.consumeQueue("q");
    other.credit(two, 10);
    send(harness, client, queue, "a2", "A");
    client.send(queue, "plain");
    harness.settle();
    assertThat(other.texts(two)).containsExactly("plain");
    client.acknowledge(owed.get(1));
    harness.settle();
    assertThat(other.texts(two)).containsExactly("plain");
    client.acknowledge(owed.get(0));
    harness.settle();
    assertThat(other.texts(two)).containsExactly("plain", "a2");
    send(harness, client, queue, "a3", "A");
    harness.settle();
    assertThat(other.texts(two)).containsExactly("plain", "a2", "a3");
  }

  @Test
  void whatTheSessionOfAClosedConsumerGivesBackComesBeforeTheRestOfItsGroup() {
    int one = client.consumeQueue("q");
    client.credit(one, 2);
    for (int i = 0; i < 600; i++) { // more than is set aside
      send(harness, client, queue, "a" + i, "A");
    }
    harness.settle();
    client.request(new CloseConsumer(one, 2));
    Client other = harness.client(2);
    int two = other.consumeQueue("q");
    other.credit(two, 1000);
    harness.settle();
    assertThat(other.texts(two)).isEmpty();
    client.request(new Recover(1, List.of()));
    harness.settle();
    assertThat(other.texts(two)).isEqualTo(IntStream.range(0, 600).mapToObj(i -> "a" + i).toList());
  }

  @Test
  void aTransactionThatHoldsMessagesOfAClosedConsumersGroupHoldsTheGroup() {
    int one = client.consumeQueue("q");
    client.credit(one, 1);
    send(harness, client, queue, "a0", "A");
    harness.settle();
    client.oneWay(new Ack(1, 5, List.of(Range.of(client.deliveries().get(0)))));
    client.request(new CloseConsumer(one, 1));
    int two = client.consumeQueue("q");
    client.credit(two, 10);
    send(harness, client, queue, "a1", "A");
    harness.settle();
    assertThat(client.texts(two)).isEmpty();
    client.request(new Commit(1, 5, List.of()));
    harness.settle();
    assertThat(client.texts(two)).containsExactly("a1");
  }

  @Test
  void aMessageThatComesBackIsStillItsGroupsOwners() {
    int one = client.consumeQueue("q");
    client.credit(one, 1);
    send(harness, client, queue, "a0", "A");
    harness.settle();
    Deliver first = client.deliveries().get(0);
    Client other = harness.client(2);
    int two = other.consumeQueue("q");
    other.credit(two, 10);
    client.request(new Release(true, List.of(Range.of(first))));
    harness.settle();
    assertThat(other.texts(two)).isEmpty();
    client.credit(one, 10);
    assertThat(client.texts(one)).containsExactly("a0", "a0");
  }

  @Test
  void aGroupStaysWithItsConsumerWhileItsMessageRestsBetweenDeliveries() {
    CoreHarness resting =
        new CoreHarness(CoreHarness.with(settings(Limit.NONE, new Redelivery(20, 1000, 1, 0, 0))));
    Client owner = resting.client(1);
    Client other = resting.client(2);
    long id = owner.queue("q");
    int one = owner.consumeQueue("q");
    owner.credit(one, 1);
    send(resting, owner, id, "a0", "A");
    resting.settle();
    int two = other.consumeQueue("q");
    other.credit(two, 10);
    owner.request(new Release(true, List.of(Range.of(owner.deliveries().get(0)))));
    send(resting, owner, id, "a1", "A");
    resting.pass(1_001);
    assertThat(other.texts(two)).isEmpty();
    owner.credit(one, 10);
    assertThat(owner.texts(one)).containsExactlyInAnyOrder("a0", "a0", "a1");
    owner.request(new Release(true, List.of(Range.of(owner.deliveries().get(1)))));
    owner.request(new CloseConsumer(one, 3));
    owner.request(new Recover(1, List.of()));
    resting.pass(1_001);
    assertThat(other.texts(two)).containsExactlyInAnyOrder("a0", "a1");
  }

  @Test
  void theSequenceMinusOneClosesAGroup() {
    int one = client.consumeQueue("q");
    client.credit(one, 10);
    send(harness, client, queue, "a0", "A");
    harness.settle();
    int two = client.consumeQueue("q");
    client.credit(two, 10);
    client.send(queue, CoreHarness.message("a1", 4, true, "A", -1, null, Map.of()));
    harness.settle();
    assertThat(client.texts(one)).containsExactly("a0", "a1");
    for (int i = 2; i < 6; i++) {
      send(harness, client, queue, "a" + i, "A");
      harness.settle();
    }
    // The consumer whose turn it is gets the next, and then all of it.
    assertThat(client.texts(two)).containsExactly("a2", "a3", "a4", "a5");
  }

  @Test
  void aGroupWhoseConsumerIsBusyHoldsUpNobodyElse() {
    int one = client.consumeQueue("q");
    client.credit(one, 1);
    send(harness, client, queue, "a0", "A");
    harness.settle();
    int two = client.consumeQueue("q");
    client.credit(two, 1000);
    send(harness, client, queue, "a1", "A");
    client.send(queue, "plain");
    send(harness, client, queue, "b0", "B");
    harness.settle();
    assertThat(client.texts(one)).containsExactly("a0");
    assertThat(client.texts(two)).containsExactly("plain", "b0");
    client.credit(one, 10);
    assertThat(client.texts(one)).containsExactly("a0", "a1");
  }

  @Test
  void consumersOfHigherPriorityGoFirstAndAnExclusiveOneGetsAll() {
    client.tryConsume(
        SubscriptionKind.QUEUE, DestinationKind.QUEUE, "q", null, null, false, false, 0);
    client.tryConsume(
        SubscriptionKind.QUEUE, DestinationKind.QUEUE, "q", null, null, false, false, 5);
    client.credit(1, 10);
    client.credit(2, 2);
    for (int i = 0; i < 4; i++) {
      client.send(queue, "m" + i);
    }
    harness.settle();
    assertThat(client.texts(2)).containsExactly("m0", "m1");
    assertThat(client.texts(1)).containsExactly("m2", "m3");
    client.tryConsume(
        SubscriptionKind.QUEUE, DestinationKind.QUEUE, "q", null, null, false, true, 0);
    client.send(queue, "m4");
    harness.settle();
    client.credit(3, 10);
    assertThat(client.texts(3)).containsExactly("m4");
    client.request(new CloseConsumer(3, 0));
    harness.settle();
    assertThat(client.texts(1)).containsExactly("m2", "m3", "m4");
  }

  @Test
  void aBrowserShowsConsumerOrderUpToItsEndAndTakesNothing() {
    client.send(queue, "m0");
    client.send(queue, "m1", 9);
    client.send(queue, CoreHarness.message("m2", 4, false, Map.of()));
    client.request(
        client.sendFrame(queue, CoreHarness.message("delayed", 4, true, Map.of()), 0, 1000));
    int consumer = client.consumeQueue("q");
    client.credit(consumer, 1);
    int browser = client.consume(SubscriptionKind.BROWSER, "q", null, null);
    client.send(queue, "after");
    client.credit(browser, 2);
    assertThat(client.texts(browser)).containsExactly("m1", "m0");
    client.credit(browser, 2);
    assertThat(client.texts(browser)).containsExactly("m1", "m0", "m2");
    assertThat(harness.sent)
        .last()
        .extracting(CoreHarness.Out::frame)
        .isEqualTo(new Drained(browser));
    client.credit(consumer, 10);
    assertThat(client.texts(consumer)).containsExactly("m1", "m0", "m2", "after");
    client.request(new CloseConsumer(browser, 0));
  }

  @Test
  void aBrowserOfABacklogReadsItFromTheLog() {
    CoreHarness small = new CoreHarness(CoreHarness.withCache(2000));
    Client sender = small.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 600; i++) {
      sender.send(id, CoreHarness.message("m" + i, 4, true, Map.of("even", i % 2 == 0)));
      small.written();
    }
    int browser = sender.consume(SubscriptionKind.BROWSER, "q", null, "even");
    sender.credit(browser, 1000);
    small.settle();
    assertThat(sender.texts(browser)).hasSize(300).startsWith("m0", "m2");
    assertThat(small.sent)
        .last()
        .extracting(CoreHarness.Out::frame)
        .isEqualTo(new Drained(browser));
  }

  private static CoreHarness limited(WhenFull whenFull) {
    return new CoreHarness(
        CoreHarness.with(
            settings(new Limit(3, 0, 1000, 2000, whenFull, 5000), Redelivery.DEFAULT)));
  }

  private static DestinationSettings settings(Limit limit, Redelivery redelivery) {
    return new DestinationSettings(
        1,
        64 << 20,
        false,
        0,
        DestinationSettings.Access.OPEN,
        DestinationSettings.History.NONE,
        limit,
        redelivery,
        "DLQ",
        null);
  }

  @Test
  void aFullQueueFailsItsSenders() {
    CoreHarness full = limited(WhenFull.FAIL);
    Client sender = full.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      assertThat(sender.send(id, "m" + i)).isEqualTo(Ok.INSTANCE);
    }
    assertThat(((Failure) sender.send(id, "m3")).code()).isEqualTo(ErrorCode.RESOURCE_LIMIT);
    assertThat(((Failure) sender.send(id, "x".repeat(1001))).code())
        .isEqualTo(ErrorCode.RESOURCE_LIMIT);
    sender.credit(sender.consumeQueue("q"), 1);
    sender.acknowledge(sender.deliveries().get(0));
    assertThat(sender.send(id, "m4")).isEqualTo(Ok.INSTANCE);
  }

  @Test
  void aFullQueueBlocksItsSendersInOrderForABoundedTime() {
    CoreHarness full = limited(WhenFull.BLOCK);
    Client sender = full.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    int third =
        sender.ask(sender.sendFrame(id, CoreHarness.message("m3", 4, true, Map.of()), 0, 0));
    int fourth =
        sender.ask(sender.sendFrame(id, CoreHarness.message("m4", 4, true, Map.of()), 0, 0));
    assertThat(sender.answer(third)).isNull();
    Client other = full.client(2);
    assertThat(other.send(other.queue("free"), "not held up")).isEqualTo(Ok.INSTANCE); // S8
    sender.credit(sender.consumeQueue("q"), 1);
    sender.acknowledge(sender.deliveries().get(0));
    full.settle();
    assertThat(sender.answer(third)).isEqualTo(Ok.INSTANCE);
    assertThat(sender.answer(fourth)).isNull();
    full.pass(5001);
    assertThat(((Failure) sender.answer(fourth)).code()).isEqualTo(ErrorCode.RESOURCE_LIMIT);
    assertThat(full.core.parts().destinations.byName("q").depth()).isEqualTo(3);
  }

  private static Send inTransaction(Client sender, long id, String text) {
    Send plain = sender.sendFrame(id, CoreHarness.message(text, 4, true, Map.of()), 0, 0);
    return new Send(1, plain.sequence(), id, 7, 0, 0, 0, plain.content());
  }

  private static Commit commit() {
    return new Commit(1, 7, List.of());
  }

  @Test
  void aTransactionWaitsForRoomAndCommitsBehindItsSends() {
    CoreHarness full = limited(WhenFull.BLOCK);
    Client sender = full.client(1);
    Client receiver = full.client(2);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    sender.oneWay(inTransaction(sender, id, "t0"));
    int answered = sender.ask(inTransaction(sender, id, "t1"));
    int commit = sender.ask(commit());
    full.settle();
    assertThat(sender.answer(answered)).isNull();
    assertThat(sender.answer(commit)).isNull();
    receiver.credit(receiver.consumeQueue("q"), 9);
    receiver.acknowledge(receiver.deliveries().get(0));
    full.settle();
    assertThat(sender.answer(answered)).isEqualTo(Ok.INSTANCE);
    assertThat(sender.answer(commit)).isEqualTo(Ok.INSTANCE);
    assertThat(receiver.texts()).containsExactly("m0", "m1", "m2", "t0", "t1");
  }

  @Test
  void aTransactionThatFindsNoRoomInTimeRollsBackAndSaysWhy() {
    CoreHarness full = limited(WhenFull.BLOCK);
    Client sender = full.client(1);
    long id = sender.queue("q");
    long free = sender.queue("free");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    sender.oneWay(inTransaction(sender, free, "before"));
    sender.oneWay(inTransaction(sender, id, "t0"));
    sender.oneWay(inTransaction(sender, id, "t1"));
    int commit = sender.ask(commit());
    full.pass(4990);
    assertThat(sender.answer(commit)).isNull();
    full.pass(20); // the second one does not wait once more
    assertThat(sender.answer(commit))
        .isInstanceOfSatisfying(
            Failure.class,
            failure -> {
              assertThat(failure.code()).isEqualTo(ErrorCode.ROLLED_BACK);
              assertThat(failure.message()).contains("q is full", "5000 ms");
            });
    assertThat(full.core.parts().destinations.byName("free").depth()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"time", "disconnect", "rollback"})
  void theBodyOfASendThatWaitedForRoomInVainIsReleased(String end) {
    CoreHarness full =
        new CoreHarness(
            CoreHarness.with(
                settings(new Limit(3, 0, 0, 2000, WhenFull.BLOCK, 5000), Redelivery.DEFAULT)));
    Client sender = full.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    int transaction = end.equals("rollback") ? 7 : 0;
    sender.ask(
        new Send(1, 100, id, transaction, 0, 0, 5, CoreHarness.message("", 4, true, Map.of())));
    full.sealed(new LargeBody(77, 3_000_000, 1));
    full.settle();
    assertThat(full.released).as("it waits").isEmpty();
    switch (end) {
      case "time" -> full.pass(5001);
      case "disconnect" -> sender.disconnect();
      default -> sender.ask(new Rollback(1, 7, List.of()));
    }
    full.settle();
    assertThat(full.released).containsExactly(77L);
    assertThat(full.core.liveBodies()).isEmpty();
  }

  @Test
  void aRollbackWithdrawsWhatWaitsForRoom() {
    CoreHarness full = limited(WhenFull.BLOCK);
    Client sender = full.client(1);
    Client receiver = full.client(2);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    sender.oneWay(inTransaction(sender, id, "t0"));
    sender.oneWay(inTransaction(sender, id, "t1"));
    assertThat(sender.request(new Rollback(1, 7, List.of()))).isEqualTo(Ok.INSTANCE);
    assertThat(full.core.parts().destinations.byName("q").blocked).isEmpty();
    int plain =
        sender.ask(sender.sendFrame(id, CoreHarness.message("next", 4, true, Map.of()), 0, 0));
    receiver.credit(receiver.consumeQueue("q"), 9);
    receiver.acknowledge(receiver.deliveries().get(0));
    full.settle();
    assertThat(sender.answer(plain)).isEqualTo(Ok.INSTANCE);
    assertThat(receiver.texts()).containsExactly("m0", "m1", "m2", "next");
  }

  @Test
  void aSendThatWaitsIsKeptWhenTheBufferItCameInIsUsedAgain() {
    CoreHarness full = limited(WhenFull.BLOCK);
    Client sender = full.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    for (int i = 3; i < 5; i++) {
      ByteBuffer content = CoreHarness.message("m" + i, 4, true, Map.of());
      sender.ask(sender.sendFrame(id, content, 0, 0));
      Arrays.fill(content.array(), (byte) 0x7f);
    }
    sender.credit(sender.consumeQueue("q"), 9);
    sender.deliveries().forEach(sender::acknowledge);
    full.settle();
    assertThat(sender.texts()).containsExactly("m0", "m1", "m2", "m3", "m4");
  }

  @Test
  void aLostConnectionLeavesNobodyInLineForRoom() {
    CoreHarness full = limited(WhenFull.BLOCK);
    Client sender = full.client(1);
    Client later = full.client(2);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    sender.oneWay(inTransaction(sender, id, "t0"));
    int waiting =
        later.ask(later.sendFrame(id, CoreHarness.message("later", 4, true, Map.of()), 0, 0));
    sender.disconnect();
    assertThat(full.core.parts().destinations.byName("q").blocked).hasSize(1);
    later.credit(later.consumeQueue("q"), 1);
    later.acknowledge(later.deliveries().get(0));
    full.settle();
    assertThat(later.answer(waiting)).isEqualTo(Ok.INSTANCE);
  }

  @Test
  void aConnectionWhoseSendsWaitIsReadOnUntilTheyTakeUpALot() {
    CoreHarness full = limited(WhenFull.BLOCK);
    Client sender = full.client(1);
    Client receiver = full.client(2);
    long id = sender.queue("q");
    for (int i = 0; i < 1_000; i++) {
      sender.ask(sender.sendFrame(id, CoreHarness.message("m" + i, 4, true, Map.of()), 0, 0));
    }
    assertThat(full.pausedConnections).isEmpty(); // its acknowledgements may be what makes room
    String large = "x".repeat(990);
    for (int i = 0; i < 35_000; i++) {
      sender.ask(sender.sendFrame(id, CoreHarness.message(large, 4, true, Map.of()), 0, 0));
    }
    assertThat(full.pausedConnections).containsExactly(1);
    sender.disconnect();
    assertThat(full.core.parts().destinations.byName("q").blocked).isEmpty();
    receiver.credit(receiver.consumeQueue("q"), 9);
    receiver.acknowledge(receiver.deliveries().get(0));
    assertThat(receiver.send(id, "next")).isEqualTo(Ok.INSTANCE);
  }

  @Test
  void aTransactionPushesTheOldestOutWhenItCommitsAndNotBefore() {
    CoreHarness full = limited(WhenFull.DROP_OLDEST);
    Client sender = full.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    sender.oneWay(inTransaction(sender, id, "t0"));
    sender.oneWay(inTransaction(sender, id, "t1"));
    assertThat(sender.request(new Rollback(1, 7, List.of()))).isEqualTo(Ok.INSTANCE);
    assertThat(full.core.parts().destinations.byName("q").depth()).isEqualTo(3);
    sender.oneWay(inTransaction(sender, id, "t0"));
    sender.oneWay(inTransaction(sender, id, "t1"));
    assertThat(sender.request(commit())).isEqualTo(Ok.INSTANCE);
    sender.credit(sender.consumeQueue("q"), 9);
    assertThat(sender.texts()).containsExactly("m2", "t0", "t1");
  }

  @Test
  void aFullQueueDropsItsOldestThatNobodyHolds() {
    CoreHarness full = limited(WhenFull.DROP_OLDEST);
    Client sender = full.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 3; i++) {
      sender.send(id, "m" + i);
    }
    int consumer = sender.consumeQueue("q");
    sender.credit(consumer, 1);
    sender.send(id, "m3");
    for (int i = 0; i < 50; i++) {
      assertThat(sender.send(id, CoreHarness.message("n" + i, 4, false, Map.of())))
          .isEqualTo(Ok.INSTANCE);
    }
    sender.credit(consumer, 100);
    assertThat(sender.texts())
        .startsWith("m0", "m2", "m3")
        .endsWith("n49")
        .doesNotContain("m1", "n0");
  }

  @Test
  void anOperatorPurgesAndDeletes() {
    for (int i = 0; i < 5; i++) {
      client.send(queue, "m" + i);
    }
    int consumer = client.consumeQueue("q");
    client.credit(consumer, 1);
    assertThat(client.request(new Admin("purge", List.of("q"))))
        .isEqualTo(new AdminResult(List.of(Map.of("purged", "4"))));
    client.credit(consumer, 10);
    assertThat(client.texts()).containsExactly("m0");
    AdminResult queues = (AdminResult) client.request(new Admin("queues", List.of()));
    assertThat(queues.rows().get(0))
        .containsEntry("name", "q")
        .containsEntry("messages", "1")
        .containsEntry("inFlight", "1");
    assertThat(((Failure) client.request(new Admin("delete", List.of("queue", "q")))).code())
        .isEqualTo(ErrorCode.IN_USE);
    client.request(new CloseConsumer(consumer, 0));
    assertThat(client.request(new Admin("delete", List.of("queue", "q"))))
        .isInstanceOf(AdminResult.class);
    assertThat(((Failure) client.request(new Admin("nonsense", List.of()))).code())
        .isEqualTo(ErrorCode.UNSUPPORTED);
    assertThat(client.request(new Admin("create", List.of("topic", "new"))))
        .isInstanceOf(AdminResult.class);
    assertThat(client.request(new Admin("stats", List.of()))).isInstanceOf(AdminResult.class);
    assertThat(client.request(new Admin("subscriptions", List.of())))
        .isInstanceOf(AdminResult.class);
  }

  @Test
  void aReplyIsFoundOnASharedQueueWithoutLookingAtStaleOnes() {
    CoreHarness small = new CoreHarness(CoreHarness.withCache(2000));
    Client sender = small.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 10_000; i++) {
      boolean persistent = i % 2 == 0;
      sender.send(
          id, CoreHarness.message("stale" + i, 4, persistent, null, "c" + i, Map.of("k", i)));
      small.written();
    }
    small.replayInto(small.snapshot(), small.journal.size());
    Client requester = small.client(2);
    for (int i = 0; i < 50; i++) {
      String selector = "JMSCorrelationID = 'r" + i + "'";
      int consumer = requester.consume(SubscriptionKind.QUEUE, "q", null, selector);
      requester.credit(consumer, 1);
      requester.send(id, CoreHarness.message("reply" + i, 4, i % 2 == 0, null, "r" + i, Map.of()));
      small.settle();
      assertThat(requester.texts(consumer)).containsExactly("reply" + i);
      requester.acknowledge(requester.deliveries(d -> d.consumerId() == consumer).get(0));
      requester.request(new CloseConsumer(consumer, 1));
    }
    assertThat(small.scanned).isZero();
    int late =
        requester.consume(
            SubscriptionKind.QUEUE, "q", null, "JMSCorrelationID = 'c5000' AND k = 5000");
    requester.credit(late, 5);
    assertThat(requester.texts(late)).containsExactly("stale5000");
    assertThat(small.scanned).isEqualTo(1);
  }
}
