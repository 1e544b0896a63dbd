package io.metaq.tck.peers.load;

import io.metaq.tck.peers.Figure;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A queue that is filled, waits for its broker to be restarted, and is drained; each step is a call
 * of its own, since the harness restarts the broker in between.
 */
final class Backlog {

  private static final int THREADS = 2;
  private static final int BATCH = 100;
  private static final long FILL_LIMIT = TimeUnit.SECONDS.toNanos(120);
  private static final long DRAIN_LIMIT = TimeUnit.SECONDS.toNanos(60);
  private static final long START_LIMIT = TimeUnit.SECONDS.toNanos(180);
  private static final int SILENCE_MS = 5_000;

  private final Provider provider;
  private final String queue;
  private final Outlet outlet;

  Backlog(Provider provider, String queue, Outlet outlet) {
    this.provider = provider;
    this.queue = queue;
    this.outlet = outlet;
  }

  void fill(long messages) throws Exception {
    AtomicLong done = new AtomicLong();
    long begin = System.nanoTime();
    inThreads(
        connection -> {
          Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
          MessageProducer producer = session.createProducer(session.createQueue(queue));
          Body body = new Body();
          while (done.addAndGet(BATCH) <= messages && System.nanoTime() - begin < FILL_LIMIT) {
            for (int i = 0; i < BATCH; i++) {
              producer.send(body.message(session, 0));
            }
            session.commit();
          }
          done.addAndGet(-BATCH);
        });
    outlet.figure(Figure.WAITING, done.get());
    outlet.figure(Figure.FILL_RATE, done.get() / seconds(begin));
  }

  /** {@code startedAt} is when the broker's process was started, in milliseconds. */
  void first(long startedAt) throws JMSException, InterruptedException {
    long deadline = System.nanoTime() + START_LIMIT;
    while (true) {
      try (Connection connection = provider.factory().createConnection()) {
        connection.start();
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
        if (consumer.receive(TimeUnit.NANOSECONDS.toMillis(START_LIMIT)) != null) {
          outlet.figure(Figure.FIRST_MS, System.currentTimeMillis() - startedAt);
        }
        session.rollback();
        return;
      } catch (JMSException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(30);
      }
    }
  }

  void drain(long messages) throws Exception {
    AtomicLong done = new AtomicLong();
    AtomicLong last = new AtomicLong(System.nanoTime());
    long begin = System.nanoTime();
    outlet.opened();
    inThreads(
        connection -> {
          connection.start();
          Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
          MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
          boolean more = true;
          while (more && done.get() < messages && System.nanoTime() - begin < DRAIN_LIMIT) {
            for (int i = 0; i < BATCH && more; i++) {
              Message message = consumer.receive(done.get() < messages ? SILENCE_MS : 10);
              more = message != null;
              if (more) {
                done.incrementAndGet();
                last.set(System.nanoTime());
              }
            }
            session.commit();
          }
        });
    outlet.closed();
    outlet.figure(Figure.DRAIN_RATE, done.get() / ((last.get() - begin) / 1e9));
    outlet.figure(Figure.MESSAGES, done.get());
    outlet.figure(Figure.UNDELIVERED, messages - done.get());
  }

  private interface Step {
    void run(Connection connection) throws JMSException;
  }

  private void inThreads(Step step) throws Exception {
    Meter meter = new Meter();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> connected(step, meter), "backlog " + i);
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    meter.failure().ifPresent(outlet::failed);
  }

  private void connected(Step step, Meter meter) {
    try (Connection connection = provider.factory().createConnection()) {
      step.run(connection);
    } catch (JMSException | RuntimeException e) {
      meter.failed(e);
    }
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }
}
