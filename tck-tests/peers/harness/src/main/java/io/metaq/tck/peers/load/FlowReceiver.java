package io.metaq.tck.peers.load;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;

/**
 * One receiving connection of a stream: a listener, or a thread where it receives in transactions.
 */
final class FlowReceiver {

  private static final int PATIENCE_MS = 300;

  private final FlowPlan plan;
  private final int number;
  private final Meter meter;
  private final Session session;
  private final MessageConsumer consumer;
  private final Body body = new Body();
  private volatile boolean stopped;
  private Thread thread;

  FlowReceiver(FlowPlan plan, int number, Connection connection, String destination, Meter meter)
      throws JMSException {
    this.plan = plan;
    this.number = number;
    this.meter = meter;
    if (plan.topic()) {
      connection.setClientID(destination + "-" + number);
    }
    session =
        plan.batch() > 0
            ? connection.createSession(true, Session.SESSION_TRANSACTED)
            : connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    if (plan.topic()) {
      consumer = session.createDurableConsumer(session.createTopic(destination), subscription());
    } else if (plan.selectors() > 0) {
      consumer = session.createConsumer(session.createQueue(destination), "k = " + number);
    } else {
      consumer = session.createConsumer(session.createQueue(destination));
    }
    if (plan.batch() == 0) {
      consumer.setMessageListener(this::take);
    }
  }

  void start() {
    if (plan.batch() > 0) {
      thread = new Thread(this::receiveInTransactions, "receiver " + number);
      thread.start();
    }
  }

  /** Ends it and leaves no subscription behind. */
  void stop() throws JMSException, InterruptedException {
    stopped = true;
    if (thread != null) {
      thread.join();
    }
    consumer.close();
    if (plan.topic()) {
      session.unsubscribe(subscription());
    }
  }

  private String subscription() {
    return "subscription" + number;
  }

  private void take(Message message) {
    try {
      meter.received(System.nanoTime() - body.sentAt(message));
    } catch (JMSException e) {
      meter.failed(e);
    }
  }

  private void receiveInTransactions() {
    try {
      int taken = 0;
      while (!stopped) {
        Message message = consumer.receive(PATIENCE_MS);
        if (message != null) {
          take(message);
          taken++;
        }
        if (taken == plan.batch() || (message == null && taken > 0)) {
          session.commit();
          taken = 0;
        }
      }
      session.commit();
    } catch (JMSException e) {
      meter.failed(e);
    }
  }
}
