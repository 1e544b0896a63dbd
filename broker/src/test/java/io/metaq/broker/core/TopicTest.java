package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Goodbye;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.Consuming;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.SubscriptionFrames.Unsubscribe;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Topics and their kinds of subscriptions, client ids, temporary destinations. */
class TopicTest {
  private final CoreHarness harness = new CoreHarness();
  private final Client sender = harness.client(1);
  private final long topic = sender.topic("t");

  private static ErrorCode code(Frame answer) {
    return ((Failure) answer).code();
  }

  private Client named(int number, String clientId) {
    return harness.client(number, new UUID(7, number), 0, clientId);
  }

  @Test
  void everySubscriberGetsWhatComesAfterItAndNothingIsStoredWithoutOne() {
    final int entries = harness.journal.size();
    sender.send(topic, "before");
    assertThat(harness.journal).hasSize(entries);
    Client one = harness.client(2);
    one.credit(one.consume(SubscriptionKind.NON_DURABLE, "t", null, null), 10);
    Client two = harness.client(3);
    two.credit(two.consume(SubscriptionKind.NON_DURABLE, "t", null, null), 10);
    sender.send(topic, "a");
    sender.send(topic, CoreHarness.message("b", 4, false, Map.of()));
    harness.settle();
    assertThat(one.texts()).containsExactly("a", "b");
    assertThat(two.texts()).containsExactly("a", "b");
    assertThat(one.deliveries()).extracting(Deliver::lane).containsExactly(0, -1);
  }

  @Test
  void aDurableSubscriptionKeepsWhatComesWhileNobodyIsThere() {
    Client owner = named(2, "c");
    int consumer = owner.consume(SubscriptionKind.DURABLE, "t", "s", null);
    owner.request(new CloseConsumer(consumer, 0));
    sender.send(topic, "a");
    sender.send(topic, CoreHarness.message("np", 4, false, Map.of()));
    harness.restart();
    Client again = named(4, "c");
    again.credit(again.consume(SubscriptionKind.DURABLE, "t", "s", null), 10);
    assertThat(again.texts()).containsExactly("a");
  }

  @Test
  void aDurableSubscriptionHasOneConsumerAndItsIdentityIsATriple() {
    Client owner = named(2, "c");
    owner.consume(SubscriptionKind.DURABLE, "t", "s", null);
    assertThat(
            code(
                owner.tryConsume(
                    SubscriptionKind.DURABLE,
                    DestinationKind.TOPIC,
                    "t",
                    "s",
                    null,
                    false,
                    false,
                    0)))
        .isEqualTo(ErrorCode.IN_USE);
    assertThat(
            code(
                owner.tryConsume(
                    SubscriptionKind.SHARED_DURABLE,
                    DestinationKind.TOPIC,
                    "t",
                    "s",
                    null,
                    false,
                    false,
                    0)))
        .isEqualTo(ErrorCode.IN_USE);
    Client other = named(3, "d");
    assertThat(
            other.tryConsume(
                SubscriptionKind.SHARED_DURABLE,
                DestinationKind.TOPIC,
                "t",
                "s",
                null,
                false,
                false,
                0))
        .isInstanceOf(Consuming.class);
    assertThat(
            sender.tryConsume(
                SubscriptionKind.SHARED_DURABLE,
                DestinationKind.TOPIC,
                "t",
                "s",
                null,
                false,
                false,
                0))
        .isInstanceOf(Consuming.class);
    assertThat(
            code(
                sender.tryConsume(
                    SubscriptionKind.DURABLE,
                    DestinationKind.TOPIC,
                    "t",
                    "x",
                    null,
                    false,
                    false,
                    0)))
        .isEqualTo(ErrorCode.ILLEGAL_STATE);
    assertThat(code(owner.request(new Unsubscribe("s")))).isEqualTo(ErrorCode.IN_USE);
    owner.request(new CloseConsumer(1, 0));
    assertThat(owner.request(new Unsubscribe("s"))).isEqualTo(Ok.INSTANCE);
    assertThat(code(owner.request(new Unsubscribe("s")))).isEqualTo(ErrorCode.INVALID_DESTINATION);
  }

  @Test
  void anotherSelectorMakesADurableSubscriptionAnew() {
    Client owner = named(2, "c"); // C2
    int first = owner.consume(SubscriptionKind.DURABLE, "t", "s", null);
    owner.request(new CloseConsumer(first, 0));
    sender.send(topic, "old");
    int second = owner.consume(SubscriptionKind.DURABLE, "t", "s", "kind = 'x'");
    sender.send(topic, CoreHarness.message("plain", 4, true, Map.of()));
    sender.send(topic, CoreHarness.message("match", 4, true, Map.of("kind", "x")));
    owner.credit(second, 10);
    assertThat(owner.texts()).containsExactly("match");
    assertThat(harness.notes)
        .singleElement()
        .asString()
        .contains("subscription s ", "(client id c)", "was on t without selector")
        .contains("now on t with selector kind = 'x'", "1 messages");
    owner.acknowledge(owner.deliveries().get(0));
    owner.request(new CloseConsumer(second, 1));
    int same = owner.consume(SubscriptionKind.DURABLE, "t", "s", "kind = 'x'");
    owner.request(new CloseConsumer(same, 0));
    assertThat(harness.notes).hasSize(1);
    owner.tryConsume(
        SubscriptionKind.DURABLE, DestinationKind.TOPIC, "t", "s", "kind = 'x'", true, false, 0);
    assertThat(harness.notes).hasSize(2).last().asString().contains("kind = 'x', noLocal");
  }

  @Test
  void acknowledgementsOfAFormerIncarnationOfASubscriptionChangeNothing() {
    Client owner = named(2, "c");
    int first = owner.consume(SubscriptionKind.DURABLE, "t", "s", null);
    owner.credit(first, 1);
    sender.send(topic, "old");
    harness.settle();
    Deliver late = owner.deliveries().get(0);
    owner.request(new CloseConsumer(first, 0)); // unseen
    int second = owner.consume(SubscriptionKind.DURABLE, "t", "s", "kind is null");
    sender.send(topic, "new");
    owner.acknowledge(late);
    owner.acknowledge(
        new Deliver(
            first, late.subscriptionId(), 0, late.sequence() + 1, 1, 1, -1, late.content()));
    owner.credit(second, 10);
    assertThat(owner.texts(second)).containsExactly("new");
  }

  @Test
  void aSharedSubscriptionGivesEachMessageToOneOfItsConsumers() {
    Client one = harness.client(2);
    Client two = harness.client(3);
    int a = one.consume(SubscriptionKind.SHARED_NON_DURABLE, "t", "s", null);
    int b = two.consume(SubscriptionKind.SHARED_NON_DURABLE, "t", "s", " ");
    one.credit(a, 100);
    two.credit(b, 100);
    for (int i = 0; i < 10; i++) {
      sender.send(topic, "m" + i);
    }
    harness.settle();
    assertThat(one.texts()).hasSize(5);
    assertThat(two.texts()).hasSize(5).doesNotContainAnyElementsOf(one.texts());
    Client third = harness.client(4);
    assertThat(
            code(
                third.tryConsume(
                    SubscriptionKind.SHARED_NON_DURABLE,
                    DestinationKind.TOPIC,
                    "t",
                    "s",
                    "a = 1",
                    false,
                    false,
                    0)))
        .isEqualTo(ErrorCode.IN_USE);
  }

  @Test
  void noLocalKeepsOnesOwnMessagesAway() {
    sender.tryConsume(
        SubscriptionKind.NON_DURABLE, DestinationKind.TOPIC, "t", null, null, true, false, 0);
    sender.credit(sender.latest(), 10);
    Client other = harness.client(3);
    other.credit(other.consume(SubscriptionKind.NON_DURABLE, "t", null, null), 10);
    sender.send(topic, "mine"); // built with publisher (7, 1)
    harness.settle();
    assertThat(sender.texts()).isEmpty();
    assertThat(other.texts()).containsExactly("mine");
  }

  @Test
  void whatASelectorExcludesOnATopicIsDoneWith() {
    Client owner = named(2, "c");
    int consumer = owner.consume(SubscriptionKind.DURABLE, "t", "s", "kind = 'x'");
    owner.credit(consumer, 10);
    for (int i = 0; i < 1000; i++) {
      sender.send(topic, CoreHarness.message("m" + i, i % 3 == 0 ? 7 : 4, true, Map.of()));
    }
    harness.settle();
    harness.pass(1100);
    Subscription subscription = harness.core.parts().destinations.byName("t").subscriptions.get(0);
    assertThat(subscription.depth()).isZero();
  }

  @Test
  void aBadSelectorIsRefusedWithItsPosition() {
    Frame answer =
        sender.tryConsume(
            SubscriptionKind.NON_DURABLE,
            DestinationKind.TOPIC,
            "t",
            null,
            "a = ",
            false,
            false,
            0);
    assertThat(code(answer)).isEqualTo(ErrorCode.INVALID_SELECTOR);
    assertThat(((Failure) answer).detail()).isPositive();
  }

  @Test
  void aWildcardConsumerGetsAllMatchingTopicsAlsoFutureOnes() {
    Client watcher = harness.client(2);
    long known = sender.topic("price.eu.gold");
    watcher.credit(watcher.consume(SubscriptionKind.NON_DURABLE, "price.>", null, null), 10);
    watcher.credit(watcher.consume(SubscriptionKind.NON_DURABLE, "price.*", null, null), 10);
    long future = sender.topic("price.us");
    sender.send(known, "gold");
    sender.send(future, "us");
    sender.send(topic, "other");
    harness.settle();
    assertThat(watcher.texts(1)).containsExactlyInAnyOrder("gold", "us");
    assertThat(watcher.texts(2)).containsExactly("us");
    watcher.request(new CloseConsumer(1, 0));
    watcher.request(new CloseConsumer(2, 0));
    assertThat(harness.core.parts().destinations.byName("price.us").subscriptions).isEmpty();
  }

  @Test
  void aClientIdIsUsedOnceAndTakenOverByItsOwnConnection() {
    UUID id = new UUID(9, 9);
    Client first = harness.client(2, id, 0, "c");
    harness.client(3, new UUID(9, 10), 0, "c");
    assertThat(harness.closed.get(3)).startsWith("INVALID_CLIENT_ID");
    Client again = harness.client(4, id, 1, "c");
    assertThat(harness.closed.get(2)).startsWith("CLOSING");
    assertThat(again.topic("t")).isEqualTo(topic);
    harness.client(5, id, 0, "c");
    assertThat(harness.closed.get(5)).startsWith("CLOSING");
    assertThat(first.answer(999)).isNull();
    assertThat(again.request(new Goodbye())).isEqualTo(Ok.INSTANCE);
    assertThat(named(6, "c").topic("t")).isEqualTo(topic);
  }

  @Test
  void aTemporaryQueueBelongsToItsConnectionAndLivesAsLong() {
    String name = "temporary-queue-" + sender.id + "-1";
    long temporary = sender.resolve(DestinationKind.TEMPORARY_QUEUE, name);
    Client other = harness.client(2);
    assertThat(other.queue(name)).isEqualTo(temporary);
    assertThat(
            code(
                other.tryConsume(
                    SubscriptionKind.QUEUE,
                    DestinationKind.QUEUE,
                    name,
                    null,
                    null,
                    false,
                    false,
                    0)))
        .isEqualTo(ErrorCode.INVALID_DESTINATION); // Y4
    final int entries = harness.journal.size();
    other.send(temporary, "reply");
    int consumer = sender.consume(SubscriptionKind.QUEUE, name, null, null);
    sender.credit(consumer, 10);
    assertThat(sender.texts()).containsExactly("reply");
    assertThat(harness.journal).hasSize(entries);
    assertThat(code(sender.request(new Delete(DestinationKind.TEMPORARY_QUEUE, name))))
        .isEqualTo(ErrorCode.IN_USE);
    sender.request(new CloseConsumer(consumer, 1));
    sender.disconnect();
    Client back = harness.client(3, sender.id, 1, null);
    assertThat(back.resolve(DestinationKind.TEMPORARY_QUEUE, name)).isEqualTo(temporary);
    assertThat(back.request(new Delete(DestinationKind.TEMPORARY_QUEUE, name)))
        .isEqualTo(Ok.INSTANCE);
    assertThat(code(other.send(temporary, "late"))).isEqualTo(ErrorCode.STALE); // C6
    assertThat(code(other.request(new Resolve(DestinationKind.TEMPORARY_QUEUE, name))))
        .isEqualTo(ErrorCode.INVALID_DESTINATION);
    assertThat(code(other.request(new Resolve(DestinationKind.QUEUE, name))))
        .isEqualTo(ErrorCode.INVALID_DESTINATION);
  }

  @Test
  void temporaryDestinationsOfALostConnectionGoAfterAWhile() {
    String name = "temporary-topic-" + sender.id + "-1";
    sender.resolve(DestinationKind.TEMPORARY_TOPIC, name);
    sender.disconnect();
    harness.pass(61_000);
    assertThat(harness.core.parts().destinations.byName(name)).isNull();
  }

  @Test
  void aDeletedDestinationMadeAgainGoesOnBehindItsFormerSelf() {
    long queue = sender.queue("q");
    sender.send(queue, "old");
    int consumer = sender.consumeQueue("q");
    sender.credit(consumer, 10);
    Deliver old = sender.deliveries().get(0);
    sender.request(new CloseConsumer(consumer, 1));
    assertThat(sender.request(new Delete(DestinationKind.QUEUE, "q"))).isEqualTo(Ok.INSTANCE);
    long again = sender.queue("q"); // S12
    assertThat(again).isNotEqualTo(queue);
    sender.send(again, "new");
    assertThat(sender.acknowledge(old)).isEqualTo(Ok.INSTANCE);
    sender.credit(sender.consumeQueue("q"), 10);
    assertThat(sender.texts()).containsExactly("old", "new");
    assertThat(sender.deliveries().get(1).sequence()).isEqualTo(1);
  }

  @Test
  void withAutoCreateOffOnlyDeclaredDestinationsExist() {
    CoreSettings base = CoreHarness.defaults();
    DestinationSettings declared =
        new DestinationSettings(
            2,
            1 << 20,
            true,
            0,
            DestinationSettings.Access.OPEN,
            DestinationSettings.History.NONE,
            DestinationSettings.Limit.NONE,
            DestinationSettings.Redelivery.DEFAULT,
            "DLQ",
            null);
    CoreHarness strict =
        new CoreHarness(
            new CoreSettings(
                base.brokerIdentity(),
                0,
                1,
                "test",
                10_000,
                1 << 20,
                1 << 20,
                false,
                false,
                base.defaults(),
                java.util.List.of(
                    new DestinationSettings.Declaration(
                        DestinationKind.TOPIC, "price.*", declared))));
    Client client = strict.client(1);
    assertThat(code(client.request(new Resolve(DestinationKind.QUEUE, "q"))))
        .isEqualTo(ErrorCode.INVALID_DESTINATION);
    long id = client.topic("price.gold");
    final int entries = strict.journal.size();
    client.send(id, "stored without subscribers");
    assertThat(strict.journal).hasSize(entries + 1);
  }
}
