package io.metaq.broker.core;

import io.metaq.broker.core.Consumer.Attachment;
import io.metaq.broker.core.Subscription.Attempts;
import io.metaq.broker.core.Subscription.LaneState;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Drained;
import io.metaq.wire.RecordFormat;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * Brings messages to consumers that have credit. Subscriptions with something to do stand in a
 * ready list and get a bounded number of steps in turn, so that one publish to ten thousand of them
 * stalls nobody.
 */
final class Dispatcher {
  private static final int STEPS_PER_TURN = 32;
  private static final int MOST_MARKED_AHEAD = 64;

  /** What the dispatcher asks of those who decide about a message on its way out. */
  interface Policy {
    /** Its time is over. */
    void expired(Delivery delivery);

    /** There is room again. */
    void room(Destination destination);
  }

  private final Effects effects;
  private final Moment moment;
  private Recorder recorder;
  private Policy policy;
  private final ArrayDeque<Subscription> ready = new ArrayDeque<>();
  private final ArrayDeque<Destination> freed = new ArrayDeque<>();
  private final ArrayDeque<Browser> browsers = new ArrayDeque<>();
  private long deliveries;

  Dispatcher(Effects effects, Moment moment) {
    this.effects = effects;
    this.moment = moment;
  }

  void connect(Recorder entries, Policy decisions) {
    this.recorder = entries;
    this.policy = decisions;
  }

  long deliveries() {
    return deliveries;
  }

  /** A message came or came back. */
  void arrived(Subscription subscription) {
    if (!subscription.scans.isEmpty()) {
      subscription.scans.values().forEach(Scan::wake);
      ready(subscription);
    }
  }

  void ready(Subscription subscription) {
    if (!subscription.ready && !subscription.deleted && !subscription.ring.isEmpty()) {
      subscription.ready = true;
      ready.add(subscription);
    }
  }

  void ready(Browser browser) {
    if (!browser.ready && !browser.closed) {
      browser.ready = true;
      browsers.add(browser);
    }
  }

  /**
   * There is room in a destination, or it ends: those who wait for it are looked after with the
   * next work, since this may be in the middle of applying an entry.
   */
  void room(Destination destination) {
    if (!destination.blocked.isEmpty() && !destination.freed) {
      destination.freed = true;
      freed.add(destination);
    }
  }

  void ended(Subscription subscription) {
    subscription.deleted = true;
  }

  /** Does so many steps at most; true if there is more to do. */
  boolean work(int steps) {
    int left = steps;
    Destination roomy;
    while ((roomy = freed.poll()) != null) {
      roomy.freed = false;
      policy.room(roomy);
    }
    while (left > 0 && !ready.isEmpty()) {
      Subscription subscription = ready.poll();
      subscription.ready = false;
      int turn = Math.min(left, STEPS_PER_TURN);
      left -= turn(subscription, turn);
    }
    while (left > 0 && !browsers.isEmpty()) {
      Browser browser = browsers.poll();
      browser.ready = false;
      left--;
      if (!browser.closed && browser.step(moment.now())) {
        ready(browser);
      }
    }
    return !ready.isEmpty() || !browsers.isEmpty() || !freed.isEmpty();
  }

  private int turn(Subscription subscription, int steps) {
    int done = 0;
    while (done < steps && !subscription.deleted) {
      done++;
      if (!step(subscription)) {
        finishDrains(subscription);
        return done;
      }
    }
    ready(subscription);
    return done;
  }

  /** One delivery at most; false if there is nothing to do for now. */
  private boolean step(Subscription subscription) {
    long now = moment.now();
    boolean[] unfinished = new boolean[1];
    Consumer exclusive = subscription.exclusive();
    Predicate<Attachment> wants =
        candidate -> {
          if (exclusive != null && candidate.consumer != exclusive) {
            return false;
          }
          Delivery next = MessageGroups.next(candidate, now);
          unfinished[0] |= candidate.scan.isUnfinished();
          return next != null;
        };
    Attachment taker = subscription.ring.take(wants);
    if (taker == null) {
      if (unfinished[0]) {
        ready(subscription);
      }
      return false;
    }
    Delivery delivery = MessageGroups.next(taker, now);
    MessageGroups.take(taker, delivery);
    long expiration = RecordView.expiration(delivery.record);
    if (expiration != 0 && expiration <= now) {
      policy.expired(delivery);
    } else {
      deliver(taker.consumer, delivery);
    }
    return true;
  }

  private void deliver(Consumer consumer, Delivery delivery) {
    Subscription subscription = delivery.subscription;
    LaneState lane = subscription.lane(delivery.lane);
    if (subscription.isJournaled(delivery.lane) && delivery.sequence >= lane.marked) {
      long ahead = Math.min(MOST_MARKED_AHEAD, 1 + lane.out.size());
      // Nothing may be seen by an application before it is durable that it may have been.
      recorder.record(
          new Entry.Dispatched(
              subscription.destination.id,
              subscription.id,
              delivery.lane,
              delivery.sequence + ahead),
          true);
    }
    int handed = lane.handed(delivery.sequence);
    if (handed > 0
        && subscription.isJournaled(delivery.lane)
        && !lane.isKnownOut(delivery.sequence)) {
      recorder.record(count(delivery, handed, Attempts.OUT), true);
    }
    lane.out.put(delivery.sequence, delivery);
    delivery.consumer = consumer;
    delivery.ordinal = ++consumer.ordinal;
    consumer.session.add(delivery);
    deliveries++;
    ByteBuffer record = delivery.record;
    delivery.record = null;
    send(consumer, delivery, handed + 1, record);
    if (consumer.draining && consumer.isSpent()) {
      drained(consumer);
    }
  }

  /** How often it was handed to an application, as a fact. */
  static Entry.Counted count(Delivery delivery, int handed, long notBefore) {
    return new Entry.Counted(
        delivery.subscription.destination.id,
        delivery.subscription.id,
        delivery.lane,
        delivery.sequence,
        handed,
        notBefore);
  }

  private void send(Consumer consumer, Delivery delivery, int count, ByteBuffer stored) {
    Destination destination = delivery.subscription.destination;
    ByteBuffer record = PlainRecord.toJms(stored, destination.kind, destination.name);
    ByteBuffer content = RecordFormat.body(record);
    long large = -1;
    if (RecordFormat.isLarge(record)) {
      RecordFormat.LargeBody body = Bodies.reference(record);
      large = body.length();
      delivery.largeBody = body.fileId();
      content = content.slice(0, content.remaining() - RecordFormat.LargeBody.SIZE);
    }
    consumer.spend(content.remaining());
    Deliver frame =
        new Deliver(
            consumer.id,
            delivery.subscription.id,
            delivery.lane,
            delivery.sequence,
            delivery.ordinal,
            count,
            large,
            content);
    if (delivery.lane < 0) {
      effects.sendNow(consumer.session.connection.number, 0, frame);
    } else {
      effects.send(consumer.session.connection.number, 0, frame);
    }
  }

  private void finishDrains(Subscription subscription) {
    if (subscription.drains > 0) {
      for (Attachment attachment : java.util.List.copyOf(subscription.attachments)) {
        if (attachment.consumer.draining) {
          finishDrain(attachment.consumer);
        }
      }
    }
  }

  /** A consumer asks for the end of what there is. */
  void drain(Consumer consumer) {
    boolean busy = false;
    for (Attachment attachment : consumer.attachments) {
      busy |= attachment.subscription.ready;
    }
    if (!busy) {
      finishDrain(consumer);
    }
  }

  /** Answers a drain if nothing more can come for it. */
  private void finishDrain(Consumer consumer) {
    if (!consumer.isSpent()) {
      for (Attachment attachment : consumer.attachments) {
        Consumer exclusive = attachment.subscription.exclusive();
        boolean othersTurn = exclusive != null && exclusive != consumer;
        if (!othersTurn && !nothingFor(attachment)) {
          return;
        }
      }
    }
    drained(consumer);
  }

  private boolean nothingFor(Attachment attachment) {
    return MessageGroups.next(attachment, moment.now()) == null && !attachment.scan.isStopped();
  }

  private void drained(Consumer consumer) {
    for (Attachment attachment : consumer.attachments) {
      attachment.subscription.drains--;
    }
    consumer.withdraw();
    effects.send(consumer.session.connection.number, 0, new Drained(consumer.id));
  }
}
