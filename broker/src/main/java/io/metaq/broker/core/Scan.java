package io.metaq.broker.core;

import io.metaq.broker.core.Subscription.Attempts;
import io.metaq.broker.core.Subscription.LaneState;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Finds the next message of a subscription for one selector. It remembers how far it has looked, so
 * that a match behind a million others is searched for once, and steps back for messages that were
 * taken and come back.
 */
class Scan {
  private static final int STEPS = 512;

  final Subscription subscription;
  private final Predicate<ByteBuffer> filter;
  private final ScanContext context;
  private final PriorityCursor[][] cursors;
  private final CorrelationCursor[] correlated;
  private final int correlation;
  private final TreeSet<Delivery> returned = new TreeSet<>();
  private int users;
  private boolean exhausted;
  private boolean waiting;
  private boolean unfinished;
  private int steps;
  private long now;

  /** {@code filter} null = every message. */
  Scan(Subscription subscription, Predicate<ByteBuffer> filter, ScanContext context) {
    this(subscription, filter, context, null);
  }

  /** {@code correlationId} = the one every match has, or null. */
  Scan(
      Subscription subscription,
      Predicate<ByteBuffer> filter,
      ScanContext context,
      String correlationId) {
    this.subscription = subscription;
    this.filter = filter;
    this.context = context;
    this.cursors = new PriorityCursor[subscription.laneCount()][];
    this.correlated =
        correlationId == null ? null : new CorrelationCursor[subscription.laneCount()];
    this.correlation = correlationId == null ? 0 : CorrelationIndex.hash(correlationId);
  }

  void use() {
    users++;
  }

  void unuse() {
    users--;
  }

  boolean isUnused() {
    return users == 0;
  }

  /** Something came or came back: it is worth looking again. */
  void wake() {
    exhausted = false;
  }

  /** Whether the last {@link #peek} found that there is nothing. */
  boolean isExhausted() {
    return exhausted;
  }

  /** Whether the last {@link #peek} stopped because it had worked long enough. */
  boolean isUnfinished() {
    return unfinished;
  }

  /** The next message, or null: then it is exhausted, waits for a read, or is unfinished. */
  Delivery peek(long time) {
    if (exhausted) {
      return null;
    }
    now = time;
    waiting = false;
    unfinished = false;
    steps = STEPS;
    Delivery best = returnedHead();
    for (int lane = 0; lane < cursors.length && !isStopped(); lane++) {
      Delivery head = head(lane);
      if (head != null && (best == null || head.compareTo(best) < 0)) {
        best = head;
      }
    }
    if (isStopped()) {
      return null;
    }
    exhausted = best == null;
    return best;
  }

  private Delivery head(int index) {
    Lane lane = subscription.destination.lane(index - 1);
    if (lane.next == lane.first) {
      return null;
    }
    if (correlated != null) {
      Delivery reply = replyHead(index, lane);
      if (reply != null || waiting) {
        return reply;
      }
    }
    if (cursors[index] == null) {
      cursors[index] = new PriorityCursor[PriorityIndex.HIGHEST + 1];
    }
    PriorityCursor[] ofLane = cursors[index];
    for (int priority = PriorityIndex.HIGHEST; priority >= 0; priority--) {
      if (ofLane[priority] != null || lane.priorities.has(priority)) {
        if (ofLane[priority] == null) {
          long from = subscription.lane(lane.number).acked.watermark();
          ofLane[priority] = new PriorityCursor(this, lane, priority, from);
        }
        Delivery head = ofLane[priority].head();
        if (head != null || isStopped()) {
          return head;
        }
      }
    }
    return null;
  }

  private Delivery replyHead(int index, Lane lane) {
    if (correlated[index] == null) {
      correlated[index] = new CorrelationCursor(this, lane, correlation);
    }
    return correlated[index].head();
  }

  /** Where looking message by message ends: what is behind it is found by an index. */
  long end(Lane lane) {
    return correlated == null ? lane.next : Math.min(lane.next, lane.correlations.from());
  }

  private Delivery returnedHead() {
    while (!returned.isEmpty()) {
      Delivery delivery = returned.first();
      if (!isFree(delivery)) {
        returned.pollFirst();
        continue;
      }
      if (delivery.record == null && !fetch(delivery)) {
        return null;
      }
      if (delivery.record != null) {
        return delivery;
      }
    }
    return null;
  }

  /**
   * Gets the record of a message that came back; it leaves the set if it isn't for this selector.
   */
  private boolean fetch(Delivery delivery) {
    Lane lane = subscription.destination.lane(delivery.lane);
    ByteBuffer record = lane.record(delivery.sequence);
    if (record != null) {
      if (matches(record)) {
        delivery.found(record);
      } else {
        returned.remove(delivery);
      }
      return true;
    }
    if (!lane.isDurable()) {
      returned.remove(delivery);
      return true;
    }
    long sequence = delivery.sequence;
    waiting = true;
    if (!delivery.fetching) {
      delivery.fetching = true;
      read(
          delivery.lane,
          sequence,
          sequence + 1,
          null,
          1,
          Integer.MAX_VALUE,
          1,
          result -> {
            delivery.fetching = false;
            result.dead().forEach(dead -> dead(delivery.lane, dead));
            if (!result.records().isEmpty()) {
              delivery.found(result.records().get(0).bytes());
            } else if (result.scannedTo() > sequence) {
              returned.remove(delivery);
            }
          });
    }
    return false;
  }

  /** The message is taken by a consumer: it leaves the scan until it comes back. */
  void take(Delivery delivery) {
    if (!returned.isEmpty() && returned.first() == delivery) {
      returned.pollFirst();
    } else if (correlated == null || !correlated[delivery.lane + 1].poll(delivery)) {
      cursors[delivery.lane + 1][delivery.priority].poll();
    }
  }

  /** A message that was out is free again. */
  void giveBack(Delivery delivery) {
    exhausted = false;
    returned.add(
        new Delivery(
            subscription,
            delivery.lane,
            delivery.sequence,
            delivery.priority,
            delivery.messageId,
            delivery.size));
  }

  /** Whether the selector lets a message pass that another scan found. */
  boolean takes(Delivery delivery) {
    return filter == null || filter.test(delivery.record);
  }

  /** Whether the last {@link #peek} ended for lack of records or steps, and not of messages. */
  boolean isStopped() {
    return waiting || unfinished;
  }

  boolean isFree(Delivery delivery) {
    return isFree(delivery.lane, delivery.sequence);
  }

  boolean isFree(int lane, long sequence) {
    return subscription.lane(lane).isFree(sequence);
  }

  /** A taken message was met: where to look next. */
  long passTaken(int lane, long sequence) {
    return Math.max(sequence + 1, subscription.lane(lane).acked.nextAbsent(sequence));
  }

  boolean matches(ByteBuffer record) {
    if (filter == null) {
      return true;
    }
    context.evaluated();
    return filter.test(record);
  }

  boolean spend() {
    unfinished |= --steps < 0;
    return !unfinished;
  }

  void waitForRead() {
    waiting = true;
  }

  /** A cursor found a message: it is next in line unless it rests before its redelivery. */
  void found(Delivery delivery, ArrayDeque<Delivery> ahead) {
    LaneState lane = subscription.lane(delivery.lane);
    Attempts attempts = lane.attempts.isEmpty() ? null : lane.attempts.get(delivery.sequence);
    if (attempts != null && attempts.notBefore() > now) {
      context.rest(delivery, attempts.notBefore());
    } else {
      ahead.add(delivery);
    }
  }

  /** On a topic what doesn't match is done with; on a queue it is for others. */
  void passOver(int lane, long first, long last) {
    if (!subscription.destination.kind.isQueue()) {
      context.skipped(subscription, lane, first, last);
    }
  }

  void dead(int lane, ReadResult.Dead dead) {
    context.dead(subscription, lane, dead);
  }

  void read(
      int lane,
      long from,
      long end,
      long[] wanted,
      int maxRecords,
      int maxBytes,
      int maxScanned,
      Consumer<ReadResult> then) {
    context.read(
        token ->
            new ReadRequest(
                token,
                subscription.destination.id,
                lane,
                from,
                end,
                wanted,
                filter,
                maxRecords,
                maxBytes,
                maxScanned),
        result -> {
          then.accept(result);
          exhausted = false;
          wakeOthers();
        });
  }

  /** A read is done: who waits for this scan may go on. */
  void wakeOthers() {
    context.wake(subscription);
  }
}
