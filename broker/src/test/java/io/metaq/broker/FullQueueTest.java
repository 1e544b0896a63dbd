package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.ServerIni;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Transactions that send to a queue that is full. */
@Timeout(60)
class FullQueueTest {
  private static final int MANY = 3_000;

  @TempDir Path data;

  private EmbeddedBroker start(String keys) throws Exception {
    String ini =
        "[system]\nserverPort=0\njournalFileSize=16 * 1024 * 1024\n[queue=small]\nmaxMessages=10\n"
            + keys;
    return EmbeddedBroker.builder().config(ServerIni.parse(ini, data)).dataDirectory(data).start();
  }

  private static int sendAndCommit(Session session, Queue queue, int from, int count) {
    try {
      MessageProducer producer = session.createProducer(queue);
      for (int i = from; i < from + count; i++) {
        producer.send(session.createTextMessage(String.valueOf(i)));
      }
      session.commit();
      return count;
    } catch (JMSException e) {
      throw new CompletionException(e);
    }
  }

  @Test
  void aTransactionWaitsForRoomThatAConsumerOfItsOwnConnectionMakes() throws Exception {
    try (EmbeddedBroker broker = start("limitPolicy=block\n");
        Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      connection.start();
      Session session = connection.createSession();
      Session sending = connection.createSession(Session.SESSION_TRANSACTED);
      Queue queue = session.createQueue("small");
      sendAndCommit(sending, queue, 0, 10);
      CompletableFuture<Integer> sender =
          CompletableFuture.supplyAsync(() -> sendAndCommit(sending, queue, 10, MANY));
      MessageConsumer consumer = session.createConsumer(queue);
      for (int i = 0; i < MANY + 10; i++) {
        assertThat(consumer.receive(20_000).getBody(String.class)).isEqualTo(String.valueOf(i));
      }
      assertThat(sender.get(20, TimeUnit.SECONDS)).isEqualTo(MANY);
    }
  }
}
