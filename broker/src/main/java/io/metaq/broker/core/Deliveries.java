package io.metaq.broker.core;

import io.metaq.wire.MessageFrames.Range;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Finds the deliveries that ranges of a client name. Only what is out with the asking session or
 * connection, and came to the consumer that is named, counts.
 */
final class Deliveries {
  private Deliveries() {}

  /** Of one session. */
  static Set<Delivery> named(Session session, List<Range> ranges) {
    Set<Delivery> found = Collections.newSetFromMap(new IdentityHashMap<>());
    if (!ranges.isEmpty()) {
      found.addAll(session.deliveries(delivery -> covers(ranges, delivery)));
    }
    return found;
  }

  /** Of any session of a connection, in order of delivery per session. */
  static List<Delivery> named(Connection connection, List<Range> ranges) {
    List<Delivery> found = new ArrayList<>();
    for (Session session : connection.sessions.values()) {
      found.addAll(session.deliveries(delivery -> covers(ranges, delivery)));
    }
    return found;
  }

  private static boolean covers(List<Range> ranges, Delivery delivery) {
    for (Range range : ranges) {
      if (range.consumerId() == delivery.consumer.id
          && range.subscriptionId() == delivery.subscription.id
          && range.lane() == delivery.lane
          && range.first() <= delivery.sequence
          && delivery.sequence <= range.last()) {
        return true;
      }
    }
    return false;
  }
}
