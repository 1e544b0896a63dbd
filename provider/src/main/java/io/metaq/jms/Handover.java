package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.transport.BrokerConnection;
import io.metaq.wire.Content;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.WireException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * The moment a delivery becomes the application's: what has to be on the wire before, what is
 * remembered, and what is acknowledged after, as the session's mode has it. One per session; its
 * state is guarded by the session's lock.
 */
final class Handover {
  private static final System.Logger LOG = System.getLogger(Handover.class.getName());

  /**
   * A delivery on its way to the application.
   *
   * @param tracked whether the session remembers it as handed over and not acknowledged
   * @param report to be on the wire before, or null
   * @param credit to go out some time, or null
   */
  record Taken(
      Deliver delivery, boolean tracked, Frame report, Frame credit, List<Range> expired) {}

  private final SessionCore session;
  private final int batch;
  private final AckTracker tracker = new AckTracker();
  private final AckTracker lazy = new AckTracker();

  /** Handed over before the connection was lost, not acknowledged, and not come again yet. */
  private final AckTracker lost = new AckTracker();

  private Deliver current;
  private boolean recovered;

  /**
   * @param batch how many messages DUPS_OK acknowledges together
   */
  Handover(SessionCore session, int batch) {
    this.session = session;
    this.batch = batch;
  }

  /**
   * With the session's lock: the next delivery of a consumer that may be handed over now, or null.
   *
   * @param seen false if the application will not see it yet: {@link #handOver} follows
   */
  Taken take(ConsumerCore consumer, boolean seen) {
    if (!session.started() || session.isEnding()) {
      return null;
    }
    List<Range> expired = null;
    while (true) {
      Deliver next = consumer.queue.peek();
      if (next == null) {
        if (expired != null) {
          release(expired);
        }
        return null;
      }
      if (!DeliveryQueue.isExpired(next, session.connection().brokerNow())) {
        break;
      }
      consumer.queue.takeUnseen();
      expired = expired == null ? new ArrayList<>() : expired;
      expired.add(Range.of(next));
    }
    if (!seen) {
      Deliver unseen = consumer.queue.takeUnseen();
      return new Taken(unseen, false, null, consumer.queue.replenish(consumer.id()), expired);
    }
    Deliver delivery = consumer.queue.take();
    boolean tracked = session.mode().keepsUnacknowledged();
    Frame report = null;
    if (tracked) {
      report = consumer.queue.report(consumer.id(), delivery);
      track(delivery);
    } else {
      consumer.queue.reported();
    }
    return new Taken(delivery, tracked, report, consumer.queue.replenish(consumer.id()), expired);
  }

  private void release(List<Range> expired) {
    session.connection().broker().post(new Release(false, expired), BrokerConnection.ANY_EPOCH);
  }

  private void announce(Taken taken) {
    BrokerConnection broker = session.connection().broker();
    if (taken.expired() != null) {
      release(taken.expired());
    }
    if (taken.credit() != null) {
      broker.post(taken.credit(), BrokerConnection.ANY_EPOCH);
    }
    if (taken.report() != null) {
      broker.postNow(taken.report(), BrokerConnection.ANY_EPOCH);
    }
  }

  /**
   * Finishes a receive.
   *
   * @return null if the message went away meanwhile
   */
  MetaqMessage received(ConsumerCore consumer, Taken taken, ConsumerCore.Acceptance acceptance)
      throws JMSException {
    announce(taken);
    Deliver delivery = taken.delivery();
    MetaqMessage message = decode(delivery);
    if (message == null) {
      return null;
    }
    boolean accepted = false;
    try {
      acceptance.accept(message);
      accepted = true;
    } finally {
      if (!accepted && !taken.tracked()) {
        putBack(consumer, delivery);
      }
    }
    if (!taken.tracked()) {
      acknowledge(delivery);
    }
    return message;
  }

  /** A message that was taken and is not the application's yet. */
  record Unsettled(ConsumerCore consumer, Deliver delivery, MetaqMessage message) {}

  /** Finishes a take of a message for later. Null if the message went away meanwhile. */
  Unsettled unsettled(ConsumerCore consumer, Taken taken) throws JMSException {
    announce(taken);
    MetaqMessage message = decode(taken.delivery());
    return message == null ? null : new Unsettled(consumer, taken.delivery(), message);
  }

  /** The application gets a message, through this session, that was taken for later. */
  void handOver(Unsettled unsettled) {
    ConsumerCore consumer = unsettled.consumer();
    Deliver delivery = unsettled.delivery();
    Frame report = consumer.seen(delivery);
    session.lock.lock();
    try {
      if (session.mode().keepsUnacknowledged()) {
        track(delivery);
      }
    } finally {
      session.lock.unlock();
    }
    if (report != null) {
      session.connection().broker().postNow(report, BrokerConnection.ANY_EPOCH);
    }
    Range range = Range.of(delivery);
    unsettled.message().setAcknowledgeAction(() -> session.acknowledge(range));
  }

  /** The application is done with a message that was handed over outside of any transaction. */
  void settle(Unsettled unsettled) {
    acknowledge(unsettled.delivery());
  }

  /** Gives a message that was taken for later back. */
  void giveBack(Unsettled unsettled, boolean seen) throws JMSException {
    Range range = Range.of(unsettled.delivery());
    session.lock.lock();
    try {
      tracker.remove(range);
    } finally {
      session.lock.unlock();
    }
    session.requestVoidable(new Release(seen, List.of(range)), "Giving a message back");
  }

  private void putBack(ConsumerCore consumer, Deliver delivery) {
    session.lock.lock();
    try {
      if (delivery.consumerId() == consumer.id()) {
        consumer.queue.putBack(delivery);
      }
    } finally {
      session.lock.unlock();
    }
  }

  /** Hands a delivery to a listener, on the session's listener thread. */
  void listen(MessageListener listener, Taken taken) {
    announce(taken);
    Deliver delivery = taken.delivery();
    session.lock.lock();
    try {
      current = delivery;
      recovered = false;
    } finally {
      session.lock.unlock();
    }
    boolean failed = false;
    try {
      MetaqMessage message = decode(delivery);
      if (message != null) {
        listener.onMessage(message);
      }
    } catch (JMSException e) {
      failed = true;
      LOG.log(Level.ERROR, "A message of {0} could not be read: {1}", session, e);
      session.connection().report(e);
    } catch (RuntimeException e) {
      failed = true;
      LOG.log(Level.WARNING, "The MessageListener threw; " + afterFailure(taken), e);
    } finally {
      finishListening(taken, failed);
    }
  }

  private String afterFailure(Taken taken) {
    return taken.tracked()
        ? "the session goes on with the next message"
        : "its message comes again";
  }

  private void finishListening(Taken taken, boolean failed) {
    boolean wasRecovered;
    session.lock.lock();
    try {
      wasRecovered = recovered;
      if (taken.tracked() || !failed) {
        current = null;
      }
    } finally {
      session.lock.unlock();
    }
    if (taken.tracked() || wasRecovered) {
      clearCurrent();
    } else if (failed) {
      comeAgain();
    } else {
      acknowledge(taken.delivery());
    }
  }

  private void comeAgain() {
    try {
      session.recover();
    } catch (JMSException e) {
      LOG.log(Level.WARNING, "The message of a failed MessageListener could not be given back", e);
    } finally {
      clearCurrent();
    }
  }

  private void clearCurrent() {
    session.lock.lock();
    try {
      current = null;
    } finally {
      session.lock.unlock();
    }
  }

  private MetaqMessage decode(Deliver delivery) throws JMSException {
    MessageFactory messages = session.connection().messages();
    Content content = Content.of(delivery.content());
    Body body = Body.of(content.payload());
    if (delivery.largeBody() >= 0) {
      try {
        body =
            LargeBodies.fetch(
                session.connection().broker(), session.connection().bodies(), delivery);
      } catch (IOException e) {
        session.connection().requireLiving("Reading a large message");
        LOG.log(Level.DEBUG, "A large message went away with its connection and comes again", e);
        return null;
      }
    }
    MetaqMessage message;
    try {
      message = messages.received(content.block(), body, delivery.deliveryCount());
    } catch (WireException e) {
      throw Failures.caused(
          new JMSException("A message that arrived cannot be read: " + e.getMessage()), e);
    }
    Range range = Range.of(delivery);
    message.setAcknowledgeAction(() -> session.acknowledge(range));
    return message;
  }

  /** AUTO and DUPS_OK: the application has it. */
  private void acknowledge(Deliver delivery) {
    AckLedger ledger = session.connection().ledger();
    if (session.mode() == AckMode.DUPS_OK) {
      List<Range> due;
      session.lock.lock();
      try {
        lazy.add(delivery);
        due = lazy.count() >= batch ? lazy.take() : List.of();
      } finally {
        session.lock.unlock();
      }
      ledger.acknowledge(session.connection().broker(), due);
    } else {
      ledger.acknowledge(session.connection().broker(), List.of(Range.of(delivery)));
    }
  }

  /**
   * With the session's lock: nothing more is at hand, so what was put off for a full batch goes
   * out.
   */
  void beforeWaiting() {
    if (lazy.count() > 0) {
      session.connection().ledger().acknowledge(session.connection().broker(), lazy.take());
    }
  }

  /** What DUPS_OK has put off goes out. */
  void flushLazy() {
    List<Range> due;
    session.lock.lock();
    try {
      due = lazy.take();
    } finally {
      session.lock.unlock();
    }
    session.connection().ledger().acknowledge(session.connection().broker(), due);
  }

  private void track(Deliver delivery) {
    tracker.add(delivery);
    if (lost.count() > 0) {
      lost.remove(Range.of(delivery));
    }
  }

  /**
   * With the session's lock: forgets what a lost connection took from the application's hands and
   * has not brought again.
   *
   * @return whether there was any
   */
  boolean forgetLost() {
    boolean any = lost.count() > 0;
    lost.clear();
    return any;
  }

  /** With the session's lock: the same for one message. */
  boolean forgetLost(Range single) {
    int before = lost.count();
    if (before > 0) {
      lost.remove(single);
    }
    return lost.count() < before;
  }

  /** With the session's lock: all that is handed over and not acknowledged. */
  List<Range> takeHanded() {
    return tracker.take();
  }

  /** With the session's lock: undoes {@link #takeHanded}. */
  void putHanded(List<Range> ranges) {
    ranges.forEach(tracker::put);
  }

  /** With the session's lock. */
  void removeHanded(Range single) {
    tracker.remove(single);
  }

  /** With the session's lock. */
  boolean hasHanded() {
    return tracker.count() > 0;
  }

  /**
   * With the session's lock: what {@code recover} gives back as seen; the running listener then
   * acknowledges nothing.
   */
  List<Range> takeForRecovery() {
    lost.clear();
    List<Range> handed = new ArrayList<>(tracker.take());
    if (current != null && !session.mode().keepsUnacknowledged() && !recovered) {
      handed.add(Range.of(current));
    }
    recovered = current != null;
    return handed;
  }

  /**
   * With the session's lock: messages handed over on the lost socket come again, but for those that
   * are done with.
   */
  void connectionLost() {
    beforeWaiting();
    List<Range> open = tracker.take();
    AckMode mode = session.mode();
    if (mode == AckMode.CLIENT || mode == AckMode.INDIVIDUAL) {
      open.forEach(lost::put);
    }
  }
}
