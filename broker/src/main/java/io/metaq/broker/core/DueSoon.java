package io.metaq.broker.core;

import java.nio.ByteBuffer;

/**
 * A message that is due soon: in the order of its time, and for equal times as sent.
 *
 * @param record null if it stands in the log of delayed ones
 */
record DueSoon(
    long dueAt, long order, Destination destination, long sequence, ByteBuffer record, long notFor)
    implements Comparable<DueSoon> {
  @Override
  public int compareTo(DueSoon other) {
    int byTime = Long.compare(dueAt, other.dueAt);
    if (byTime != 0) {
      return byTime;
    }
    int byOrder = Long.compare(order, other.order);
    return byOrder != 0 ? byOrder : Long.compare(destination.id, other.destination.id);
  }
}
