package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * C6: requests with a temporary queue each. What client and broker hold together, in one heap, is
 * the same after many cycles as after few.
 */
class RequestReplyTest {
  private static final long MOST = 5 << 20;

  @TempDir Path data;

  @Test
  @Timeout(300)
  void twentyThousandCyclesLeaveNothingBehind() throws Exception {
    assertThat(growth(5_000, 20_000)).isLessThan(MOST);
  }

  @Test
  @Tag("slow")
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void aMillionCyclesLeaveNothingBehind() throws Exception {
    assertThat(growth(100_000, 1_000_000)).isLessThan(MOST);
  }

  /** Bytes that the heap after a collection has grown by from one number of cycles to another. */
  private long growth(int first, int last) throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
        Connection requests = new MetaqConnectionFactory(broker.url()).createConnection();
        Connection replies = new MetaqConnectionFactory(broker.url()).createConnection()) {
      requests.start();
      replies.start();
      answer(replies);
      Session session = requests.createSession();
      MessageProducer producer = session.createProducer(session.createQueue("requests"));
      for (int i = 0; i < first; i++) {
        ask(session, producer, i);
      }
      long before = heap();
      for (int i = first; i < last; i++) {
        ask(session, producer, i);
      }
      long grown = heap() - before;
      System.out.println("heap grown by " + grown + " bytes from " + first + " to " + last);
      return grown;
    }
  }

  private static void answer(Connection connection) throws JMSException {
    Session session = connection.createSession();
    MessageProducer producer = session.createProducer(null);
    session
        .createConsumer(session.createQueue("requests"))
        .setMessageListener(
            request -> {
              try {
                Message reply = session.createTextMessage(request.getBody(String.class));
                reply.setJMSCorrelationID(request.getJMSMessageID());
                producer.send(request.getJMSReplyTo(), reply);
              } catch (JMSException e) {
                throw new IllegalStateException(e);
              }
            });
  }

  private static void ask(Session session, MessageProducer producer, int number)
      throws JMSException {
    TemporaryQueue replies = session.createTemporaryQueue();
    MessageConsumer consumer = session.createConsumer((Queue) replies);
    Message request = session.createTextMessage(String.valueOf(number));
    request.setJMSReplyTo(replies);
    producer.send(request);
    Message reply = consumer.receive(20_000);
    assertThat(reply.getBody(String.class)).isEqualTo(String.valueOf(number));
    assertThat(reply.getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
    consumer.close();
    replies.delete();
  }

  private static long heap() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      System.gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
