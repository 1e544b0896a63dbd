package io.metaq.tck.peers.load;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** One sending connection of a stream, on a thread of its own. */
final class FlowSender implements Runnable {

  private static final int OUTSTANDING = 1_000;
  private static final long FULL_PAUSE = TimeUnit.MICROSECONDS.toNanos(200);

  private final FlowPlan plan;
  private final Meter meter;
  private final Session session;
  private final MessageProducer producer;
  private final AsyncSend async;
  private final Semaphore outstanding = new Semaphore(OUTSTANDING);
  private final Body body = new Body();
  private final long offset;
  private volatile boolean stopped;

  FlowSender(FlowPlan plan, int number, Connection connection, String destination, Meter meter)
      throws JMSException {
    this.plan = plan;
    this.meter = meter;
    this.session =
        plan.batch() > 0
            ? connection.createSession(true, Session.SESSION_TRANSACTED)
            : connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
    this.producer =
        session.createProducer(
            plan.topic() ? session.createTopic(destination) : session.createQueue(destination));
    producer.setDeliveryMode(
        plan.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
    this.async = new AsyncSend(producer, this::ended);
    this.offset =
        plan.perSecond() > 0 ? number * TimeUnit.SECONDS.toNanos(1) / plan.perSecond() : 0;
  }

  void stop() {
    stopped = true;
  }

  @Override
  public void run() {
    try {
      if (plan.perSecond() > 0) {
        sendOnTime();
      } else if (plan.batch() > 0) {
        sendInTransactions();
      } else {
        sendAtFullSpeed();
      }
    } catch (JMSException | InterruptedException | RuntimeException e) {
      meter.failed(e);
    }
  }

  private void sendAtFullSpeed() throws JMSException, InterruptedException {
    for (long n = 0; awaitRoom(); n++) {
      long begin = System.nanoTime();
      BytesMessage message = body.message(session, begin);
      if (plan.selectors() > 0) {
        message.setIntProperty("k", (int) (n % plan.selectors()));
      }
      if (plan.async()) {
        outstanding.acquire();
        meter.sending();
        async.send(message, () -> meter.sendTook(System.nanoTime() - begin));
      } else {
        meter.sending();
        producer.send(message);
        meter.sendTook(System.nanoTime() - begin);
      }
    }
    if (plan.async() && !outstanding.tryAcquire(OUTSTANDING, 15, TimeUnit.SECONDS)) {
      throw new IllegalStateException("sends remained without a confirmation");
    }
  }

  private void sendInTransactions() throws JMSException {
    while (awaitRoom()) {
      long begin = System.nanoTime();
      for (int i = 0; i < plan.batch(); i++) {
        producer.send(body.message(session, System.nanoTime()));
        meter.sending();
      }
      session.commit();
      meter.sendTook(System.nanoTime() - begin);
    }
  }

  /** Times count from when a send was due, so that a stall is seen by all who had to wait. */
  private void sendOnTime() throws JMSException {
    long period = TimeUnit.SECONDS.toNanos(1) * plan.senders() / plan.perSecond();
    for (long due = System.nanoTime() + offset; !stopped; due += period) {
      long early = due - System.nanoTime();
      while (early > 0) {
        LockSupport.parkNanos(early);
        early = due - System.nanoTime();
      }
      meter.sending();
      producer.send(body.message(session, due));
      meter.sendTook(System.nanoTime() - due);
    }
  }

  private boolean awaitRoom() {
    while (!stopped && meter.sentInAll() - meter.receivedInAll() / plan.fan() > plan.backlog()) {
      LockSupport.parkNanos(FULL_PAUSE);
    }
    return !stopped;
  }

  private void ended(Exception failure) {
    if (failure != null) {
      meter.failed(failure);
    }
    outstanding.release();
  }
}
