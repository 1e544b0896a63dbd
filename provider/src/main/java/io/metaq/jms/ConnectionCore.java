package io.metaq.jms;

import io.metaq.body.BodyStorage;
import io.metaq.transport.BrokerConnection;
import io.metaq.transport.ConnectionEvents;
import io.metaq.transport.ConnectionSettings;
import io.metaq.transport.MetaqUri;
import io.metaq.transport.RequestRefusedException;
import io.metaq.transport.Resumption;
import io.metaq.transport.SocketConnector;
import io.metaq.wire.ConnectionFrames.SetClientId;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.AckConfirmed;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Drained;
import io.metaq.wire.SubscriptionFrames.Unsubscribe;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the connection objects of all three APIs share: the broker connection, the sessions, who
 * gets which delivery, and the order in which all of it comes back after a reconnect.
 */
final class ConnectionCore implements ConnectionEvents {
  private static final System.Logger LOG = System.getLogger(ConnectionCore.class.getName());

  private static final long SHORTEST_END_MILLIS = 100;

  private final UUID id = UUID.randomUUID();
  private final ClientOptions options;
  private final MessageSettings settings;
  private final MessageFactory messages;
  private final AckLedger ledger = new AckLedger();
  private final Destinations destinations = new Destinations(id, this::consumesFrom);
  private final Map<Integer, DeliverySink> consumers = new ConcurrentHashMap<>();
  private final List<SessionCore> sessions = new CopyOnWriteArrayList<>();
  private final AtomicInteger lastConsumer = new AtomicInteger();
  private final AtomicInteger lastSession = new AtomicInteger();
  private final AtomicLong lastTransaction = new AtomicLong();
  private final AtomicLong lastUpload = new AtomicLong();
  private final ReentrantLock resuming = new ReentrantLock();
  private final ReentrantLock lifecycle = new ReentrantLock();
  private BrokerConnection broker;
  private volatile String clientId;
  private volatile ExceptionListener exceptionListener;
  private volatile boolean started;
  private final AtomicBoolean closing = new AtomicBoolean();
  private volatile boolean closed;
  private volatile IOException end;
  private volatile long clockOffset;

  private ConnectionCore(MetaqUri uri, MessageSettings settings, String clientId) {
    this.options = ClientOptions.of(uri);
    this.settings = settings;
    this.messages = new MessageFactory(settings);
    this.clientId = clientId;
  }

  /** Connects and logs in. */
  static ConnectionCore open(
      MetaqUri uri,
      MessageSettings settings,
      String user,
      String password,
      String clientId,
      SocketConnector connector)
      throws JMSException {
    ConnectionCore core = new ConnectionCore(uri, settings, clientId);
    try {
      core.broker =
          BrokerConnection.open(
              new ConnectionSettings(uri, user, password, clientId, core.id, connector), core);
      core.destinations.connected(core.broker);
      core.readClock();
      return core;
    } catch (RequestRefusedException e) {
      throw Failures.refused("Connecting to " + uri, e);
    } catch (IOException e) {
      throw Failures.lost("Connecting to " + uri, e);
    }
  }

  private void readClock() {
    clockOffset = broker.welcome().clockMillis() - System.currentTimeMillis();
  }

  UUID id() {
    return id;
  }

  ClientOptions options() {
    return options;
  }

  BrokerConnection broker() {
    return broker;
  }

  MessageFactory messages() {
    return messages;
  }

  BodyStorage bodies() {
    return settings.storage();
  }

  AckLedger ledger() {
    return ledger;
  }

  Destinations destinations() {
    return destinations;
  }

  /** The time by the broker's clock, as near as the last login told. */
  long brokerNow() {
    return System.currentTimeMillis() + clockOffset;
  }

  long nextTransaction() {
    return lastTransaction.incrementAndGet();
  }

  long nextUpload() {
    return lastUpload.incrementAndGet();
  }

  String clientId() {
    return clientId;
  }

  void requireOpen() throws IllegalStateException {
    if (closed) {
      throw Failures.closed("connection");
    }
  }

  boolean isLost() {
    return end != null;
  }

  /** For waits that only a living connection can end. */
  void requireLiving(String doing) throws JMSException {
    IOException cause = end;
    if (cause != null && !closed) {
      throw Failures.caused(
          new JMSException(
              doing + ": the connection is lost: " + cause.getMessage(), "CONNECTION_LOST"),
          cause);
    }
  }

  void claimClientId(String wanted) throws JMSException {
    try {
      broker.request(new SetClientId(wanted));
      clientId = wanted;
      broker.clientId(wanted);
    } catch (RequestRefusedException e) {
      throw Failures.refused("Claiming client id " + wanted, e);
    } catch (IOException e) {
      throw Failures.lost("Claiming client id " + wanted, e);
    }
  }

  void unsubscribe(String name) throws JMSException {
    if (name == null || name.isEmpty()) {
      throw new InvalidDestinationException("The name of the subscription is missing");
    }
    String doing = "Unsubscribing " + name;
    try {
      broker.request(new Unsubscribe(name));
    } catch (RequestRefusedException e) {
      throw Failures.refused(doing, e);
    } catch (IOException e) {
      throw Failures.lost(doing, e);
    }
  }

  // ---- sessions and consumers

  SessionCore createSession(AckMode mode) throws JMSException {
    lifecycle.lock();
    try {
      requireOpen();
      SessionCore session = new SessionCore(this, lastSession.incrementAndGet(), mode, started);
      sessions.add(session);
      if (closed) { // between the two
        sessions.remove(session);
        throw Failures.closed("connection");
      }
      return session;
    } finally {
      lifecycle.unlock();
    }
  }

  void sessionClosed(SessionCore session) {
    sessions.remove(session);
  }

  boolean consumesFrom(MetaqDestination destination) {
    return sessions.stream().anyMatch(session -> session.consumesFrom(destination));
  }

  boolean hasSubscription(String name) {
    return sessions.stream().anyMatch(session -> session.hasSubscription(name));
  }

  /** Gives a consumer a new id, under which deliveries reach it. */
  int register(DeliverySink consumer) {
    int consumerId = lastConsumer.incrementAndGet();
    consumers.put(consumerId, consumer);
    return consumerId;
  }

  void unregister(int consumerId) {
    consumers.remove(consumerId);
  }

  /**
   * Runs an action that makes something part of what a reconnect restores; false if a reconnect was
   * faster.
   */
  boolean establish(long epoch, Runnable action) {
    resuming.lock();
    try {
      if (epoch != broker.epoch()) {
        return false;
      }
      action.run();
      return true;
    } finally {
      resuming.unlock();
    }
  }

  // ---- start, stop, close

  void start() throws JMSException {
    lifecycle.lock();
    try {
      requireOpen();
      started = true;
      sessions.forEach(SessionCore::start);
    } finally {
      lifecycle.unlock();
    }
  }

  void stop() throws JMSException {
    requireOpen();
    requireNotInListener("Connection.stop");
    long deadline = System.nanoTime() + TimeUnit.HOURS.toNanos(1);
    lifecycle.lock();
    try {
      started = false;
    } finally {
      lifecycle.unlock();
    }
    for (SessionCore session :
        sessions) { // without the lock, which a listener that is waited for may need
      session.stop(deadline);
    }
  }

  void requireNotInListener(String what) throws IllegalStateException {
    for (SessionCore session : sessions) {
      session.requireNotInCallback(what);
    }
  }

  /** When a close that begins now gives up waiting. */
  long closeDeadline() {
    return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.closeTimeoutMillis());
  }

  boolean isClosed() {
    return closed;
  }

  void close() throws JMSException {
    requireNotInListener("Connection.close");
    if (!closing.compareAndSet(false, true)) {
      return;
    }
    long deadline = closeDeadline();
    closed = true;
    JMSException failure = null;
    for (SessionCore session : sessions) {
      try {
        session.close(deadline);
      } catch (JMSException e) {
        failure = e;
      }
    }
    broker.close(Math.max(100, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
    consumers.clear();
    if (failure != null) {
      throw failure;
    }
  }

  // ---- exceptions

  ExceptionListener exceptionListener() {
    return exceptionListener;
  }

  void exceptionListener(ExceptionListener listener) {
    exceptionListener = listener;
  }

  /** Tells the ExceptionListener, on a thread of its own, since it may close the connection. */
  void report(JMSException failure) {
    ExceptionListener listener = exceptionListener;
    if (listener == null) {
      LOG.log(Level.WARNING, "No ExceptionListener for: " + failure.getMessage(), failure);
      return;
    }
    Thread thread = new Thread(() -> listener.onException(failure), "metaq-exception-listener");
    thread.setDaemon(true);
    thread.start();
  }

  /** A request that ends something, and must not hold its end up. */
  void requestAtEnd(Frame frame, long deadlineNanos) throws IOException, RequestRefusedException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    broker.requestWithin(frame, Math.max(SHORTEST_END_MILLIS, left));
  }

  /** A request at the end of something that the end of its connection made needless. */
  void ignoredAtClose(String what, IOException cause) {
    LOG.log(Level.DEBUG, what, cause);
  }

  // ---- what the transport tells

  @Override
  public void received(Frame frame) {
    if (frame instanceof Deliver delivery) {
      DeliverySink consumer = consumers.get(delivery.consumerId());
      if (consumer != null) {
        consumer.deliver(delivery);
      }
    } else if (frame instanceof Drained drained) {
      DeliverySink consumer = consumers.get(drained.consumerId());
      if (consumer != null) {
        consumer.drained(drained);
      }
    } else if (frame instanceof AckConfirmed confirmed) {
      ledger.confirmed(confirmed.ackSequence());
    } else {
      LOG.log(Level.DEBUG, "A {0} frame that nobody asked for", frame.type());
    }
  }

  @Override
  public void lost(IOException cause) {
    sessions.forEach(SessionCore::connectionLost);
  }

  @Override
  public void resume(Resumption resumption) throws IOException {
    resuming.lock();
    try {
      readClock();
      destinations.resume(resumption);
      ledger.resume(resumption);
      for (SessionCore session : sessions) {
        session.connectionLost(); // again, where an attempt to resume broke off half-way
        session.resume(resumption);
      }
    } finally {
      resuming.unlock();
    }
  }

  @Override
  public void resumed() {
    ledger.resumed(broker);
  }

  @Override
  public void failed(IOException cause) {
    end = cause;
    sessions.forEach(SessionCore::connectionFailed);
    if (!closed) {
      report(Failures.lost("The connection ended", cause));
    }
  }

  @Override
  public String toString() {
    return "connection " + id + (clientId == null ? "" : " of client " + clientId);
  }
}
