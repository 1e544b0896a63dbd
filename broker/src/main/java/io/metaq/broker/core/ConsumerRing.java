package io.metaq.broker.core;

import io.metaq.broker.core.Consumer.Attachment;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The consumers of a subscription that have credit, in turn, those of higher priority first. One
 * without credit leaves the ring, so that a thousand idle consumers cost a dispatch nothing.
 */
final class ConsumerRing {
  private final TreeMap<Integer, ArrayDeque<Attachment>> byPriority =
      new TreeMap<>(Comparator.reverseOrder());

  private final ArrayDeque<Attachment> later = new ArrayDeque<>(0);

  boolean isEmpty() {
    return byPriority.isEmpty();
  }

  void add(Attachment attachment) {
    if (!attachment.waiting) {
      attachment.waiting = true;
      byPriority
          .computeIfAbsent(attachment.consumer.priority, p -> new ArrayDeque<>())
          .add(attachment);
    }
  }

  /** Like {@link #add}, allowed while {@link #take} tests. */
  void addLater(Attachment attachment) {
    if (!attachment.waiting) {
      later.add(attachment);
    }
  }

  /** Only when it closes: one that has merely lost its credit drops out by itself. */
  void remove(Attachment attachment) {
    if (attachment.waiting) {
      attachment.waiting = false;
      ArrayDeque<Attachment> ring = byPriority.get(attachment.consumer.priority);
      ring.remove(attachment);
      if (ring.isEmpty()) {
        byPriority.remove(attachment.consumer.priority);
      }
    }
  }

  /**
   * The first, by priority and turn, that passes the test; it goes to the end of its turn. Null if
   * none.
   */
  Attachment take(Predicate<Attachment> test) {
    Attachment taken = null;
    boolean emptied = false;
    for (ArrayDeque<Attachment> ring : byPriority.values()) {
      for (int left = ring.size(); left > 0 && taken == null; left--) {
        Attachment attachment = ring.poll();
        if (!attachment.consumer.hasCredit()) {
          attachment.waiting = false;
          continue;
        }
        ring.add(attachment);
        if (test.test(attachment)) {
          taken = attachment;
        }
      }
      emptied |= ring.isEmpty();
      if (taken != null) {
        break;
      }
    }
    if (emptied) {
      byPriority.values().removeIf(ArrayDeque::isEmpty);
    }
    while (!later.isEmpty()) {
      add(later.poll());
    }
    return taken;
  }
}
