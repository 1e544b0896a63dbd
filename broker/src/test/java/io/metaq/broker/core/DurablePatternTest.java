package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.SubscriptionFrames.Unsubscribe;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Durable subscriptions on all topics that match a pattern. */
class DurablePatternTest {
  private final CoreHarness harness = new CoreHarness();
  private Client sender = harness.client(1);
  private int clients = 1;

  private Client owner() {
    clients++;
    return harness.client(clients, new UUID(7, clients), 0, "c");
  }

  private void restart() {
    harness.restart();
    sender = harness.client(++clients);
  }

  private void publish(String topic, String text) {
    publish(topic, text, Map.of());
  }

  private void publish(String topic, String text, Map<String, Object> properties) {
    sender.send(sender.topic(topic), CoreHarness.message(text, 4, true, properties));
  }

  private static Frame consume(Client client, SubscriptionKind kind, String topics) {
    return client.tryConsume(kind, DestinationKind.TOPIC, topics, "s", null, false, false, 0);
  }

  /** Subscribes and goes away again. */
  private void subscribe(SubscriptionKind kind, String topics, String selector) {
    Client client = owner();
    client.consume(kind, topics, "s", selector);
    client.disconnect();
  }

  /** What the subscription holds, with all of it acknowledged. */
  private List<String> drain(SubscriptionKind kind, String topics, String selector) {
    Client client = owner();
    client.credit(client.consume(kind, topics, "s", selector), 1000);
    List<Deliver> all = client.deliveries();
    all.forEach(client::acknowledge);
    harness.settle();
    client.request(new CloseConsumer(client.latest(), all.size()));
    client.disconnect();
    return all.stream().map(CoreHarness::text).toList();
  }

  private long parts() {
    return harness.core.parts().destinations.all().stream()
        .flatMap(topic -> topic.subscriptions.stream())
        .count();
  }

  private static ErrorCode code(Frame answer) {
    return ((Failure) answer).code();
  }

  @Test
  void itKeepsWhatComesOnAnyTopicWhileNobodyIsThereAlsoOnTopicsThatBeganMeanwhile() {
    publish("price.gold", "before");
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    publish("price.gold", "gold 1");
    publish("price.eu.tin", "tin 1");
    publish("other", "no");
    restart();
    publish("price.gold", "gold 2");
    publish("price.eu.tin", "tin 2");
    publish("price.new", "new 1");
    restart();
    List<String> got = drain(SubscriptionKind.DURABLE, "price.>", null);
    assertThat(got).containsExactlyInAnyOrder("gold 1", "tin 1", "gold 2", "tin 2", "new 1");
    assertThat(got).containsSubsequence("gold 1", "gold 2").containsSubsequence("tin 1", "tin 2");
    restart();
    assertThat(drain(SubscriptionKind.DURABLE, "price.>", null)).isEmpty();
  }

  @Test
  void itIsThereBeforeAnyTopicMatchesAndAConsumerGetsTopicsAsTheyCome() {
    Client owner = owner();
    owner.credit(owner.consume(SubscriptionKind.DURABLE, "price.*", "s", null), 100);
    assertThat(code(consume(owner, SubscriptionKind.DURABLE, "price.*")))
        .isEqualTo(ErrorCode.IN_USE);
    assertThat(code(owner.request(new Unsubscribe("s")))).isEqualTo(ErrorCode.IN_USE);
    publish("price.gold", "live");
    harness.settle();
    assertThat(owner.texts()).containsExactly("live");
    restart();
    assertThat(drain(SubscriptionKind.DURABLE, "price.*", null)).containsExactly("live");
  }

  @Test
  void eachTopicKeepsItsOrderOverManyRestarts() {
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    for (int i = 0; i < 60; i++) {
      publish("price." + i % 3, i % 3 + "-" + String.format("%02d", i));
      if (i % 10 == 9) {
        restart();
      }
    }
    List<String> got = drain(SubscriptionKind.DURABLE, "price.>", null);
    assertThat(got).hasSize(60);
    for (String topic : List.of("0-", "1-", "2-")) {
      assertThat(got.stream().filter(text -> text.startsWith(topic))).hasSize(20).isSorted();
    }
  }

  @Test
  void aSharedOneGivesEachMessageToOneConsumerOnEveryTopic() {
    subscribe(SubscriptionKind.SHARED_DURABLE, "price.>", null);
    restart();
    Client one = owner();
    one.credit(one.consume(SubscriptionKind.SHARED_DURABLE, "price.>", "s", null), 100);
    int second = one.consume(SubscriptionKind.SHARED_DURABLE, "price.>", "s", null);
    one.credit(second, 100);
    for (int i = 0; i < 10; i++) {
      publish("price.gold", "gold" + i);
      publish("price.tin", "tin" + i);
    }
    harness.settle();
    assertThat(one.texts(1)).hasSize(10);
    assertThat(one.texts(2)).hasSize(10).doesNotContainAnyElementsOf(one.texts(1));
    assertThat(code(consume(one, SubscriptionKind.SHARED_DURABLE, "price.*")))
        .isEqualTo(ErrorCode.IN_USE);
  }

  @Test
  void unsubscribingRemovesAllOfIt() {
    publish("price.gold", "begin");
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    publish("price.tin", "lost");
    assertThat(parts()).isEqualTo(2);
    Client owner = owner();
    assertThat(owner.request(new Unsubscribe("s"))).isEqualTo(Ok.INSTANCE);
    assertThat(code(owner.request(new Unsubscribe("s")))).isEqualTo(ErrorCode.INVALID_DESTINATION);
    publish("price.new", "not kept");
    assertThat(parts()).isZero();
    restart();
    publish("price.newer", "not kept");
    assertThat(parts()).isZero();
    assertThat(drain(SubscriptionKind.DURABLE, "price.>", null)).isEmpty();
  }

  @Test
  void unsubscribingIsRefusedWhileMessagesAreOut() {
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    publish("price.gold", "out");
    Client owner = owner();
    owner.credit(owner.consume(SubscriptionKind.DURABLE, "price.>", "s", null), 1);
    owner.request(new CloseConsumer(1, 1));
    assertThat(code(owner.request(new Unsubscribe("s")))).isEqualTo(ErrorCode.IN_USE);
    owner.acknowledge(owner.deliveries().get(0));
    assertThat(owner.request(new Unsubscribe("s"))).isEqualTo(Ok.INSTANCE);
  }

  @Test
  void anotherPatternSelectorOrTopicIsANewSubscription() {
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    publish("price.gold", "old");
    subscribe(SubscriptionKind.DURABLE, "price.*", null);
    assertThat(drain(SubscriptionKind.DURABLE, "price.*", null)).isEmpty();
    publish("price.gold", "kept");
    subscribe(SubscriptionKind.DURABLE, "price.*", "kind = 'x'");
    publish("price.gold", "plain");
    publish("price.tin", "match", Map.of("kind", "x"));
    restart();
    assertThat(drain(SubscriptionKind.DURABLE, "price.*", "kind = 'x'")).containsExactly("match");
    publish("price.tin", "gone", Map.of("kind", "x"));
    subscribe(SubscriptionKind.DURABLE, "price.tin", null);
    assertThat(parts()).isEqualTo(1);
    publish("price.tin", "of the topic");
    restart();
    assertThat(drain(SubscriptionKind.DURABLE, "price.tin", null)).containsExactly("of the topic");
    publish("price.tin", "gone");
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    assertThat(parts()).isEqualTo(2);
    assertThat(drain(SubscriptionKind.DURABLE, "price.>", null)).isEmpty();
    assertThat(code(consume(owner(), SubscriptionKind.SHARED_DURABLE, "price.>")))
        .isEqualTo(ErrorCode.IN_USE);
  }

  @Test
  void noLocalHoldsOnEveryTopic() {
    consumeForeign(owner()).disconnect();
    publish("price.gold", "a"); // built with publisher (7, 1)
    publish("price.tin", "b");
    restart();
    Client publisher = consumeForeign(harness.client(90, new UUID(7, 1), 0, "c"));
    assertThat(publisher.texts()).isEmpty();
    harness.pass(1100);
    restart();
    publish("price.gold", "c");
    assertThat(consumeForeign(owner()).texts()).containsExactly("c");
  }

  private static Client consumeForeign(Client client) {
    client.tryConsume(
        SubscriptionKind.DURABLE, DestinationKind.TOPIC, "price.>", "s", null, true, false, 0);
    client.credit(client.latest(), 10);
    return client;
  }

  @Test
  void atEveryPlaceWhereACrashCanEndTheJournalATopicHasItsPartFromItsFirstMessageOn() {
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    final int subscribed = harness.journal.size();
    for (int i = 0; i < 4; i++) {
      publish("price." + i, "a" + i);
      publish("price." + i, "b" + i);
    }
    List<Entry> whole = List.copyOf(harness.journal);
    for (int length = subscribed; length <= whole.size(); length++) {
      harness.journal.clear();
      harness.journal.addAll(whole.subList(0, length));
      harness.crashTo(length);
      sender = harness.client(++clients);
      long messages =
          whole.subList(0, length).stream().filter(Entry.Appended.class::isInstance).count();
      assertThat(drain(SubscriptionKind.DURABLE, "price.>", null)).hasSize((int) messages);
      publish("price.0", "next");
      assertThat(drain(SubscriptionKind.DURABLE, "price.>", null)).containsExactly("next");
    }
  }

  @Test
  void aSnapshotHoldsItWhateverIsReplayedBehindIt() {
    publish("price.gold", "before");
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    publish("price.gold", "gold");
    List<SnapshotUnit> units = harness.snapshot();
    final int taken = harness.journal.size();
    publish("price.tin", "tin");
    harness.replayInto(units, taken);
    sender = harness.client(++clients);
    publish("price.new", "new");
    assertThat(drain(SubscriptionKind.DURABLE, "price.>", null))
        .containsExactlyInAnyOrder("gold", "tin", "new");
    owner().request(new Unsubscribe("s"));
    List<SnapshotUnit> without = harness.snapshot();
    // What the snapshot reflects already is replayed too: its units are of different ages.
    harness.replayInto(without, 0);
    sender = harness.client(++clients);
    publish("price.newest", "not kept");
    assertThat(parts()).isZero();
  }

  @Test
  void aTopicThatIsDeletedTakesItsPartAndGivesItBackWhenItBeginsAgain() {
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    publish("price.gold", "gone");
    assertThat(sender.request(new Delete(DestinationKind.TOPIC, "price.gold")))
        .isEqualTo(Ok.INSTANCE);
    publish("price.gold", "again");
    restart();
    assertThat(drain(SubscriptionKind.DURABLE, "price.>", null)).containsExactly("again");
  }

  @Test
  void anOperatorSeesItAsOneAndMayRemoveIt() {
    subscribe(SubscriptionKind.DURABLE, "price.>", null);
    publish("price.gold", "a");
    publish("price.tin", "b");
    AdminResult rows = (AdminResult) sender.request(new Admin("subscriptions", List.of()));
    assertThat(rows.rows()).hasSize(1);
    assertThat(rows.rows().get(0))
        .containsEntry("topic", "price.>")
        .containsEntry("name", "s")
        .containsEntry("clientId", "c")
        .containsEntry("messages", "2")
        .containsEntry("consumers", "0");
    sender.request(new Admin("unsubscribe", List.of("c", "s")));
    assertThat(parts()).isZero();
  }

  @Test
  void theNameOfAPatternHasTheLengthOfADestinations() {
    Client owner = owner();
    assertThat(code(consume(owner, SubscriptionKind.DURABLE, "x".repeat(300) + ".*")))
        .isEqualTo(ErrorCode.INVALID_DESTINATION);
    Frame temporary =
        owner.tryConsume(
            SubscriptionKind.DURABLE,
            DestinationKind.TEMPORARY_TOPIC,
            "price.*",
            "s",
            null,
            false,
            false,
            0);
    assertThat(code(temporary)).isEqualTo(ErrorCode.INVALID_DESTINATION);
  }
}
