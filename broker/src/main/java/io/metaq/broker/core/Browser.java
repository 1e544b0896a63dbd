package io.metaq.broker.core;

import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Drained;
import io.metaq.wire.RecordFormat;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * A read-only walk over a queue in consumer order, up to the end it had when the walk began. Counts
 * no delivery and holds nothing; its end is told by a {@link Drained}.
 */
final class Browser {
  private record Place(int lane, long sequence) {}

  private final Effects effects;
  private final Consumer credit;
  private final Subscription subscription;
  private final BrowseScan scan;
  private final Map<Place, Long> largeBodies = new HashMap<>();
  private boolean ended;
  boolean ready;
  boolean closed;

  Browser(Effects effects, Consumer credit, BrowseScan scan) {
    this.effects = effects;
    this.credit = credit;
    this.scan = scan;
    this.subscription = scan.subscription;
  }

  int id() {
    return credit.id;
  }

  Session session() {
    return credit.session;
  }

  Consumer credit() {
    return credit;
  }

  void close() {
    closed = true;
    credit.closed = true;
  }

  /** File of a large body it has shown, or 0. */
  long largeBody(long subscriptionId, int lane, long sequence) {
    return subscriptionId == subscription.id
        ? largeBodies.getOrDefault(new Place(lane, sequence), 0L)
        : 0;
  }

  /** More credit: a walk that is over says so again. */
  void wake() {
    ended = false;
  }

  /** One message at most; true if there is more to do at once. */
  boolean step(long now) {
    if (ended || !credit.hasCredit()) {
      return false;
    }
    Delivery next = subscription.deleted ? null : scan.peek(now);
    if (next == null) {
      if (!subscription.deleted && scan.isStopped()) {
        return scan.isUnfinished();
      }
      ended = true;
      credit.withdraw();
      effects.send(credit.session.connection.number, 0, new Drained(credit.id));
      return false;
    }
    scan.take(next);
    long expiration = RecordView.expiration(next.record);
    if (expiration == 0 || expiration > now) {
      show(next);
    }
    return true;
  }

  private void show(Delivery delivery) {
    Destination destination = subscription.destination;
    ByteBuffer record = PlainRecord.toJms(delivery.record, destination.kind, destination.name);
    ByteBuffer content = RecordFormat.body(record);
    long large = -1;
    if (RecordFormat.isLarge(record)) {
      RecordFormat.LargeBody body = Bodies.reference(record);
      large = body.length();
      largeBodies.put(new Place(delivery.lane, delivery.sequence), body.fileId());
      content = content.slice(0, content.remaining() - RecordFormat.LargeBody.SIZE);
    }
    credit.spend(content.remaining());
    int count = subscription.lane(delivery.lane).handed(delivery.sequence) + 1;
    effects.send(
        credit.session.connection.number,
        0,
        new Deliver(
            credit.id,
            subscription.id,
            delivery.lane,
            delivery.sequence,
            ++credit.ordinal,
            count,
            large,
            content));
  }
}
