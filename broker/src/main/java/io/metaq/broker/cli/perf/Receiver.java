package io.metaq.broker.cli.perf;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.function.BooleanSupplier;

/** One receiving session: a listener outside transactions, a thread that commits batches within. */
final class Receiver implements Runnable {

  private static final long WAIT_MS = 200;

  private final LoadPlan plan;
  private final Session session;
  private final MessageConsumer consumer;
  private final Measurement measurement;
  private final BooleanSupplier stopped;

  Receiver(LoadPlan plan, Connection connection, Measurement measurement, BooleanSupplier stopped)
      throws JMSException {
    this.plan = plan;
    this.measurement = measurement;
    this.stopped = stopped;
    session =
        connection.createSession(
            plan.batch() > 0, plan.batch() > 0 ? Session.SESSION_TRANSACTED : plan.acknowledge());
    consumer = session.createConsumer(Sender.destination(plan, session));
  }

  /** Begins to receive; returns at once. */
  void start() throws JMSException {
    if (plan.batch() > 0) {
      Thread thread = new Thread(this, "perf-receiver");
      thread.setDaemon(true);
      thread.start();
    } else {
      consumer.setMessageListener(this::listen);
    }
  }

  private void listen(Message message) {
    try {
      count(message);
      if (plan.acknowledge() == Session.CLIENT_ACKNOWLEDGE) {
        message.acknowledge();
      }
    } catch (JMSException e) {
      measurement.failed(e);
    }
  }

  @Override
  public void run() {
    try {
      int open = 0;
      while (!stopped.getAsBoolean()) {
        Message message = consumer.receive(WAIT_MS);
        if (message != null) {
          count(message);
          open++;
        }
        if (open >= plan.batch() || (message == null && open > 0)) {
          session.commit();
          open = 0;
        }
      }
      session.commit();
    } catch (JMSException | RuntimeException e) {
      measurement.failed(e);
    }
  }

  private void count(Message message) throws JMSException {
    measurement.received(System.nanoTime() - ((BytesMessage) message).readLong());
  }
}
