package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.broker.core.DestinationSettings.Limit;
import io.metaq.broker.core.DestinationSettings.Redelivery;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Delayed messages, expiry, redelivery delays and dead letters. */
class TimeTest {
  private static final long HOUR = 3_600_000;
  private static final long DAY = 24 * HOUR;

  private static DestinationSettings settings(Redelivery redelivery, String expiryQueue) {
    return settings(64 << 20, redelivery, expiryQueue);
  }

  private static DestinationSettings settings(
      int segmentSize, Redelivery redelivery, String expiryQueue) {
    return new DestinationSettings(
        1,
        segmentSize,
        false,
        0,
        DestinationSettings.Access.OPEN,
        DestinationSettings.History.NONE,
        Limit.NONE,
        redelivery,
        "DLQ",
        expiryQueue);
  }

  private final CoreHarness harness = new CoreHarness();
  private final Client client = harness.client(1);
  private final long queue = client.queue("q");

  private static Send later(Client sender, long id, String text, long delay) {
    return sender.sendFrame(id, CoreHarness.message(text, 4, true, Map.of()), 0, delay);
  }

  private void delayed(String text, long delay, boolean persistent) {
    client.request(
        client.sendFrame(queue, CoreHarness.message(text, 4, persistent, Map.of()), 0, delay));
  }

  @Test
  void aDelayedMessageComesWhenItIsDueAndNotBefore() {
    delayed("late", 1000, true);
    delayed("later", 2000, false);
    client.send(queue, "now");
    client.credit(client.consumeQueue("q"), 10);
    assertThat(client.texts()).containsExactly("now");
    harness.pass(999);
    assertThat(client.texts()).containsExactly("now");
    harness.pass(1);
    assertThat(client.texts()).containsExactly("now", "late");
    harness.pass(1000);
    assertThat(client.texts()).containsExactly("now", "late", "later");
  }

  @Test
  void delaysOfAnyLengthSurviveRestartsOnceAndInOrder() {
    delayed("hour", HOUR, true); // D3
    delayed("days", 400 * DAY, true);
    delayed("same hour", HOUR, true);
    delayed("never", Long.MAX_VALUE, true);
    harness.replayInto(harness.snapshot(), harness.journal.size());
    harness.pass(HOUR / 2);
    harness.restart();
    Client again = harness.client(2);
    again.credit(again.consumeQueue("q"), 10);
    harness.pass(HOUR / 2 - 1);
    assertThat(again.texts()).isEmpty();
    harness.pass(1);
    assertThat(again.texts()).containsExactly("hour", "same hour");
    harness.now += 400 * DAY;
    harness.pass(10);
    assertThat(again.texts()).containsExactly("hour", "same hour", "days");
    harness.restart();
    Client last = harness.client(3);
    last.credit(last.consumeQueue("q"), 10);
    harness.pass(1000);
    assertThat(last.texts()).containsExactly("hour", "same hour", "days");
  }

  @Test
  void aMessageThatIsFarFromDueDoesNotKeepTheLogBehindIt() {
    CoreHarness small = new CoreHarness(CoreHarness.with(settings(4096, Redelivery.DEFAULT, null)));
    Client sender = small.client(1);
    long id = sender.queue("q");
    long segments = 0;
    for (int round = 0; round < 40; round++) {
      sender.request(later(sender, id, "far" + round, 400 * DAY + round % 2));
      for (int i = 0; i < 100; i++) {
        sender.request(later(sender, id, "soon", 1000));
      }
      small.written();
      small.pass(2000);
      segments = Math.max(segments, small.core.parts().destinations.byName("q").delayed.bytes());
    }
    assertThat(segments).isLessThan(10 * 4096);
    small.restart();
    small.now += 400 * DAY;
    Client receiver = small.client(2);
    receiver.credit(receiver.consumeQueue("q"), 5000);
    small.pass(5000);
    List<String> far = receiver.texts().stream().filter(text -> text.startsWith("far")).toList();
    assertThat(far).hasSize(40).doesNotHaveDuplicates().startsWith("far0", "far1", "far2");
    assertThat(receiver.texts()).hasSize(4040);
  }

  @Test
  void manyDelayedMessagesComeFromTheLogInOrder() {
    CoreHarness small = new CoreHarness(CoreHarness.withCache(2000));
    Client sender = small.client(1);
    long id = sender.queue("q");
    for (int i = 0; i < 1000; i++) {
      sender.request(
          sender.sendFrame(
              id, CoreHarness.message("m" + i, 4, true, Map.of()), 0, 5 * HOUR + i % 2));
      small.written();
    }
    small.restart();
    Client consumer = small.client(2);
    consumer.credit(consumer.consumeQueue("q"), 2000);
    small.pass(5 * HOUR + 10);
    assertThat(consumer.texts())
        .hasSize(1000)
        .doesNotHaveDuplicates()
        .startsWith("m0", "m2", "m4")
        .endsWith("m997", "m999");
  }

  @Test
  void aDelayedMessageReachesOnlySubscriptionsThatExistedWhenItWasSent() {
    long topic = client.topic("t");
    Client early = harness.client(2);
    early.credit(early.consume(SubscriptionKind.NON_DURABLE, "t", null, null), 10);
    client.request(client.sendFrame(topic, CoreHarness.message("p", 4, true, Map.of()), 0, 1000));
    client.request(client.sendFrame(topic, CoreHarness.message("n", 4, false, Map.of()), 0, 1000));
    Client late = harness.client(3);
    late.credit(late.consume(SubscriptionKind.NON_DURABLE, "t", null, null), 10);
    harness.pass(1000);
    assertThat(early.texts()).containsExactlyInAnyOrder("p", "n");
    assertThat(late.texts()).isEmpty();
  }

  @Test
  void anExpiredMessageIsGoneWithoutAnyConsumer() {
    client.send(queue, "stays"); // D4
    client.request(
        client.sendFrame(queue, CoreHarness.message("goes", 4, true, Map.of()), 1000, 0));
    client.request(
        client.sendFrame(queue, CoreHarness.message("goes too", 4, false, Map.of()), 1000, 0));
    client.request(
        client.sendFrame(queue, CoreHarness.message("hours", 4, true, Map.of()), 3 * HOUR, 0));
    assertThat(depth()).isEqualTo(4);
    harness.pass(2100);
    assertThat(depth()).isEqualTo(2);
    harness.replayInto(harness.snapshot(), harness.journal.size());
    harness.pass(4 * HOUR);
    assertThat(depth()).isEqualTo(1);
  }

  private long depth() {
    return harness.core.parts().destinations.byName("q").depth();
  }

  @Test
  void anExpiredMessageIsNotDelivered() {
    client.request(client.sendFrame(queue, CoreHarness.message("goes", 4, true, Map.of()), 100, 0));
    harness.now += 100;
    client.credit(client.consumeQueue("q"), 10);
    assertThat(client.texts()).isEmpty();
  }

  @Test
  void expiredMessagesGoToTheExpiryQueueWithWhereTheyCameFrom() {
    CoreHarness keeping = new CoreHarness(CoreHarness.with(settings(Redelivery.DEFAULT, "EXP")));
    Client sender = keeping.client(1);
    long id = sender.queue("q");
    sender.request(
        sender.sendFrame(id, CoreHarness.message("old", 4, true, Map.of("a", 1)), 1000, 0));
    keeping.pass(3000);
    sender.credit(sender.consumeQueue("EXP"), 10);
    assertThat(sender.texts()).containsExactly("old");
    assertThat(Content.of(sender.deliveries().get(0).content()).block().properties())
        .containsEntry("a", 1)
        .containsEntry(DeadLetters.DESTINATION, "q")
        .containsEntry(DeadLetters.REASON, DeadLetters.EXPIRED);
  }

  @Test
  void aPoisonMessageRestsLongerEachTimeAndEndsInTheDeadLetterQueue() {
    CoreHarness strict =
        new CoreHarness(CoreHarness.with(settings(new Redelivery(3, 1000, 2, 10_000, 0), null)));
    Client victim = strict.client(1); // R1
    long id = victim.queue("q");
    victim.send(id, "poison");
    victim.send(id, "good");
    victim.credit(victim.consumeQueue("q"), 100);
    giveBackPoison(strict, victim);
    assertThat(victim.texts()).containsExactly("good");
    strict.pass(999);
    assertThat(victim.texts()).containsExactly("good");
    strict.pass(1);
    assertThat(victim.texts()).containsExactly("good", "poison");
    giveBackPoison(strict, victim);
    strict.restart();
    Client again = strict.client(2);
    again.credit(again.consumeQueue("q"), 100);
    strict.pass(1999);
    assertThat(again.texts()).containsExactly("good");
    strict.pass(1);
    assertThat(again.texts()).containsExactly("good", "poison");
    assertThat(again.deliveries()).extracting(Deliver::deliveryCount).containsExactly(2, 3);
    giveBackPoison(strict, again);
    again.credit(again.consumeQueue("DLQ"), 10);
    assertThat(again.texts()).containsExactly("good", "poison");
    assertThat(Content.of(again.deliveries().get(1).content()).block().properties())
        .containsEntry(DeadLetters.DESTINATION, "q")
        .containsEntry(DeadLetters.COUNT, 3)
        .containsEntry(DeadLetters.REASON, DeadLetters.TOO_MANY)
        .containsKey(DeadLetters.TIME);
    strict.restart();
    assertThat(strict.core.parts().destinations.byName("DLQ").depth()).isEqualTo(1);
    assertThat(strict.core.parts().destinations.byName("q").depth()).isEqualTo(1);
  }

  private static void giveBackPoison(CoreHarness strict, Client victim) {
    Deliver poison =
        victim.deliveries(deliver -> CoreHarness.text(deliver).equals("poison")).get(0);
    strict.sent.removeIf(out -> out.frame().equals(poison));
    victim.request(new Release(true, List.of(CoreHarness.range(poison))));
    strict.settle();
  }

  @Test
  void zeroAndMinusOneMeanAnyNumberOfDeliveries() {
    for (int unlimited : new int[] {0, -1}) {
      CoreHarness patient =
          new CoreHarness(CoreHarness.with(settings(new Redelivery(unlimited, 0, 1, 0, 0), null)));
      Client victim = patient.client(1); // R4
      victim.send(victim.queue("q"), "poison");
      int consumer = victim.consumeQueue("q");
      for (int i = 1; i <= 100; i++) {
        victim.credit(consumer, 1);
        assertThat(victim.deliveries().get(0).deliveryCount()).isEqualTo(i);
        giveBackPoison(patient, victim);
      }
    }
  }

  @Test
  void theJitterStaysWithinItsBoundsAndIsTheSameAgain() {
    Redelivery policy = new Redelivery(20, 1000, 1, 0, 10);
    for (long sequence = 0; sequence < 1000; sequence++) {
      long delay = io.metaq.broker.core.Redelivery.delay(policy, 1, sequence);
      assertThat(delay).isBetween(900L, 1100L);
      assertThat(io.metaq.broker.core.Redelivery.delay(policy, 1, sequence)).isEqualTo(delay);
    }
  }

  @Test
  void aDeletedQueueTakesItsDelayedMessagesAlong() {
    delayed("late", 1000, true);
    delayed("memory", 1000, false);
    client.request(new Delete(DestinationKind.QUEUE, "q"));
    client.queue("q");
    client.credit(client.consumeQueue("q"), 10);
    harness.pass(5000);
    assertThat(client.texts()).isEmpty();
    assertThat(harness.faults).isEmpty();
  }
}
