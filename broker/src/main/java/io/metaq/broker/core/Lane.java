package io.metaq.broker.core;

import java.nio.ByteBuffer;

/**
 * A sequence of messages of a destination that subscriptions walk along: a partition, or the
 * in-memory lane.
 */
abstract class Lane {
  final int number;
  long first;
  long next;
  PriorityIndex priorities = new PriorityIndex();

  Lane(int number, long next) {
    this.number = number;
    this.first = next;
    this.next = next;
  }

  /** The record if it is in memory, else null. */
  abstract ByteBuffer record(long sequence);

  /** Whether a record that is not in memory can be read from a log. */
  abstract boolean isDurable();

  /** A subscription has done with a message; {@code last} when no other still needs it. */
  abstract void done(long sequence);
}
