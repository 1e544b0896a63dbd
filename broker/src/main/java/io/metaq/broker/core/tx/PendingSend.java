package io.metaq.broker.core.tx;

import java.nio.ByteBuffer;

/**
 * A message that waits for its transaction: admitted, stamped and on the broker's clock, but
 * without a place. Times are absolute, 0 = none, since they count from the send and not from the
 * commit.
 */
public record PendingSend(long destinationId, long expiresAt, long dueAt, ByteBuffer record) {
  int size() {
    return record.remaining();
  }
}
