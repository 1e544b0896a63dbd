package io.metaq.jms;

import io.metaq.wire.Content;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Handed;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What the broker has sent ahead to one consumer, and the credit it may send more on. Knows when
 * more credit is due and when the broker has to be told how far the application got. Not
 * thread-safe: the session's lock guards it.
 */
final class DeliveryQueue {
  private final int window;
  private final int windowBytes;
  private final Deque<Deliver> waiting = new ArrayDeque<>();
  private int outstanding;
  private int taken;
  private int takenBytes;
  private long lastHanded;
  private long lastReported;
  private boolean isVoid;
  private boolean draining;

  /**
   * @param window messages to ask for ahead; 0 = one whenever a receiver waits
   */
  DeliveryQueue(int window, int windowBytes) {
    this.window = window;
    this.windowBytes = windowBytes;
  }

  /** Returns false for a delivery that is void. */
  boolean arrived(Deliver delivery) {
    if (isVoid) {
      return false;
    }
    waiting.add(delivery);
    outstanding = Math.max(0, outstanding - 1);
    return true;
  }

  /** Whether the broker sends without being asked for each message. */
  boolean sendsAhead() {
    return window > 0;
  }

  int size() {
    return waiting.size();
  }

  Deliver peek() {
    return waiting.peek();
  }

  /** The next delivery, which now counts as handed over; null if there is none. */
  Deliver take() {
    Deliver delivery = waiting.poll();
    if (delivery != null) {
      lastHanded = delivery.ordinal();
      account(delivery);
    }
    return delivery;
  }

  /** The next delivery, which the application has not seen; null if there is none. */
  Deliver takeUnseen() {
    Deliver delivery = waiting.poll();
    if (delivery != null) {
      account(delivery);
    }
    return delivery;
  }

  /** A delivery that was taken unseen is handed over now. */
  void seen(Deliver delivery) {
    lastHanded = Math.max(lastHanded, delivery.ordinal());
  }

  private void account(Deliver delivery) {
    taken++;
    takenBytes += delivery.content().remaining();
  }

  /** Takes back the last {@link #take}: the application did not get it after all. */
  void putBack(Deliver delivery) {
    waiting.addFirst(delivery);
    taken--;
    takenBytes -= delivery.content().remaining();
    lastHanded = delivery.ordinal() - 1;
  }

  long lastHanded() {
    return lastHanded;
  }

  /**
   * The report that must be on the wire before the delivery just taken is handed over, or null: the
   * broker takes the first one that is not reported as begun by itself.
   */
  Handed report(int consumerId, Deliver justTaken) {
    long before = justTaken.ordinal() - 1;
    if (before <= lastReported) {
      return null;
    }
    lastReported = before;
    return new Handed(consumerId, before);
  }

  /** The report that makes the broker know exactly how far the application got, or null. */
  Handed finalReport(int consumerId) {
    return lastHanded > lastReported ? new Handed(consumerId, lastHanded) : null;
  }

  /**
   * The deliveries so far are acknowledged or back at the broker, which thereby knows how far the
   * application got.
   */
  void reported() {
    lastReported = lastHanded;
  }

  /** Fresh credit for an empty queue, or null with a window of 0. */
  Credit open(int consumerId) {
    isVoid = false;
    taken = 0;
    takenBytes = 0;
    outstanding = window;
    return window == 0 ? null : new Credit(consumerId, window, windowBytes, false);
  }

  /** More credit once half the window is used up, else null. */
  Credit replenish(int consumerId) {
    if (window == 0 || taken < (window + 1) / 2 && takenBytes < windowBytes / 2) {
      return null;
    }
    Credit credit = new Credit(consumerId, taken, takenBytes, false);
    outstanding += taken;
    taken = 0;
    takenBytes = 0;
    return credit;
  }

  /** Credit for one message where none is under way, else null; for a window of 0. */
  Credit single(int consumerId) {
    if (window != 0 || outstanding > 0 || !waiting.isEmpty() || isVoid) {
      return null;
    }
    outstanding = 1;
    return new Credit(consumerId, 1, Integer.MAX_VALUE, false);
  }

  /** Asks for what there is at once; leaves no credit. */
  Credit drain(int consumerId) {
    draining = true;
    int ask = outstanding > 0 ? 0 : Math.max(1, window);
    outstanding += ask;
    return new Credit(consumerId, ask, ask == 0 ? 0 : windowBytes, true);
  }

  /** Whether the answer to {@link #drain} is due; something else may have ended it. */
  boolean isDraining() {
    return draining;
  }

  /** The answer to {@link #drain} came. Returns the credit to go on with, or null. */
  Credit drained(int consumerId) {
    draining = false;
    outstanding = 0;
    int missing = window - waiting.size();
    if (missing <= 0) {
      return null;
    }
    outstanding = missing;
    taken = 0;
    takenBytes = 0;
    return new Credit(consumerId, missing, windowBytes, false);
  }

  /** Everything waiting goes back; what arrives until {@link #open} is void. */
  void close() {
    waiting.clear();
    outstanding = 0;
    draining = false;
    isVoid = true;
    lastReported = lastHanded;
  }

  /** A new consumer stands behind this queue: ordinals begin again. */
  void restart() {
    close();
    lastHanded = 0;
    lastReported = 0;
  }

  /** Whether the broker considers it expired; {@code brokerNow} is the time by its clock. */
  static boolean isExpired(Deliver delivery, long brokerNow) {
    long expiration = Content.of(delivery.content()).brokerExpiration();
    return expiration != 0 && expiration <= brokerNow;
  }
}
