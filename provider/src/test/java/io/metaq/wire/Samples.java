package io.metaq.wire;

import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.TransactionFrames.WireXid;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** One frame of every type, with unlike values in its fields. */
final class Samples {
  private static final WireXid XID = new WireXid(131077, new byte[] {1, 2, 3}, new byte[] {9});
  private static final List<Range> RANGES =
      List.of(new Range(5, 7, 0, 3, 9), new Range(6, 8, -1, 0, 0));

  private Samples() {}

  static MessageBlock block() {
    Map<String, Object> properties = new LinkedHashMap<>();
    properties.put("aBoolean", true);
    properties.put("aByte", (byte) -1);
    properties.put("aShort", (short) -300);
    properties.put("anInt", 70000);
    properties.put("aLong", 1L << 40);
    properties.put("aFloat", 1.5f);
    properties.put("aDouble", -2.25);
    properties.put("aString", "grüße \ud83d\ude00 \ud800");
    properties.put("aNull", null);
    return new MessageBlock(
        MessageBlock.BODY_TEXT,
        MessageBlock.FLAG_PERSISTENT,
        7,
        1,
        2,
        3,
        4,
        5,
        6,
        new UUID(1, 2),
        "client",
        "group",
        3,
        "correlation",
        "ID:x:1",
        DestinationKind.QUEUE,
        "orders",
        DestinationKind.TEMPORARY_QUEUE,
        "reply",
        "type",
        properties);
  }

  static ByteBuffer content() {
    return Content.build(
        block(), ByteBuffer.wrap("hello".getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  static List<Frame> frames() {
    return List.of(
        new ConnectionFrames.Hello(
            1, "client 1.0", new UUID(3, 4), 2, "id", "user", "secret", 10_000),
        new ConnectionFrames.Welcome(1, new UUID(5, 6), 3, 4, 5, 6, 7, 8, "1.0"),
        ConnectionFrames.Ok.INSTANCE,
        new ConnectionFrames.Failure(ErrorCode.XA, "why", -4),
        ConnectionFrames.Heartbeat.INSTANCE,
        new ConnectionFrames.SetClientId("id"),
        new ConnectionFrames.Goodbye(),
        new ConnectionFrames.CloseSession(4),
        new DestinationFrames.Resolve(DestinationKind.TOPIC, "news"),
        new DestinationFrames.Resolved(12),
        new DestinationFrames.Delete(DestinationKind.QUEUE, "orders"),
        new MessageFrames.Send(1, 2, 3, 4, 5, 6, 7, content()),
        new MessageFrames.UploadChunk(1, 2, true, ByteBuffer.wrap(new byte[] {1, 2})),
        new MessageFrames.ReadBody(1, -1, 2, 3, 4),
        new MessageFrames.BodyChunk(ByteBuffer.wrap(new byte[] {5})),
        new MessageFrames.Credit(1, 2, 3, true),
        new MessageFrames.Drained(1),
        new MessageFrames.Deliver(1, 2, 3, 4, 5, 6, -1, content()),
        new MessageFrames.Handed(1, 2),
        new MessageFrames.Ack(1, -2, RANGES),
        new MessageFrames.AckConfirmed(2),
        new MessageFrames.Release(true, RANGES),
        new MessageFrames.Recover(1, RANGES),
        new SubscriptionFrames.Consume(
            1,
            2,
            SubscriptionFrames.SubscriptionKind.SHARED_DURABLE,
            DestinationKind.TOPIC,
            "news",
            "sub",
            "a = 1",
            true,
            false,
            -5),
        new SubscriptionFrames.Consuming(9),
        new SubscriptionFrames.CloseConsumer(1, 2),
        new SubscriptionFrames.StopConsumer(1, 2),
        new SubscriptionFrames.Unsubscribe("sub"),
        new TransactionFrames.Commit(1, 2, RANGES),
        new TransactionFrames.Rollback(1, 2, List.of()),
        new TransactionFrames.QueryOutcome(new UUID(7, 8), 9),
        new TransactionFrames.Outcome(true),
        new TransactionFrames.XaStart(1, XID, 0x200000, 60),
        new TransactionFrames.XaStarted(-3),
        new TransactionFrames.XaEnd(1, XID, -3, 0x4000000, RANGES),
        new TransactionFrames.XaComplete(TransactionFrames.XaVerb.COMMIT, XID, 0),
        new TransactionFrames.XaDone(3),
        new TransactionFrames.XaRecover(),
        new TransactionFrames.XaInDoubt(List.of(XID)),
        new AdminFrames.Admin("tx.list", List.of("a", "b")),
        new AdminFrames.AdminResult(List.of(Map.of("name", "value"))));
  }
}
