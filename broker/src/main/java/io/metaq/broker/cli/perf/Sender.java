package io.metaq.broker.cli.perf;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * One sending session on its own thread. A body begins with the time of its send, by which a
 * receiver of the same process tells how long the message travelled.
 */
final class Sender implements Runnable {

  private static final long PAUSE_NANOS = 200_000;
  private static final long DRAIN_SECONDS = 30;

  private final LoadPlan plan;
  private final Session session;
  private final MessageProducer producer;
  private final Measurement measurement;
  private final BooleanSupplier stopped;
  private final byte[] body;

  Sender(LoadPlan plan, Connection connection, Measurement measurement, BooleanSupplier stopped)
      throws JMSException {
    this.plan = plan;
    this.measurement = measurement;
    this.stopped = stopped;
    this.body = new byte[plan.size()];
    boolean transacted = plan.batch() > 0;
    session =
        connection.createSession(
            transacted, transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
    producer = session.createProducer(destination(plan, session));
    producer.setDeliveryMode(
        plan.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
  }

  static Destination destination(LoadPlan plan, Session session) throws JMSException {
    return plan.topic()
        ? session.createTopic(plan.destination())
        : session.createQueue(plan.destination());
  }

  @Override
  public void run() {
    try {
      if (plan.async() > 0) {
        sendAsynchronously();
      } else if (plan.batch() > 0) {
        sendInTransactions();
      } else {
        sendOneByOne();
      }
    } catch (JMSException | RuntimeException e) {
      measurement.failed(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sendOneByOne() throws JMSException {
    while (mayGoOn()) {
      long start = System.nanoTime();
      producer.send(message(start));
      measurement.sent(1, System.nanoTime() - start);
    }
  }

  private void sendInTransactions() throws JMSException {
    while (mayGoOn()) {
      long start = System.nanoTime();
      for (int i = 0; i < plan.batch(); i++) {
        producer.send(message(System.nanoTime()));
      }
      session.commit();
      measurement.sent(plan.batch(), System.nanoTime() - start);
    }
  }

  private void sendAsynchronously() throws JMSException, InterruptedException {
    Semaphore window = new Semaphore(plan.async());
    while (mayGoOn()) {
      window.acquire();
      long start = System.nanoTime();
      producer.send(message(start), new Completion(window, start));
    }
    if (!window.tryAcquire(plan.async(), DRAIN_SECONDS, TimeUnit.SECONDS)) {
      measurement.failed(
          new JMSException("asynchronous sends were not completed within " + DRAIN_SECONDS + " s"));
    }
  }

  /** Waits while too many messages are on their way. */
  private boolean mayGoOn() {
    while (!stopped.getAsBoolean() && behind()) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    return !stopped.getAsBoolean();
  }

  private boolean behind() {
    return plan.copies() > 0
        && measurement.sentInAll() - measurement.receivedInAll() / plan.copies() > plan.backlog();
  }

  private Message message(long now) throws JMSException {
    ByteBuffer.wrap(body).putLong(now);
    BytesMessage message = session.createBytesMessage();
    message.writeBytes(body);
    return message;
  }

  private final class Completion implements CompletionListener {

    private final Semaphore window;
    private final long start;

    Completion(Semaphore window, long start) {
      this.window = window;
      this.start = start;
    }

    @Override
    public void onCompletion(Message message) {
      window.release();
      measurement.sent(1, System.nanoTime() - start);
    }

    @Override
    public void onException(Message message, Exception exception) {
      window.release();
      measurement.failed(exception);
    }
  }
}
