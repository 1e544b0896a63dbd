package io.metaq.jms;

import io.metaq.wire.Content;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames.Deliver;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;

/**
 * Deliveries as a broker makes them: the n-th of a consumer has sequence n of lane 0 of
 * subscription 7.
 */
final class Deliveries {
  private Deliveries() {}

  static Deliver text(int consumerId, long n) {
    return text(consumerId, n, 1, 0);
  }

  static Deliver text(int consumerId, long n, int deliveryCount, long brokerExpiration) {
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_TEXT,
            MessageBlock.FLAG_PERSISTENT,
            4,
            1,
            0,
            1,
            brokerExpiration,
            1,
            1,
            new UUID(1, 1),
            null,
            null,
            0,
            null,
            "ID:" + n,
            DestinationKind.QUEUE,
            "q",
            null,
            null,
            null,
            Map.of());
    ByteBuffer payload = ByteBuffer.wrap(("m" + n).getBytes(StandardCharsets.UTF_8));
    return new Deliver(consumerId, 7, 0, n, n, deliveryCount, -1, Content.build(block, payload));
  }
}
