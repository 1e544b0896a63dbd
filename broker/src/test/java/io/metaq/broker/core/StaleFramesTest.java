package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.ConnectionFrames.CloseSession;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Goodbye;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ConnectionFrames.SetClientId;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Handed;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.ReadBody;
import io.metaq.wire.MessageFrames.Recover;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.RecordFormat.LargeBody;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.StopConsumer;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import io.metaq.wire.SubscriptionFrames.Unsubscribe;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames that come too late, name what is not there, or mean harm. */
class StaleFramesTest {
  private final CoreHarness harness = new CoreHarness();
  private final Client client = harness.client(1);
  private final long queue = client.queue("q");

  @Test
  void aFrameBeforeTheLoginEndsTheConnection() {
    harness.core.connected(9, "stranger", harness.now);
    harness.core.frame(9, 1, new Resolve(DestinationKind.QUEUE, "q"), harness.now);
    assertThat(harness.closed.get(9)).startsWith("PROTOCOL");
    harness.core.frame(9, 1, new Resolve(DestinationKind.QUEUE, "q"), harness.now);
    harness.core.disconnected(9, harness.now);
    harness.core.frame(77, 1, new Goodbye(), harness.now);
  }

  @Test
  void aMessageThatIsNoneEndsTheConnectionAndNothingIsStored() {
    final int entries = harness.journal.size();
    client.send(queue, ByteBuffer.allocate(100));
    assertThat(harness.closed.get(1)).startsWith("PROTOCOL");
    assertThat(harness.journal).hasSize(entries);
  }

  @Test
  void aMessageBlockThatIsDamagedAnywhereIsRefusedOrHarmless() {
    ByteBuffer whole =
        CoreHarness.message("m", 4, true, "group", "correlation", Map.of("a", 1, "b", "text"));
    int consumer =
        harness.client(2).consume(SubscriptionKind.QUEUE, "q", null, "a = 1 AND b = 'x'");
    assertThat(consumer).isEqualTo(1);
    for (int at = 0; at < whole.remaining(); at++) {
      for (int value : new int[] {0, 0x7f, 0xff}) {
        ByteBuffer damaged = ByteBuffer.allocate(whole.remaining()).put(whole.duplicate()).flip();
        damaged.put(at, (byte) value);
        Client fresh = harness.client(1000 + at * 3 + value % 3);
        fresh.send(queue, damaged);
        fresh.disconnect();
      }
    }
    client.credit(client.consumeQueue("q"), 10_000);
    client.request(new Recover(1, List.of()));
    harness.pass(100);
    assertThat(harness.faults).isEmpty();
    assertThat(client.deliveries()).isNotEmpty();
  }

  @Test
  void acknowledgingWhatWasNeverThereIsPassedOverInSilence() {
    client.send(queue, "m");
    long subscription = harness.core.parts().destinations.byName("q").queue().id;
    final int entries = harness.journal.size();
    for (Range range :
        List.of(
            new Range(1, subscription, 0, 1, Long.MAX_VALUE),
            new Range(1, subscription, 0, 5, 3),
            new Range(1, subscription, 0, -9, -1),
            new Range(1, subscription, 7, 0, 0),
            new Range(1, subscription, -5, 0, 0),
            new Range(1, subscription, -1, 0, Long.MAX_VALUE),
            new Range(1, 12345, 0, 0, 0))) {
      assertThat(client.request(new Ack(0, 0, List.of(range, range)))).isEqualTo(Ok.INSTANCE);
      assertThat(client.request(new Ack(0, 0, List.of(range)))).isEqualTo(Ok.INSTANCE);
    }
    assertThat(harness.journal).hasSize(entries);
    assertThat(
            client.request(
                new Ack(
                    0, 0, List.of(new Range(1, subscription, 0, Long.MIN_VALUE, Long.MAX_VALUE)))))
        .isEqualTo(Ok.INSTANCE);
    assertThat(harness.core.parts().destinations.byName("q").depth()).isZero();
  }

  @Test
  void aLargeBodyIsSealedBeforeItsMessageAndLaterSendsWaitForIt() {
    ByteBuffer head = CoreHarness.message("", 4, true, Map.of());
    Send large = new Send(1, 100, queue, 0, 0, 0, 5, head);
    int first = client.ask(large);
    int second =
        client.ask(
            new Send(1, 101, queue, 0, 0, 0, 0, CoreHarness.message("small", 4, true, Map.of())));
    assertThat(client.answer(first)).isNull();
    assertThat(client.answer(second)).isNull();
    harness.sealed(new LargeBody(77, 3_000_000, 1));
    assertThat(client.answer(first)).isEqualTo(Ok.INSTANCE);
    assertThat(client.answer(second)).isEqualTo(Ok.INSTANCE);
    int consumer = client.consumeQueue("q");
    client.credit(consumer, 10);
    var delivered = client.deliveries().get(0);
    assertThat(delivered.largeBody()).isEqualTo(3_000_000);
    assertThat(
            client.request(
                new ReadBody(delivered.subscriptionId(), 0, delivered.sequence(), 0, 10)))
        .isInstanceOf(io.metaq.wire.MessageFrames.BodyChunk.class);
    assertThat(((Failure) client.request(new ReadBody(1, 0, 0, 0, 10))).code())
        .isEqualTo(ErrorCode.STALE);
    assertThat(harness.core.liveBodies()).containsExactly(77L);
    client.acknowledge(delivered);
    assertThat(harness.released).containsExactly(77L);
    harness.restart();
    assertThat(harness.core.liveBodies()).isEmpty();
  }

  @Test
  void theBodyOfANonPersistentMessageGoesWithIt() {
    int asked =
        client.ask(
            new Send(1, 100, queue, 0, 0, 0, 5, CoreHarness.message("", 4, false, Map.of())));
    harness.sealed(new LargeBody(78, 3_000_000, 1));
    assertThat(client.answer(asked)).isEqualTo(Ok.INSTANCE);
    client.ask(new Send(1, 101, queue, 0, 0, 1000, 6, CoreHarness.message("", 4, false, Map.of())));
    harness.sealed(new LargeBody(79, 3_000_000, 1));
    assertThat(harness.core.liveBodies()).containsExactlyInAnyOrder(78L, 79L);
    client.credit(client.consumeQueue("q"), 10);
    client.acknowledge(client.deliveries().get(0));
    assertThat(harness.released).containsExactly(78L);
    harness.pass(1000);
    assertThat(harness.core.liveBodies()).containsExactly(79L);
    client.acknowledge(client.deliveries().get(1));
    assertThat(harness.released).containsExactly(78L, 79L);
  }

  @Test
  void aBodyThatCouldNotBeStoredRefusesItsSendOnly() {
    int first =
        client.ask(new Send(1, 100, queue, 0, 0, 0, 5, CoreHarness.message("", 4, true, Map.of())));
    harness.sealed(null);
    assertThat(((Failure) client.answer(first)).code()).isEqualTo(ErrorCode.STORAGE);
    assertThat(client.send(queue, "after")).isEqualTo(Ok.INSTANCE);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void whateverFramesComeTheCoreAnswersAndStands(long seed) {
    Random random = new Random(seed);
    client.send(queue, "m");
    for (int i = 0; i < 20_000; i++) {
      int socket = random.nextInt(4);
      if (random.nextInt(50) == 0) {
        harness.core.disconnected(socket, harness.now);
      }
      if (random.nextInt(50) == 0) {
        harness.core.connected(socket, "p", harness.now);
        harness.core.frame(
            socket,
            1,
            new Hello(
                FrameCodec.PROTOCOL_VERSION,
                "x",
                new UUID(3, random.nextInt(3)),
                random.nextInt(3),
                null,
                null,
                null,
                1),
            harness.now);
      }
      Frame frame = frame(random);
      assertThatCode(() -> harness.core.frame(socket, random.nextInt(3), frame, harness.now))
          .doesNotThrowAnyException();
      if (random.nextInt(20) == 0) {
        harness.settle();
        harness.core.tick(harness.now += random.nextInt(200));
        harness.sent.clear();
      }
    }
    assertThat(harness.faults).isEmpty();
    Client last = harness.client(99);
    last.send(last.queue("fresh"), "still there");
    last.credit(last.consumeQueue("fresh"), 1);
    assertThat(last.texts()).containsExactly("still there");
  }

  private long id(Random random) {
    List<Destination> all = List.copyOf(harness.core.parts().destinations.all());
    if (all.isEmpty() || random.nextInt(10) == 0) {
      return random.nextLong();
    }
    Destination some = all.get(random.nextInt(all.size()));
    return random.nextBoolean() || some.subscriptions.isEmpty()
        ? some.id
        : some.subscriptions.get(0).id;
  }

  private Frame frame(Random random) {
    int small = random.nextInt(4);
    List<Range> ranges =
        List.of(
            new Range(
                1 + random.nextInt(4),
                id(random),
                random.nextInt(4) - 2,
                random.nextInt(20) - 3,
                random.nextInt(30)),
            new Range(random.nextInt(), id(random), 0, 0, random.nextLong()));
    String name = "d" + random.nextInt(3);
    DestinationKind kind = DestinationKind.of(small);
    return switch (random.nextInt(20)) {
      case 0 -> new Resolve(kind, name);
      case 1 -> new Delete(kind, name);
      case 2, 3, 4 ->
          new Send(
              small,
              random.nextInt(500),
              id(random),
              random.nextInt(20) == 0 ? 1 : 0,
              random.nextInt(3) * 100L,
              random.nextInt(10) == 0 ? random.nextLong() : 0,
              random.nextInt(20) == 0 ? 3 : 0,
              CoreHarness.message("x", random.nextInt(256), random.nextBoolean(), Map.of()));
      case 5, 6, 7 ->
          new Credit(random.nextInt(30), random.nextInt(), random.nextInt(), random.nextBoolean());
      case 8 -> new Ack(random.nextLong(), random.nextInt(20) == 0 ? -3 : 0, ranges);
      case 9 -> new Release(random.nextBoolean(), ranges);
      case 10 -> new Recover(small, ranges);
      case 11 -> new Handed(random.nextInt(30), random.nextLong());
      case 12, 13, 14 ->
          new Consume(
              random.nextInt(30),
              small,
              SubscriptionKind.values()[random.nextInt(6)],
              kind,
              random.nextInt(5) == 0 ? "d*" : name,
              random.nextBoolean() ? "s" + small : null,
              random.nextInt(3) == 0 ? "a = 1" : null,
              random.nextBoolean(),
              random.nextBoolean(),
              random.nextInt());
      case 15 -> new CloseConsumer(random.nextInt(30), random.nextLong());
      case 16 -> new StopConsumer(random.nextInt(30), random.nextLong());
      case 17 -> random.nextBoolean() ? new Unsubscribe("s" + small) : new CloseSession(small);
      case 18 -> new ReadBody(id(random), small - 1, small, 0, 10);
      default ->
          random.nextInt(20) == 0
              ? new Goodbye()
              : random.nextBoolean()
                  ? new SetClientId("c" + small)
                  : new Admin(
                      List.of("queues", "purge", "delete", "topics", "tx.list", "?")
                          .get(random.nextInt(6)),
                      List.of(name));
    };
  }
}
