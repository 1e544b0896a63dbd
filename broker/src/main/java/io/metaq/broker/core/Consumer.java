package io.metaq.broker.core;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The receiving end of a subscription, or for a wildcard of several: its credit, and how far it
 * got. What it may get is for the scan of its selector to say.
 */
final class Consumer {
  /** A consumer's place in one subscription. */
  static final class Attachment {
    final Consumer consumer;
    final Subscription subscription;
    final Scan scan;

    /** Messages of groups that are this consumer's, found on behalf of another. */
    final TreeSet<Delivery> aside = new TreeSet<>();

    /** When it is closed: how many acknowledgements its session owes, by slot of their group. */
    final Map<Integer, Integer> owed = new HashMap<>(0);

    /** Whether it stands in the subscription's ring of those that want more. */
    boolean waiting;

    Attachment(Consumer consumer, Subscription subscription, Scan scan) {
      this.consumer = consumer;
      this.subscription = subscription;
      this.scan = scan;
    }
  }

  final Session session;
  final int id;
  final int priority;
  final boolean exclusive;
  final String selector;
  final List<Attachment> attachments = new ArrayList<>(1);

  /** The durable subscription on a pattern that it consumes from; null for any other. */
  DurablePattern pattern;

  private int messages;
  private long bytes;
  boolean draining;
  boolean closed;

  /** Deliveries so far. */
  long ordinal;

  /** Deliveries that the application is known to have been handed. */
  long handed;

  Consumer(Session session, int id, int priority, boolean exclusive, String selector) {
    this.session = session;
    this.id = id;
    this.priority = priority;
    this.exclusive = exclusive;
    this.selector = selector;
  }

  boolean hasCredit() {
    return messages > 0 && bytes > 0 && session.connection.writable && !closed;
  }

  /** Whether its credit is used up. */
  boolean isSpent() {
    return messages <= 0 || bytes <= 0;
  }

  void credit(int moreMessages, int moreBytes) {
    messages = (int) Math.min(Integer.MAX_VALUE, (long) messages + Math.max(0, moreMessages));
    bytes = Math.min(Integer.MAX_VALUE, bytes + Math.max(0, moreBytes));
  }

  void spend(int size) {
    messages--;
    bytes -= size;
  }

  void withdraw() {
    messages = 0;
    bytes = 0;
    draining = false;
  }

  /** Connection stop and the like: a drain under way ends without its answer. */
  void stop() {
    if (draining) {
      attachments.forEach(attachment -> attachment.subscription.drains--);
    }
    withdraw();
  }

  void handed(long upTo) {
    handed = Math.max(handed, Math.min(upTo, ordinal));
  }
}
