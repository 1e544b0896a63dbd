package io.metaq.broker.core;

import io.metaq.wire.Content;
import io.metaq.wire.RecordFormat;
import io.metaq.wire.WireException;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Keeps a connection's own messages from it: for a non-durable subscription those of its JMS
 * connection, also across reconnects; for a durable one also those of every connection with the
 * same client id, past ones included.
 */
final class NoLocal {
  private NoLocal() {}

  static Predicate<ByteBuffer> filter(Subscription subscription, UUID connection) {
    String clientId = subscription.durable ? subscription.clientId : null;
    return record -> {
      if (!RecordFormat.isJms(record)) {
        return true;
      }
      Content content = RecordView.content(record);
      if (content.publisher().equals(connection)) {
        return false;
      }
      return clientId == null || !isFrom(clientId, content);
    };
  }

  private static boolean isFrom(String clientId, Content content) {
    try {
      return clientId.equals(content.block().publisherClientId());
    } catch (WireException unreadable) {
      return false;
    }
  }
}
