package io.metaq.broker.core;

import io.metaq.broker.core.Consumer.Attachment;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A consumer group with broker-kept state over the lanes of one destination: what it is done with,
 * what is out with consumers, how often each message was handed over. One duty of several stands
 * elsewhere: {@link Scan} finds what comes next, {@link ConsumerRing} who gets it.
 */
final class Subscription {
  /** State per lane of the destination. */
  static final class LaneState {
    final AckSet acked;
    final LongMap<Delivery> out = new LongMap<>();
    final LongMap<Attempts> attempts = new LongMap<>();

    /** Messages below may have been dispatched before an unclean end. */
    long suspectBelow;

    /** The last {@link Entry.Dispatched} mark. */
    long marked;

    LaneState(AckSet acked) {
      this.acked = acked;
    }

    /** How often the application was handed this message before. */
    int handed(long sequence) {
      Attempts made = attempts.get(sequence);
      return made != null ? made.count() : sequence < suspectBelow ? 1 : 0;
    }

    /** Whether it is durable that the message is out once more. */
    boolean isKnownOut(long sequence) {
      Attempts made = attempts.get(sequence);
      return made != null && made.isOut();
    }

    /** After an unclean end: what came again and was out then may have been seen once more. */
    void countWhatWasOut() {
      for (long sequence : attempts.keys()) {
        Attempts made = attempts.get(sequence);
        if (made.isOut()) {
          boolean isHeld = out.get(sequence) != null; // by a branch, which tells when it ends
          attempts.put(sequence, new Attempts(made.count() + (isHeld ? 0 : 1), 0));
        }
      }
    }

    boolean isFree(long sequence) {
      return !acked.contains(sequence) && out.get(sequence) == null;
    }
  }

  /** Persisted delivery count of a message, and until when it rests. */
  record Attempts(int count, long notBefore) {
    /** Instead of a time: it is out once more, and after an unclean end may have been seen. */
    static final long OUT = -1;

    boolean isOut() {
      return notBefore == OUT;
    }
  }

  final long id;
  final Destination destination;

  /** The {@link DurablePattern} of which it is the part on this topic; 0 if it is none's. */
  final long patternId;

  /** Whether its state is journaled: queues and durable subscriptions. */
  final boolean durable;

  final boolean shared;
  final String clientId;
  final String name;
  final String selector;
  final boolean noLocal;
  final List<Attachment> attachments = new ArrayList<>();
  final ConsumerRing ring = new ConsumerRing();
  final TreeMap<String, Scan> scans = new TreeMap<>();

  /** Which consumer has which slot of message groups; null until there are any. */
  Attachment[] groups;

  /** Whether it stands in the dispatcher's ready list. */
  boolean ready;

  boolean deleted;

  /** How many of its consumers wait for the end of a drain. */
  int drains;

  /** Transactions hold so many of its messages. */
  int held;

  /** Prepared branches hold so many of its messages. */
  int pins;

  private Consumer exclusive;
  private final LaneState[] lanes;

  Subscription(
      long id,
      Destination destination,
      long patternId,
      boolean durable,
      boolean shared,
      String clientId,
      String name,
      String selector,
      boolean noLocal) {
    this.id = id;
    this.destination = destination;
    this.patternId = patternId;
    this.durable = durable;
    this.shared = shared;
    this.clientId = clientId;
    this.name = name;
    this.selector = selector;
    this.noLocal = noLocal;
    this.lanes = new LaneState[destination.laneCount()];
    for (int i = 0; i < lanes.length; i++) {
      lanes[i] = new LaneState(new AckSet(destination.lane(i - 1).next));
    }
  }

  /** A number that came from a client may be none of the lanes: null then. */
  LaneState lane(int number) {
    return number < -1 || number >= lanes.length - 1 ? null : lanes[number + 1];
  }

  int laneCount() {
    return lanes.length;
  }

  /** For a queue's own subscription and one restored: begins where it is told. */
  void startAt(int lane, long sequence) {
    lanes[lane + 1] = new LaneState(new AckSet(sequence));
  }

  boolean isJournaled(int lane) {
    return durable && lane >= 0;
  }

  /** The one consumer that gets everything, if any asked to be it: the oldest. */
  Consumer exclusive() {
    return exclusive;
  }

  void attach(Attachment attachment) {
    attachments.add(attachment);
    attachment.scan.use();
    electExclusive();
  }

  void detach(Attachment attachment) {
    attachments.remove(attachment);
    ring.remove(attachment);
    attachment.scan.unuse();
    electExclusive();
  }

  private void electExclusive() {
    exclusive = null;
    for (Attachment attachment : attachments) {
      if (attachment.consumer.exclusive
          && (exclusive == null || attachment.consumer.priority > exclusive.priority)) {
        exclusive = attachment.consumer;
      }
    }
  }

  boolean hasConsumers() {
    return !attachments.isEmpty();
  }

  /** Messages that are not done with, those that are out included. */
  long depth() {
    long depth = 0;
    for (int i = 0; i < lanes.length; i++) {
      depth += lanes[i].acked.missing(0, destination.lane(i - 1).next - 1);
    }
    return depth;
  }

  long inFlight() {
    long out = 0;
    for (LaneState lane : lanes) {
      out += lane.out.size();
    }
    return out;
  }

  void encode(WireWriter out) {
    out.i64(id)
        .i64(patternId)
        .bool(shared)
        .string(clientId)
        .string(name)
        .string(selector)
        .bool(noLocal);
    out.i32(lanes.length - 1);
    for (int i = 1; i < lanes.length; i++) {
      LaneState lane = lanes[i];
      lane.acked.encode(out);
      out.i64(lane.marked).i32(lane.attempts.size());
      for (long sequence : lane.attempts.keys()) {
        Attempts made = lane.attempts.get(sequence);
        out.i64(sequence).i32(made.count()).i64(made.notBefore());
      }
    }
  }

  static Subscription decode(WireReader in, Destination destination) {
    Subscription subscription =
        new Subscription(
            in.i64(),
            destination,
            in.i64(),
            true,
            in.bool(),
            in.string(),
            in.string(),
            in.string(),
            in.bool());
    int count = in.i32();
    for (int i = 1; i <= count; i++) {
      LaneState lane = new LaneState(AckSet.decode(in));
      lane.marked = in.i64();
      int attempts = in.i32();
      for (int k = 0; k < attempts; k++) {
        lane.attempts.put(in.i64(), new Attempts(in.i32(), in.i64()));
      }
      subscription.lanes[i] = lane;
    }
    return subscription;
  }
}
