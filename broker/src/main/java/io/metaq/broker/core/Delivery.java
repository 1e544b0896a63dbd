package io.metaq.broker.core;

import java.nio.ByteBuffer;

/**
 * A message on its way through a subscription: found by a scan, then with a consumer until it is
 * acknowledged or comes back. Ordered as dispatch does: higher priority first, then as accepted.
 */
final class Delivery implements Comparable<Delivery> {
  final Subscription subscription;
  final int lane;
  final long sequence;
  final int priority;
  final long messageId;
  final int size;

  /** Slot of its message group, or -1. */
  int group = -1;

  /** Null while it is out; fetched again when it comes back. */
  ByteBuffer record;

  /** File of its large body, or 0. */
  long largeBody;

  Consumer consumer;

  /** The closed consumer whose message group waits until this is settled, or null. */
  Consumer.Attachment owedBy;

  /** Who owes the acknowledgement; null when a prepared branch does. */
  Session session;

  long ordinal;

  /** The transaction that holds its acknowledgement, or null. */
  Object holder;

  /** Its record is being read. */
  boolean fetching;

  /** Neighbours in the session's list, in order of delivery. */
  Delivery before;

  Delivery after;

  Delivery(Subscription subscription, int lane, long sequence, ByteBuffer record) {
    this(
        subscription,
        lane,
        sequence,
        RecordView.priority(record),
        RecordView.messageId(record),
        record.remaining());
    found(record);
  }

  /** Its record is at hand. */
  final void found(ByteBuffer bytes) {
    record = bytes;
    group = RecordView.groupSlot(bytes);
  }

  Delivery(
      Subscription subscription, int lane, long sequence, int priority, long messageId, int size) {
    this.subscription = subscription;
    this.lane = lane;
    this.sequence = sequence;
    this.priority = priority;
    this.messageId = messageId;
    this.size = size;
  }

  @Override
  public int compareTo(Delivery other) {
    int byPriority = Integer.compare(other.priority, priority);
    if (byPriority != 0) {
      return byPriority;
    }
    int byId = Long.compare(messageId, other.messageId);
    return byId != 0 ? byId : Long.compare(sequence, other.sequence);
  }
}
