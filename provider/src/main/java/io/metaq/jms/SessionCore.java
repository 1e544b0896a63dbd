package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.ConnectionLostException;
import io.metaq.transport.RequestRefusedException;
import io.metaq.transport.Resumption;
import io.metaq.wire.ConnectionFrames.CloseSession;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Recover;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.SubscriptionFrames.StopConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A session behind its API objects: its consumers, its life, and what recovery means for all of
 * them together. Sending, handing over, dispatching to listeners and transactions stand in classes
 * of their own.
 *
 * <p>One lock guards what deliveries touch; no request is made while it is held.
 */
final class SessionCore {
  final ReentrantLock lock = new ReentrantLock();
  private final Condition serverIdle = lock.newCondition();
  private final ConnectionCore connection;
  private final int id;
  private final AckMode mode;
  private final List<ConsumerCore> consumers = new CopyOnWriteArrayList<>();
  private final SessionDispatcher dispatcher;
  private final Handover handover;
  private final SessionSender sender;
  private final SessionTransaction transaction;
  private volatile XaAssociation association;
  private volatile boolean started;
  private volatile boolean takesFromOthers;
  private volatile boolean ending;
  private Thread serverThread;
  private volatile boolean closed;
  private volatile long signals;

  SessionCore(ConnectionCore connection, int id, AckMode mode, boolean started) {
    this.connection = connection;
    this.id = id;
    this.mode = mode;
    this.started = started;
    this.dispatcher = new SessionDispatcher(this);
    this.handover = new Handover(this, connection.options().acknowledgeBatch());
    this.transaction = new SessionTransaction(this);
    this.sender = new SessionSender(this);
  }

  ConnectionCore connection() {
    return connection;
  }

  int id() {
    return id;
  }

  /** The mode that counts now: an XA session acknowledges by itself outside of branches. */
  AckMode mode() {
    XaAssociation xa = association;
    return xa == null ? mode : xa.mode();
  }

  SessionDispatcher dispatcher() {
    return dispatcher;
  }

  Handover handover() {
    return handover;
  }

  SessionSender sender() {
    return sender;
  }

  SessionTransaction transaction() {
    return transaction;
  }

  /** Makes this the core of an XA session. */
  XaAssociation associate() {
    association = new XaAssociation(this);
    return association;
  }

  /** Null for a session that is none of XA. */
  XaAssociation association() {
    return association;
  }

  boolean started() {
    return started;
  }

  /** Whether no delivery is to be handed over any more. */
  boolean isEnding() {
    return ending;
  }

  boolean isClosed() {
    return closed;
  }

  void requireOpen() throws IllegalStateException {
    if (closed) {
      throw Failures.closed("session");
    }
  }

  void beginReceive() throws JMSException {
    XaAssociation xa = association;
    if (xa != null) {
      xa.requireUsable("Receiving");
    }
  }

  /** For what must not be called from a callback of this session. */
  void requireNotInCallback(String what) throws IllegalStateException {
    if (dispatcher.isCurrentThread()) {
      throw new IllegalStateException(
          what + " must not be called from a MessageListener of the session");
    }
    requireNotInCompletion(what);
  }

  /** For what a MessageListener may do and a CompletionListener may not. */
  void requireNotInCompletion(String what) throws IllegalStateException {
    if (sender.isCallbackThread()) {
      throw new IllegalStateException(
          what + " must not be called from a CompletionListener of the session");
    }
  }

  // ---- consumers

  ConsumerCore createConsumer(ConsumerSpec spec) throws JMSException {
    requireOpen();
    ClientOptions options = connection.options();
    ConsumerCore consumer =
        new ConsumerCore(this, spec, options.prefetch(), options.prefetchBytes());
    consumer.create();
    return consumer;
  }

  /** The broker has the consumer: from now on reconnects make it again. */
  void consumerStands(ConsumerCore consumer) {
    Credit credit;
    lock.lock();
    try {
      consumers.add(consumer);
      credit = consumer.stands(started);
    } finally {
      lock.unlock();
    }
    if (credit != null) {
      connection.broker().postNow(credit, BrokerConnection.ANY_EPOCH);
    }
  }

  void consumerClosed(ConsumerCore consumer) {
    consumers.remove(consumer);
  }

  boolean consumesFrom(MetaqDestination destination) {
    return consumers.stream()
        .anyMatch(consumer -> consumer.spec().destination().equals(destination));
  }

  boolean hasSubscription(String name) {
    return consumers.stream().anyMatch(consumer -> name.equals(consumer.spec().subscriptionName()));
  }

  /** Messages of other sessions' consumers are handed over through this one. */
  void takesFromOthers() {
    takesFromOthers = true;
  }

  /**
   * With the lock: a listener has done its work; a consumer without prefetch asks for the next
   * message.
   */
  void wantOneMore(ConsumerCore consumer) {
    if (!ending && started && !consumer.isClosed() && consumer.lockedListener() != null) {
      Credit credit = consumer.queue.single(consumer.id());
      if (credit != null) {
        connection.broker().post(credit, BrokerConnection.ANY_EPOCH);
      }
    }
  }

  // ---- waiting

  /** With the lock: one of those who wait for this condition looks at the state again. */
  void signal(Condition condition) {
    signals = Math.incrementExact(signals); // under the lock, so no update is lost
    condition.signal();
  }

  /** With the lock: all who wait for this condition look at the state again. */
  void signalAll(Condition condition) {
    signals = Math.incrementExact(signals);
    condition.signalAll();
  }

  /**
   * With the lock, which is given up meanwhile: waits for a signal, at most for a time, and not
   * always for so long. Who waits reads the socket, if nobody else does.
   */
  void await(Condition condition, long nanos) throws InterruptedException {
    BrokerConnection broker = connection.broker();
    long begin = System.nanoTime();
    long seen = signals;
    broker.enter();
    try {
      lock.unlock();
      try {
        broker.readUntil(() -> signals != seen, nanos);
      } finally {
        lock.lock();
      }
      if (signals == seen) {
        condition.awaitNanos(nanos - (System.nanoTime() - begin));
      }
    } finally {
      broker.leave();
    }
  }

  // ---- start and stop

  void start() {
    List<Credit> credits = new ArrayList<>();
    lock.lock();
    try {
      if (started || closed) {
        return;
      }
      started = true;
      for (ConsumerCore consumer : consumers) {
        if (consumer.id() != 0) {
          addIfDue(consumer.open(), credits);
        }
        consumer.wakeReceivers();
      }
      dispatcher.wake();
    } finally {
      lock.unlock();
    }
    credits.forEach(credit -> connection.broker().postNow(credit, BrokerConnection.ANY_EPOCH));
  }

  private static void addIfDue(Credit credit, List<Credit> credits) {
    if (credit != null) {
      credits.add(credit);
    }
  }

  /** Holds deliveries back; waits for a running listener. */
  void stop(long deadlineNanos) throws JMSException {
    List<StopConsumer> stops = new ArrayList<>();
    lock.lock();
    try {
      if (!started || closed) {
        return;
      }
      started = false;
      if (!dispatcher.awaitIdle(null, deadlineNanos)) {
        throw new JMSException("A MessageListener still ran when the time to wait for it was over");
      }
      for (ConsumerCore consumer : consumers) {
        StopConsumer stop = consumer.stop();
        if (stop != null) {
          stops.add(stop);
        }
      }
    } finally {
      lock.unlock();
    }
    for (StopConsumer stop : stops) {
      requestVoidable(stop, "Stopping a consumer");
    }
  }

  /** A request that a lost connection makes needless. */
  void requestVoidable(Frame frame, String doing) throws JMSException {
    try {
      connection.broker().requestOnce(frame, BrokerConnection.ANY_EPOCH);
    } catch (ConnectionLostException e) {
      connection.ignoredAtClose(doing + " was done by the loss of the connection", e);
    } catch (RequestRefusedException e) {
      throw Failures.refused(doing, e);
    } catch (IOException e) {
      throw Failures.lost(doing, e);
    }
  }

  // ---- acknowledging and recovering

  /** A message's acknowledge(). */
  void acknowledge(Range message) throws JMSException {
    requireOpen();
    AckMode now = mode();
    if (now == AckMode.CLIENT) {
      acknowledgeAll();
    } else if (now == AckMode.INDIVIDUAL) {
      long epoch;
      lock.lock();
      try {
        requireNotLost(handover.forgetLost(message));
        handover.removeHanded(message);
        epoch = connection.broker().epoch();
      } finally {
        lock.unlock();
      }
      acknowledgeDurably(List.of(message), epoch);
    }
  }

  /**
   * Acknowledges all that the session has handed over; nothing where the mode leaves that to the
   * provider.
   */
  void acknowledgeAll() throws JMSException {
    requireOpen();
    AckMode now = mode();
    if (now != AckMode.CLIENT && now != AckMode.INDIVIDUAL) {
      return;
    }
    List<Range> handed;
    long epoch;
    lock.lock();
    try {
      requireNotLost(handover.forgetLost());
      handed = handover.takeHanded();
      epoch = connection.broker().epoch();
    } finally {
      lock.unlock();
    }
    acknowledgeDurably(handed, epoch);
  }

  /** Who is told that all is acknowledged must not see any of it again. */
  private static void requireNotLost(boolean lost) throws JMSException {
    if (lost) {
      throw new JMSException(
          "Messages that were received before the connection was lost cannot be acknowledged any"
              + " more: they come again",
          "CONNECTION_LOST");
    }
  }

  /**
   * @param epoch in which the messages were handed over: those of an earlier one come again
   */
  private void acknowledgeDurably(List<Range> handed, long epoch) throws JMSException {
    if (handed.isEmpty()) {
      return;
    }
    boolean done = false;
    try {
      connection.ledger().acknowledgeDurably(connection.broker(), handed, epoch);
      done = true;
    } catch (RequestRefusedException e) {
      // What came to somebody else after a loss of the connection is no longer this session's.
      done = e.code() == ErrorCode.IN_USE;
      throw Failures.refused("Acknowledging", e);
    } catch (IOException e) {
      throw Failures.lost("Acknowledging", e);
    } finally {
      if (!done && epoch == connection.broker().epoch()) {
        lock.lock();
        try {
          handover.putHanded(handed);
        } finally {
          lock.unlock();
        }
      }
    }
  }

  /** Everything delivered and not acknowledged comes again. */
  void recover() throws JMSException {
    handover.flushLazy();
    List<Range> handed;
    lock.lock();
    try {
      handed = handover.takeForRecovery();
      if (handed.isEmpty()) {
        return;
      }
    } finally {
      lock.unlock();
    }
    giveBack(new Recover(id, handed), handed, "Recovering the session");
  }

  /** Makes a request after which all that was sent ahead comes again too. */
  void giveBack(Frame request, List<Range> handed, String doing) throws JMSException {
    List<ConsumerCore> voided = new ArrayList<>(consumers);
    long epoch;
    lock.lock();
    try {
      epoch = connection.broker().epoch();
      voided.forEach(consumer -> consumer.queue.close());
    } finally {
      lock.unlock();
    }
    requestVoidable(request, doing);
    if (takesFromOthers && !handed.isEmpty()) {
      requestVoidable(new Release(true, handed), doing);
    }
    List<Credit> credits = new ArrayList<>();
    lock.lock();
    try {
      if (started && epoch == connection.broker().epoch()) { // else the resumption has done this
        voided.stream()
            .filter(consumer -> consumer.id() != 0)
            .forEach(consumer -> addIfDue(consumer.open(), credits));
      }
    } finally {
      lock.unlock();
    }
    credits.forEach(credit -> connection.broker().postNow(credit, epoch));
  }

  // ---- reconnect

  /** The socket broke: deliveries that were not handed over are void. */
  void connectionLost() {
    lock.lock();
    try {
      transaction.connectionLost();
      XaAssociation xa = association;
      if (xa != null) {
        xa.connectionLost();
      }
      handover.connectionLost();
      consumers.forEach(ConsumerCore::connectionLost);
    } finally {
      lock.unlock();
    }
  }

  void resume(Resumption resumption) throws IOException {
    for (ConsumerCore consumer : consumers) {
      consumer.resume(resumption);
    }
  }

  /** The connection is lost for good: nobody need wait any longer. */
  void connectionFailed() {
    lock.lock();
    try {
      consumers.forEach(ConsumerCore::wakeReceivers);
      dispatcher.wake();
    } finally {
      lock.unlock();
    }
  }

  // ---- close

  /** Ends the session; waits for its callbacks and pending receives, up to the deadline. */
  void close(long deadlineNanos) throws JMSException {
    lock.lock();
    try {
      if (closed || ending) {
        return;
      }
      ending = true;
      dispatcher.wake();
      dispatcher.awaitIdle(null, deadlineNanos);
      awaitServerWork(deadlineNanos);
    } finally {
      lock.unlock();
    }
    try {
      sender.awaitCallbacks(deadlineNanos);
      sender.awaitReceipts(deadlineNanos);
    } finally {
      closed = true;
      end(deadlineNanos);
    }
  }

  /** A server's thread runs this session's listener; what ends the session waits for it. */
  void serverWorkBegins() {
    lock.lock();
    try {
      serverThread = Thread.currentThread();
    } finally {
      lock.unlock();
    }
  }

  void serverWorkEnds() {
    lock.lock();
    try {
      serverThread = null;
      serverIdle.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** With the lock, which is given up meanwhile. */
  private void awaitServerWork(long deadlineNanos) {
    boolean interrupted = false;
    long left = deadlineNanos - System.nanoTime();
    while (serverThread != null && serverThread != Thread.currentThread() && left > 0) {
      try {
        left = serverIdle.awaitNanos(left);
      } catch (InterruptedException e) {
        interrupted = true;
        left = deadlineNanos - System.nanoTime();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void end(long deadlineNanos) throws JMSException {
    consumers.forEach(consumer -> consumer.endWith(deadlineNanos));
    sender.end();
    handover.flushLazy();
    connection.sessionClosed(this);
    try {
      connection.requestAtEnd(new CloseSession(id), deadlineNanos);
    } catch (RequestRefusedException e) {
      throw Failures.refused("Closing the session", e);
    } catch (IOException e) {
      connection.ignoredAtClose("The session ended with its connection", e);
    } finally {
      consumers.forEach(consumer -> connection.unregister(consumer.id()));
      consumers.clear();
    }
  }

  @Override
  public String toString() {
    return "session " + id + " of " + connection;
  }
}
