package io.metaq.tck.transactions;

import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageBlock;
import java.util.Map;
import java.util.UUID;

/** Message blocks for tests that speak bare frames. */
final class RawMessages {
  private RawMessages() {}

  /** Persistent, without body. */
  static MessageBlock block(UUID publisher) {
    return new MessageBlock(
        MessageBlock.BODY_NONE,
        MessageBlock.FLAG_PERSISTENT,
        4,
        1,
        0,
        0,
        0,
        0,
        0,
        publisher,
        null,
        null,
        0,
        null,
        "ID:raw",
        DestinationKind.QUEUE,
        "raw",
        null,
        null,
        null,
        Map.of());
  }
}
