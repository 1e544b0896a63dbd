package io.metaq.tck.peers.load;

import io.metaq.tck.peers.Figure;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.concurrent.TimeUnit;

/** Makes queues by sending a message to each, a hundred in a transaction. */
final class ManyQueues {

  private static final int BATCH = 100;
  private static final long LIMIT = TimeUnit.SECONDS.toNanos(60);

  private ManyQueues() {}

  static void make(Provider provider, String prefix, int queues, Outlet outlet)
      throws JMSException {
    try (Connection connection = provider.factory().createConnection()) {
      Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
      MessageProducer producer = session.createProducer(null);
      Body body = new Body();
      outlet.opened();
      long begin = System.nanoTime();
      int made = 0;
      while (made < queues && System.nanoTime() - begin < LIMIT) {
        producer.send(session.createQueue(prefix + "." + made), body.message(session, 0));
        made++;
        if (made % BATCH == 0) {
          session.commit();
        }
      }
      session.commit();
      double seconds = (System.nanoTime() - begin) / 1e9;
      outlet.closed();
      outlet.figure(Figure.RATE, made / seconds);
      outlet.figure(Figure.QUEUES, made);
      outlet.figure(Figure.MESSAGES, made);
    }
  }
}
