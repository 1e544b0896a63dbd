package io.metaq.broker.cli.perf;

import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** One run: connect, warm up, measure, let what is under way arrive, close. */
public final class LoadRun {

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final long STEP_NANOS = 50_000_000;

  private final LoadPlan plan;
  private final Progress progress;
  private final BrokerForces forces;
  private final Measurement measurement = new Measurement();
  private final AtomicBoolean sendersStopped = new AtomicBoolean();
  private final AtomicBoolean receiversStopped = new AtomicBoolean();
  private final List<Connection> connections = new ArrayList<>();
  private final List<Thread> senders = new ArrayList<>();

  /** Prepares a run that tells {@code progress} how it goes. */
  public LoadRun(LoadPlan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
    this.forces = new BrokerForces(plan.provider().url());
  }

  /**
   * Carries the plan out; callable once.
   *
   * @throws JMSException of the first call that failed in any thread
   */
  public LoadResult run() throws JMSException, InterruptedException {
    try {
      open();
      watch("warm-up", plan.warmup());
      return measure();
    } finally {
      sendersStopped.set(true);
      receiversStopped.set(true);
      close();
    }
  }

  private void open() throws JMSException {
    ConnectionFactory factory = plan.provider().factory();
    for (int i = 0; i < plan.receivers(); i++) {
      new Receiver(plan, connect(factory), measurement, receiversStopped::get).start();
    }
    for (int i = 0; i < plan.senders(); i++) {
      Sender sender = new Sender(plan, connect(factory), measurement, sendersStopped::get);
      senders.add(new Thread(sender, "perf-sender-" + i));
    }
    for (Connection connection : connections) {
      connection.start();
    }
    senders.forEach(Thread::start);
  }

  private Connection connect(ConnectionFactory factory) throws JMSException {
    Connection connection = plan.provider().connect(factory);
    connections.add(connection);
    return connection;
  }

  private LoadResult measure() throws JMSException, InterruptedException {
    Usage before = Usage.now(plan, forces);
    long sent = measurement.sentInAll();
    long received = measurement.receivedInAll();
    long start = System.nanoTime();
    measurement.openWindow();
    watch("measuring", plan.duration());
    measurement.closeWindow();
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    sent = measurement.sentInAll() - sent;
    received = measurement.receivedInAll() - received;
    Usage usage = Usage.now(plan, forces).since(before);
    return new LoadResult(
        elapsed,
        sent,
        received,
        drain(),
        measurement.sendTimes(),
        measurement.journeyTimes(),
        usage);
  }

  private void watch(String stage, Duration time) throws JMSException {
    long end = System.nanoTime() + time.toNanos();
    while (System.nanoTime() < end) {
      LockSupport.parkNanos(Math.min(STEP_NANOS, Math.max(1, end - System.nanoTime())));
      failIfFailed();
      progress.at(stage, measurement.sentInAll(), measurement.receivedInAll());
    }
    progress.ended(stage);
  }

  /** Stops the senders and waits until all has arrived; returns how many have not. */
  private long drain() throws JMSException, InterruptedException {
    sendersStopped.set(true);
    for (Thread sender : senders) {
      sender.join(GRACE.toMillis());
    }
    long end = System.nanoTime() + GRACE.toNanos();
    while (missing() > 0 && System.nanoTime() < end) {
      failIfFailed();
      LockSupport.parkNanos(STEP_NANOS);
    }
    failIfFailed();
    return Math.max(0, missing());
  }

  private long missing() {
    return measurement.sentInAll() * plan.copies() - measurement.receivedInAll();
  }

  private void failIfFailed() throws JMSException {
    if (measurement.failure().isPresent()) {
      Throwable cause = measurement.failure().get();
      JMSException failure = new JMSException("the run was given up: " + cause);
      failure.initCause(cause);
      throw failure;
    }
  }

  private void close() throws JMSException {
    JMSException failure = null;
    for (Connection connection : connections) {
      try {
        connection.close();
      } catch (JMSException e) {
        failure = e;
      }
    }
    if (failure != null && measurement.failure().isEmpty()) {
      throw failure;
    }
  }
}
