package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.ConnectionLostException;
import io.metaq.transport.RequestRefusedException;
import io.metaq.transport.Resumption;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Drained;
import io.metaq.wire.MessageFrames.Handed;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.StopConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.io.IOException;
import java.util.concurrent.locks.Condition;

/**
 * A consumer behind its API objects: stands at the broker under an id, changes it with every
 * reconnect, and takes deliveries for receivers or for the session's listener thread.
 */
final class ConsumerCore implements DeliverySink {
  /** Waits without limit. */
  static final long FOREVER = Long.MAX_VALUE;

  private final SessionCore session;
  private final ConsumerSpec spec;
  private final Condition changed;
  final DeliveryQueue queue;
  private volatile int id;
  private volatile boolean closed;
  private boolean standing;
  private int receiving;
  private MessageListener listener;
  private JMSException failure;
  private Credit afterDrain;

  ConsumerCore(SessionCore session, ConsumerSpec spec, int prefetch, int prefetchBytes) {
    this.session = session;
    this.spec = spec;
    this.queue = new DeliveryQueue(prefetch, prefetchBytes);
    this.changed = session.lock.newCondition();
  }

  ConsumerSpec spec() {
    return spec;
  }

  int id() {
    return id;
  }

  boolean isClosed() {
    return closed;
  }

  void requireOpen() throws IllegalStateException {
    session.requireOpen();
    if (closed) {
      throw Failures.closed("consumer on " + spec.destination());
    }
  }

  // ---- life at the broker

  long closeDeadline() {
    return session.connection().closeDeadline();
  }

  /** Makes the consumer at the broker, again if the connection breaks meanwhile. */
  void create() throws JMSException {
    ConnectionCore connection = session.connection();
    BrokerConnection broker = connection.broker();
    try {
      while (true) {
        long epoch = broker.awaitOpen();
        id = connection.register(this);
        queue.restart();
        try {
          broker.requestOnce(spec.frame(id, session.id()), epoch);
        } catch (ConnectionLostException e) {
          connection.unregister(id);
          if (e.isFinal()) {
            throw e;
          }
          continue;
        }
        if (connection.establish(epoch, () -> session.consumerStands(this))) {
          return;
        }
        connection.unregister(id);
      }
    } catch (RequestRefusedException e) {
      connection.unregister(id);
      throw Failures.refused(spec.doing(), e);
    } catch (IOException e) {
      throw Failures.lost(spec.doing(), e);
    }
  }

  /**
   * With the session's lock: the broker has the consumer. Returns the credit to give it, or null.
   */
  Credit stands(boolean started) {
    standing = true;
    return started ? open() : null;
  }

  /** With the session's lock: deliveries may flow (again). Returns the credit to give, or null. */
  Credit open() {
    if (closed || !standing) {
      return null;
    }
    Credit credit = queue.open(id);
    if (credit == null && (receiving > 0 || listener != null)) {
      credit = queue.single(id);
    }
    return credit;
  }

  /** With the session's lock: the socket broke. */
  void connectionLost() {
    session.connection().unregister(id);
    id = 0;
    queue.restart();
  }

  /** Makes the consumer on a new socket. */
  void resume(Resumption resumption) throws IOException {
    if (closed) {
      return;
    }
    int next = session.connection().register(this);
    id = next;
    try {
      resumption.request(spec.frame(next, session.id()));
    } catch (RequestRefusedException e) {
      fail(Failures.refused(spec.doing() + " again after a reconnect", e));
      return;
    }
    Credit credit;
    session.lock.lock();
    try {
      credit = session.started() ? open() : null;
      session.signalAll(changed); // receivers without prefetch ask again
    } finally {
      session.lock.unlock();
    }
    if (closed) { // meanwhile, without knowing this id
      resumption.post(new CloseConsumer(next, 0));
      session.connection().unregister(next);
    }
    if (credit != null) {
      resumption.post(credit);
    }
  }

  /** The consumer does not exist any more, for a reason its user has to hear. */
  private void fail(JMSException cause) {
    boolean hasListener;
    session.lock.lock();
    try {
      failure = cause;
      hasListener = listener != null;
      session.signalAll(changed);
    } finally {
      session.lock.unlock();
    }
    if (hasListener) {
      session.connection().report(cause);
    }
  }

  /** With the session's lock: receivers look at the state again. */
  void wakeReceivers() {
    session.signalAll(changed);
  }

  /**
   * Ends the consumer: receivers get null, what they have not seen goes back. Waits for its running
   * listener, unless called from it.
   */
  void close(long deadlineNanos) throws JMSException {
    int closing;
    long handed;
    session.lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      closing = id;
      queue.close();
      session.signalAll(changed);
      session.dispatcher().awaitIdle(this, deadlineNanos);
      while (receiving > 0 && awaitChange(deadlineNanos)) {
        // those who receive leave as soon as they see the state
      }
      handed = queue.lastHanded();
    } finally {
      session.lock.unlock();
    }
    session.consumerClosed(this);
    try {
      if (closing != 0) {
        session.connection().requestAtEnd(new CloseConsumer(closing, handed), deadlineNanos);
      }
    } catch (RequestRefusedException e) {
      throw Failures.refused("Closing the consumer on " + spec.destination(), e);
    } catch (IOException e) {
      session
          .connection()
          .ignoredAtClose(
              "The consumer on " + spec.destination() + " ended with its connection", e);
    } finally {
      session.connection().unregister(closing);
    }
  }

  /** Ends with its session, which tells the broker for all of its consumers. */
  void endWith(long deadlineNanos) {
    Handed report;
    session.lock.lock();
    try {
      closed = true;
      report = id == 0 ? null : queue.finalReport(id);
      queue.close();
      session.signalAll(changed);
      while (receiving > 0 && awaitChange(deadlineNanos)) {
        // those who receive leave as soon as they see the state
      }
    } finally {
      session.lock.unlock();
    }
    if (report != null) {
      session.connection().broker().post(report, BrokerConnection.ANY_EPOCH);
    }
  }

  private boolean awaitChange(long deadlineNanos) {
    try {
      return changed.awaitNanos(deadlineNanos - System.nanoTime()) > 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * With the session's lock held, which is given up meanwhile: gives what was sent ahead back to
   * the broker.
   */
  StopConsumer stop() {
    long handed = queue.lastHanded();
    queue.close();
    return standing && !closed && id != 0 ? new StopConsumer(id, handed) : null;
  }

  // ---- listeners

  MessageListener listener() {
    session.lock.lock();
    try {
      return listener;
    } finally {
      session.lock.unlock();
    }
  }

  void listener(MessageListener to) throws JMSException {
    requireOpen();
    Credit credit = null;
    session.lock.lock();
    try {
      if (to != null && receiving > 0) {
        throw new IllegalStateException(
            "The consumer on " + spec.destination() + " is receiving synchronously");
      }
      boolean first = listener == null && to != null;
      listener = to;
      if (first) {
        session.dispatcher().ready(this, queue.size());
        credit = session.started() && standing ? queue.single(id) : null;
      }
    } finally {
      session.lock.unlock();
    }
    post(credit);
  }

  /** A delivery came in; on the reader thread. */
  @Override
  public void deliver(Deliver delivery) {
    session.lock.lock();
    try {
      if (delivery.consumerId() != id || !queue.arrived(delivery)) {
        return;
      }
      if (listener != null) {
        session.dispatcher().ready(this, 1);
      } else {
        session.signal(changed);
      }
    } finally {
      session.lock.unlock();
    }
  }

  @Override
  public void drained(Drained drained) {
    session.lock.lock();
    try {
      if (drained.consumerId() == id && queue.isDraining()) {
        afterDrain = queue.drained(id);
        session.signalAll(changed);
      }
    } finally {
      session.lock.unlock();
    }
  }

  MessageListener lockedListener() {
    return listener;
  }

  private void post(Credit credit) {
    if (credit != null) {
      session.connection().broker().postNow(credit, BrokerConnection.ANY_EPOCH);
    }
  }

  // ---- receiving

  /**
   * Whether a receiver accepts a message; asked before it counts as handed over where the mode
   * allows.
   */
  @FunctionalInterface
  interface Acceptance {
    void accept(MetaqMessage message) throws JMSException;
  }

  /**
   * The next message.
   *
   * @param timeoutNanos 0 = what is there now, {@link #FOREVER} = no limit
   * @return null if the time passed, or the consumer was closed
   */
  MetaqMessage receive(long timeoutNanos, Acceptance acceptance) throws JMSException {
    session.beginReceive();
    return next(timeoutNanos, true, taken -> session.handover().received(this, taken, acceptance));
  }

  /** As {@link #receive}, but the application does not see the message yet. */
  Handover.Unsettled take(long timeoutNanos) throws JMSException {
    return next(timeoutNanos, false, taken -> session.handover().unsettled(this, taken));
  }

  /** As {@link #take}, of what is here already. */
  Handover.Unsettled takeWaiting() throws JMSException {
    Handover.Taken taken;
    session.lock.lock();
    try {
      taken = session.handover().take(this, false);
    } finally {
      session.lock.unlock();
    }
    return taken == null ? null : session.handover().unsettled(this, taken);
  }

  /** What becomes of a delivery; null if it went away meanwhile. */
  private interface Finish<T> {
    T of(Handover.Taken taken) throws JMSException;
  }

  private <T> T next(long timeoutNanos, boolean seen, Finish<T> finish) throws JMSException {
    requireOpen();
    enter();
    try {
      long deadline = timeoutNanos == FOREVER ? FOREVER : System.nanoTime() + timeoutNanos;
      while (true) {
        Handover.Taken taken = await(deadline, seen);
        if (taken == null
            && !closed
            && timeoutNanos != FOREVER
            && (timeoutNanos == 0 || !queue.sendsAhead())) {
          taken = askBroker(seen);
        }
        if (taken == null) {
          return null;
        }
        T result = finish.of(taken);
        if (result != null) {
          return result;
        }
      }
    } finally {
      leave();
    }
  }

  /** A delivery taken before is handed over now. Returns the report that must go first, or null. */
  Handed seen(Deliver delivery) {
    session.lock.lock();
    try {
      if (delivery.consumerId() != id) {
        return null;
      }
      Handed report = queue.report(id, delivery);
      queue.seen(delivery);
      return report;
    } finally {
      session.lock.unlock();
    }
  }

  private void enter() throws JMSException {
    session.lock.lock();
    try {
      if (listener != null) {
        throw new IllegalStateException(
            "The consumer on " + spec.destination() + " has a MessageListener");
      }
      receiving++;
    } finally {
      session.lock.unlock();
    }
  }

  private void leave() {
    session.lock.lock();
    try {
      receiving--;
      if (closed) {
        session.signalAll(changed);
      }
    } finally {
      session.lock.unlock();
    }
  }

  private Handover.Taken await(long deadline, boolean seen) throws JMSException {
    while (true) {
      Credit credit;
      session.lock.lock();
      try {
        Handover.Taken taken = session.handover().take(this, seen);
        if (taken != null || closed) {
          return taken;
        }
        requireLiving();
        long left = deadline == FOREVER ? FOREVER : deadline - System.nanoTime();
        if (left <= 0) {
          session.handover().beforeWaiting();
          return null;
        }
        credit = session.started() && standing && id != 0 ? queue.single(id) : null;
        if (credit == null) {
          session.handover().beforeWaiting();
          session.await(changed, left);
          continue;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Failures.caused(
            new JMSException("The thread was interrupted while it waited for a message"), e);
      } finally {
        session.lock.unlock();
      }
      post(credit);
    }
  }

  private void requireLiving() throws JMSException {
    if (failure != null) {
      throw Failures.caused(
          new JMSException(failure.getMessage(), failure.getErrorCode()), failure);
    }
    session.connection().requireLiving("Receiving from " + spec.destination());
  }

  /**
   * Nothing came in time: has the broker something now? Also takes credit back that a late message
   * could use.
   */
  private Handover.Taken askBroker(boolean seen) throws JMSException {
    Credit drain;
    int asked;
    session.lock.lock();
    try {
      asked = id;
      if (!session.started() || asked == 0 || !standing || closed) {
        return null;
      }
      drain = queue.drain(asked);
    } finally {
      session.lock.unlock();
    }
    post(drain);
    Credit credit = null;
    Handover.Taken taken;
    session.lock.lock();
    try {
      while (asked == id && queue.isDraining() && !closed) {
        session.connection().requireLiving("Receiving from " + spec.destination());
        session.await(changed, FOREVER);
      }
      credit = afterDrain;
      afterDrain = null;
      taken = closed ? null : session.handover().take(this, seen);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.caused(
          new JMSException("The thread was interrupted while it waited for a message"), e);
    } finally {
      session.lock.unlock();
    }
    post(credit);
    return taken;
  }
}
