package io.metaq.tck.peers.load;

import io.metaq.tck.peers.Figure;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Arrays;
import java.util.Random;

/** Bodies of a hundred mebibytes, one after the other, each sent and then read to its end. */
final class LargeBodies {

  private static final int MEBIBYTE = 1 << 20;
  private static final int MEBIBYTES = 100;
  private static final int MESSAGES = 3;
  private static final int PATIENCE_MS = 60_000;

  private LargeBodies() {}

  static void run(Provider provider, String queue, Outlet outlet) throws JMSException {
    byte[] chunk = new byte[MEBIBYTE];
    new Random(2).nextBytes(chunk);
    double[] sends = new double[MESSAGES];
    double[] journeys = new double[MESSAGES];
    try (Connection sending = provider.factory().createConnection();
        Connection receiving = provider.factory().createConnection()) {
      receiving.start();
      Session sender = sending.createSession(false, Session.AUTO_ACKNOWLEDGE);
      Session receiver = receiving.createSession(false, Session.AUTO_ACKNOWLEDGE);
      MessageProducer producer = sender.createProducer(sender.createQueue(queue));
      MessageConsumer consumer = receiver.createConsumer(receiver.createQueue(queue));
      outlet.opened();
      for (int i = 0; i < MESSAGES; i++) {
        long begin = System.nanoTime();
        send(sender, producer, chunk);
        sends[i] = (System.nanoTime() - begin) / 1e3;
        receive(consumer, chunk.length);
        journeys[i] = (System.nanoTime() - begin) / 1e3;
      }
      outlet.closed();
    }
    Arrays.sort(sends);
    Arrays.sort(journeys);
    double median = journeys[MESSAGES / 2];
    outlet.figure(Figure.MESSAGES, MESSAGES);
    outlet.figure(Figure.RATE, 1e6 / median);
    outlet.figure(Figure.SEND_P50, sends[MESSAGES / 2]);
    outlet.figure(Figure.END_P50, median);
    outlet.figure(Figure.MB_PER_SECOND, (double) MEBIBYTES * MEBIBYTE / median);
  }

  private static void send(Session session, MessageProducer producer, byte[] chunk)
      throws JMSException {
    BytesMessage message = session.createBytesMessage();
    for (int i = 0; i < MEBIBYTES; i++) {
      message.writeBytes(chunk);
    }
    producer.send(message);
  }

  private static void receive(MessageConsumer consumer, int size) throws JMSException {
    BytesMessage message = (BytesMessage) consumer.receive(PATIENCE_MS);
    if (message == null) {
      throw new JMSException("the message did not come");
    }
    byte[] read = new byte[size];
    long length = 0;
    int n = message.readBytes(read);
    while (n > 0) {
      length += n;
      n = message.readBytes(read);
    }
    if (length != (long) MEBIBYTES * MEBIBYTE) {
      throw new JMSException("the body has " + length + " bytes");
    }
  }
}
