package io.metaq.tck.peers.load;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/**
 * Threads that each take a message from a queue of their own and put one back, in an XA transaction
 * of two phases as a transaction manager with a second resource would run it.
 */
final class XaLoop {

  private static final int PRELOADED = 50;
  private static final int PATIENCE_MS = 5_000;

  private final Provider provider;
  private final int threads;
  private final String destination;
  private final Meter meter = new Meter();
  private volatile boolean stopped;

  XaLoop(Provider provider, int threads, String destination) {
    this.provider = provider;
    this.threads = threads;
    this.destination = destination;
  }

  void run(Timing timing, Outlet outlet) throws Exception {
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      preload(destination + "." + number);
      running.add(new Thread(() -> loop(number), "branches " + number));
    }
    running.forEach(Thread::start);
    try {
      meter.measure(timing, outlet);
    } finally {
      stopped = true;
      for (Thread thread : running) {
        thread.join();
      }
      for (int i = 0; i < threads; i++) {
        empty(destination + "." + i);
      }
    }
    meter.failure().ifPresent(outlet::failed);
  }

  private void preload(String queue) throws JMSException {
    try (Connection connection = provider.factory().createConnection()) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      MessageProducer producer = session.createProducer(session.createQueue(queue));
      Body body = new Body();
      for (int i = 0; i < PRELOADED; i++) {
        producer.send(body.message(session, 0));
      }
      session.commit();
    }
  }

  private void loop(int number) {
    try (XAConnection connection = provider.xaFactory().createXAConnection()) {
      connection.start();
      XASession session = connection.createXASession();
      Queue queue = session.createQueue(destination + "." + number);
      MessageProducer producer = session.createProducer(queue);
      MessageConsumer consumer = session.createConsumer(queue);
      Body body = new Body();
      long high = System.nanoTime();
      for (long n = 0; !stopped; n++) {
        long begin = System.nanoTime();
        branch(
            new BranchId(high, ((long) number << 40) | n),
            session.getXAResource(),
            () -> {
              if (consumer.receive(PATIENCE_MS) == null) {
                throw new JMSException("the queue is empty");
              }
              producer.send(body.message(session, begin));
            });
        meter.received(System.nanoTime() - begin);
      }
    } catch (JMSException | XAException | RuntimeException e) {
      meter.failed(e);
    }
  }

  private interface Work {
    void run() throws JMSException;
  }

  private static void branch(BranchId id, XAResource resource, Work work)
      throws XAException, JMSException {
    resource.start(id, XAResource.TMNOFLAGS);
    work.run();
    resource.end(id, XAResource.TMSUCCESS);
    if (resource.prepare(id) == XAResource.XA_OK) {
      resource.commit(id, false);
    }
  }

  private void empty(String queue) throws JMSException {
    try (Connection connection = provider.factory().createConnection()) {
      connection.start();
      Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
      MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
      Message message = consumer.receive(200);
      while (message != null) {
        message = consumer.receive(200);
      }
    }
  }
}
