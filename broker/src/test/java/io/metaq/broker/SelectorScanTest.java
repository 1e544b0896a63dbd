package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.ServerIni;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A selector remembers how far it has looked; what was with somebody else meanwhile and comes back
 * lies behind that.
 */
@Timeout(60)
class SelectorScanTest {
  private static final int BACKLOG = 500;

  @TempDir Path data;

  @ParameterizedTest
  @CsvSource({
    "rollback, 0",
    "rollback, 200",
    "recover, 0",
    "close of the session, 0",
    "close of the connection, 0",
    "close of the connection, 200"
  })
  void whatComesBackIsFound(String how, int delay) throws Exception {
    String ini =
        "[system]\nserverPort=0\njournalFileSize=16 * 1024 * 1024\nredeliveryDelay=" + delay + "\n";
    try (EmbeddedBroker broker =
            EmbeddedBroker.builder()
                .config(ServerIni.parse(ini, data))
                .dataDirectory(data)
                .start();
        Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      Connection other =
          new MetaqConnectionFactory(broker.url() + "?prefetch=1000").createConnection();
      connection.start();
      other.start();
      Session session = connection.createSession();
      Queue queue = session.createQueue("q");
      MessageProducer producer = session.createProducer(queue);
      boolean transacted = how.equals("rollback");
      Session holding =
          other.createSession(transacted ? Session.SESSION_TRANSACTED : Session.CLIENT_ACKNOWLEDGE);
      MessageConsumer holder = holding.createConsumer(queue);
      for (int i = 0; i < BACKLOG; i++) {
        Message message = session.createTextMessage(String.valueOf(i));
        message.setBooleanProperty("wanted", i % 2 == 1);
        producer.send(message);
      }
      for (int i = 0; i < BACKLOG; i++) {
        assertThat(holder.receive(10_000)).isNotNull();
      }
      MessageConsumer selective = session.createConsumer(queue, "wanted = true");
      assertThat(selective.receiveNoWait()).isNull();
      switch (how) {
        case "rollback" -> {
          holder.close();
          holding.rollback();
        }
        case "recover" -> {
          holder.close();
          holding.recover();
        }
        case "close of the session" -> holding.close();
        default -> other.close();
      }
      for (int i = 1; i < BACKLOG; i += 2) {
        Message message = selective.receive(10_000);
        assertThat(message.getBody(String.class)).isEqualTo(String.valueOf(i));
        assertThat(message.getJMSRedelivered()).isTrue();
      }
      assertThat(selective.receiveNoWait()).isNull();
      other.close();
    }
  }
}
