package io.metaq.ra.inbound;

import io.metaq.jms.ManagedSession;
import io.metaq.ra.BrokerSettings;
import io.metaq.ra.MetaqResourceAdapter;
import io.metaq.ra.Quietly;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.XAConnection;
import jakarta.resource.NotSupportedException;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkManager;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The life of one message-driven bean's subscription: connects, starts its endpoint workers, waits
 * until the connection breaks or the bean goes, and connects again, for ever.
 *
 * <p>It has a daemon thread of its own and leaves the container's threads to the beans: waiting
 * needs none of them, and a pool that is used up by waiting would never serve a bean. The JNDI
 * look-ups are done before, inside {@code endpointActivation}, where the bean's namespace is at
 * hand.
 */
public final class Activation implements ActivationControl {
  private static final Logger LOG = System.getLogger(Activation.class.getName());
  private static final Method ON_MESSAGE = onMessage();
  private static final long STOP_SECONDS = 8;

  private final WorkManager works;
  private final MessageEndpointFactory endpoints;
  private final MetaqActivationSpec spec;
  private final BrokerSettings settings;
  private final InboundDestination destination;
  private final boolean transacted;
  private final FailurePause pause;
  private final ReconnectBackoff backoff = new ReconnectBackoff();
  private final ActivationBean bean;
  private final Thread thread;

  private final Object lock = new Object();
  private boolean stopping;
  private boolean broken;

  /**
   * @throws ResourceException if the bean's configuration cannot work, whether or not a broker
   *     answers
   */
  public Activation(
      MetaqResourceAdapter adapter,
      WorkManager works,
      MessageEndpointFactory endpoints,
      MetaqActivationSpec spec)
      throws ResourceException {
    this.works = works;
    this.endpoints = endpoints;
    this.spec = spec;
    this.transacted = isTransacted(endpoints);
    this.pause = new FailurePause(spec.getMaxFailures(), spec.getPauseSeconds());
    JndiLookups lookups = JndiLookups.of(spec);
    this.settings = spec.settings().orElse(lookups.factorySettings()).orElse(adapter.settings());
    String where = lookups.topic() ? "topic " + lookups.name() : "queue " + lookups.name();
    this.destination =
        new InboundDestination(lookups.name(), lookups.topic(), spec, hasClientId(where));
    this.bean = new ActivationBean(this, destination.name());
    this.thread = new Thread(null, this::run, "metaq-bean-" + destination.name(), 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(Activation.class.getClassLoader());
  }

  private static Method onMessage() {
    try {
      return MessageListener.class.getMethod("onMessage", Message.class);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("jakarta.jms.MessageListener has no onMessage(Message)", e);
    }
  }

  private static boolean isTransacted(MessageEndpointFactory endpoints) throws ResourceException {
    try {
      return endpoints.isDeliveryTransacted(ON_MESSAGE);
    } catch (NoSuchMethodException e) {
      throw new ResourceException("The endpoint has no onMessage(Message) method", e);
    }
  }

  private boolean hasClientId(String where) throws ResourceException {
    try {
      return settings.connectionFactory().getClientId() != null;
    } catch (JMSException e) {
      throw new NotSupportedException("The bean on " + where + ": " + e.getMessage(), e);
    }
  }

  /** What the bean, its connection factory and the adapter say together. */
  public BrokerSettings settings() {
    return settings;
  }

  /** Returns at once; only the thread it starts touches the network. */
  public void start() {
    bean.register();
    thread.start();
  }

  /** Asks the activation to end; returns at once. */
  public void requestStop() {
    synchronized (lock) {
      stopping = true;
      lock.notifyAll();
    }
    pause.stop();
  }

  /** Waits for the end that was asked for, until the given reading of {@link System#nanoTime}. */
  public void awaitStop(long deadline) {
    try {
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      thread.join(Math.max(1, left));
      if (thread.isAlive()) {
        LOG.log(Level.WARNING, "The bean on " + destination + " still runs after it was stopped");
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      bean.unregister();
    }
  }

  private void run() {
    while (!isStopping()) {
      try {
        serveUntilBroken();
      } catch (JMSException | WorkException | RuntimeException e) {
        backoff.failed(
            LOG, "The bean on " + destination + " cannot be served by " + settings.shownUrl(), e);
      }
      pauseBeforeReconnect();
    }
  }

  private void serveUntilBroken() throws JMSException, WorkException {
    synchronized (lock) {
      broken = false;
    }
    int sessions = destination.sessions(spec.getMaxSessions());
    // Sent ahead to one of several sessions, a message would wait there while others are idle.
    XAConnection connection = (sessions == 1 ? settings : settings.withPrefetch(0)).connect();
    List<EndpointWorker> workers = new ArrayList<>();
    try {
      connection.setExceptionListener(this::connectionBroke);
      for (int i = 0; i < sessions; i++) {
        ManagedSession session = (ManagedSession) connection.createXASession();
        workers.add(
            new EndpointWorker(
                this, endpoints, ON_MESSAGE, transacted, session, destination, pause));
      }
      connection.start();
      for (EndpointWorker worker : workers) {
        schedule(worker);
      }
      awaitEndOfService();
    } finally {
      workers.forEach(EndpointWorker::requestStop);
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
      workers.forEach(worker -> worker.awaitEnd(deadline));
      Quietly.close(connection);
    }
  }

  /**
   * A thread that the container makes for it inherits the caller's class loader, and stays in the
   * container's pool when this adapter is gone: so it gets the container's own.
   */
  private void schedule(EndpointWorker worker) throws WorkException {
    Thread caller = Thread.currentThread();
    ClassLoader before = caller.getContextClassLoader();
    caller.setContextClassLoader(works.getClass().getClassLoader());
    try {
      works.scheduleWork(worker, WorkManager.INDEFINITE, null, null);
    } finally {
      caller.setContextClassLoader(before);
    }
  }

  private void connectionBroke(JMSException why) {
    backoff.failed(
        LOG,
        "The connection of the bean on " + destination + " to " + settings.shownUrl() + " broke",
        why);
    reportBroken();
  }

  /** A worker has its consumer. */
  void serving() {
    backoff.succeeded(LOG, "The bean on " + destination + " is served by " + settings.shownUrl());
  }

  /** A worker cannot have a consumer. */
  void refused(JMSException why) {
    backoff.failed(LOG, "No consumer for the bean on " + destination, why);
    reportBroken();
  }

  /** Something is wrong with the connection or a session: all is torn down and built anew. */
  void reportBroken() {
    synchronized (lock) {
      broken = true;
      lock.notifyAll();
    }
  }

  private void awaitEndOfService() {
    synchronized (lock) {
      while (!stopping && !broken) {
        waitOnLock(0);
      }
    }
  }

  private void pauseBeforeReconnect() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(backoff.nextMillis());
    synchronized (lock) {
      long left = 1;
      while (!stopping && left > 0) {
        waitOnLock(left);
        left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      }
    }
  }

  private void waitOnLock(long millis) {
    try {
      lock.wait(millis);
    } catch (InterruptedException e) {
      stopping = true;
      Thread.currentThread().interrupt();
    }
  }

  private boolean isStopping() {
    synchronized (lock) {
      return stopping;
    }
  }

  @Override
  public String getDestination() {
    return destination.toString();
  }

  @Override
  public boolean isPaused() {
    return pause.isPaused();
  }

  @Override
  public int getFailures() {
    return pause.failures();
  }

  @Override
  public void pause() {
    pause.pauseByOperator();
  }

  @Override
  public void resume() {
    pause.resume();
  }
}
