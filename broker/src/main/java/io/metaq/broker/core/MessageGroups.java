package io.metaq.broker.core;

import io.metaq.broker.core.Consumer.Attachment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Keeps messages of one group with one consumer. Groups share a fixed number of slots by their
 * hash, so that their number costs no memory. A slot belongs to the consumer that gets its first
 * message until a message closes the group or that consumer closes; then to the next one that takes
 * a message of it. While the session of a closed consumer still owes acknowledgements for messages
 * of the slot, nobody takes it over: no two consumers ever work on one group. What is set aside for
 * its owner holds up nobody else, up to a bound.
 */
final class MessageGroups {
  static final int SLOTS = 1024;
  private static final int MOST_ASIDE = 256;

  private MessageGroups() {}

  /** Slot of the group whose name stands there. */
  static int slot(ByteBuffer record, int start, int length) {
    int hash = 1;
    for (int i = start; i < start + length; i++) {
      hash = hash * 31 + record.get(i);
    }
    return hash * 0x9e3779b9 >>> 22;
  }

  /** What this consumer may get next; null if nothing for now. */
  static Delivery next(Attachment candidate, long now) {
    while (true) {
      Delivery found = candidate.scan.peek(now);
      Delivery aside = candidate.aside.isEmpty() ? null : firstAside(candidate);
      if (aside != null && (found == null || aside.compareTo(found) < 0)) {
        return aside;
      }
      if (found == null || found.group < 0) {
        return found;
      }
      Attachment owner = owner(found);
      if (owner == null || owner == candidate || !owner.scan.takes(found)) {
        return found;
      }
      if (owner.aside.size() >= MOST_ASIDE) {
        return null;
      }
      candidate.scan.take(found);
      owner.aside.add(found);
      if (owner.consumer.hasCredit()) {
        owner.subscription.ring.addLater(owner);
      }
    }
  }

  private static Delivery firstAside(Attachment candidate) {
    while (!candidate.aside.isEmpty()) {
      Delivery first = candidate.aside.first();
      if (candidate.scan.isFree(first)) {
        return first;
      }
      candidate.aside.pollFirst();
    }
    return null;
  }

  private static Attachment owner(Delivery delivery) {
    Attachment[] groups = delivery.subscription.groups;
    return groups == null ? null : groups[delivery.group];
  }

  /** The consumer gets it. */
  static void take(Attachment taker, Delivery delivery) {
    if (taker.aside.isEmpty() || !taker.aside.remove(delivery)) {
      taker.scan.take(delivery);
    }
    if (delivery.group >= 0) {
      Subscription subscription = delivery.subscription;
      if (subscription.groups == null) {
        subscription.groups = new Attachment[SLOTS];
      }
      Attachment owner = subscription.groups[delivery.group];
      if (RecordView.closesGroup(delivery.record)) {
        free(subscription, delivery.group);
      } else if (owner == null) {
        subscription.groups[delivery.group] = taker;
      }
    }
  }

  /**
   * A consumer closes: its groups are free, and what was set aside for it too, but for those that
   * its session still owes acknowledgements for.
   */
  static void left(Attachment attachment) {
    Subscription subscription = attachment.subscription;
    if (subscription.groups == null) {
      return;
    }
    for (int lane = -1; lane < subscription.laneCount() - 1; lane++) {
      subscription
          .lane(lane)
          .out
          .forEach(
              (delivery, sequence) -> {
                if (delivery.consumer == attachment.consumer
                    && delivery.group >= 0
                    && subscription.groups[delivery.group] == attachment) {
                  delivery.owedBy = attachment;
                  attachment.owed.merge(delivery.group, 1, Integer::sum);
                }
              });
    }
    for (int slot = 0; slot < SLOTS; slot++) {
      if (subscription.groups[slot] == attachment && !attachment.owed.containsKey(slot)) {
        free(subscription, slot);
      }
    }
  }

  /** A message is not out any more; returns whether that sets its group free. */
  static boolean settled(Delivery delivery) {
    Attachment left = delivery.owedBy;
    if (left == null) {
      return false;
    }
    delivery.owedBy = null;
    Subscription subscription = delivery.subscription;
    boolean last =
        left.owed.computeIfPresent(delivery.group, (slot, n) -> n == 1 ? null : n - 1) == null;
    if (last && subscription.groups[delivery.group] == left) {
      free(subscription, delivery.group);
    }
    return last;
  }

  /** The next consumer that takes a message of the slot gets it. */
  private static void free(Subscription subscription, int slot) {
    Attachment owner = subscription.groups[slot];
    subscription.groups[slot] = null;
    if (owner == null || owner.aside.isEmpty()) {
      return;
    }
    List<Delivery> back = owner.aside.stream().filter(one -> one.group == slot).toList();
    for (Delivery delivery : back) {
      owner.aside.remove(delivery);
      subscription.scans.values().forEach(scan -> scan.giveBack(delivery));
    }
  }
}
