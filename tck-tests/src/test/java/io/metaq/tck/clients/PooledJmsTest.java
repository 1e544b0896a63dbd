package io.metaq.tck.clients;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.messaginghub.pooled.jms.JmsPoolConnectionFactory;

/** The connection pool of messaginghub. */
@Tag("conformance")
@Timeout(120)
class PooledJmsTest {

  @Test
  void borrowedConnectionsWorkOverRestarts(@TempDir Path directory) throws Exception {
    try (Restarts broker = new Restarts(directory)) {
      JmsPoolConnectionFactory pool = pool(broker);
      List<String> received = new ArrayList<>();
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        if (i % 10 == 5) {
          broker.killAndStart();
        }
        try (Connection connection = pool.createConnection();
            Session session = connection.createSession(Session.SESSION_TRANSACTED)) {
          connection.start();
          Queue queue = session.createQueue("pooled");
          MessageProducer producer = session.createProducer(queue);
          producer.send(session.createTextMessage("m" + i));
          session.commit();
          sent.add("m" + i);
          MessageConsumer consumer = session.createConsumer(queue);
          received.add(((TextMessage) consumer.receive(30_000)).getText());
          session.commit();
          consumer.close();
        }
      }
      pool.stop();
      assertThat(received).isEqualTo(sent);
      assertThat(broker.drain("pooled")).isEmpty();
    }
  }

  @Test
  void aHeldSessionWorksOverARestart(@TempDir Path directory) throws Exception {
    try (Restarts broker = new Restarts(directory)) {
      JmsPoolConnectionFactory pool = pool(broker);
      try (Connection connection = pool.createConnection()) {
        connection.start();
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("pooled");
        MessageProducer producer = session.createProducer(queue);
        MessageConsumer consumer = session.createConsumer(queue);
        producer.send(session.createTextMessage("before"));
        Message before = consumer.receive(30_000);
        before.acknowledge();
        broker.killAndStart();
        producer.send(session.createTextMessage("after"));
        TextMessage after = (TextMessage) consumer.receive(30_000);
        assertThat(after.getText()).isEqualTo("after");
        after.acknowledge();
      }
      pool.stop();
      assertThat(broker.drain("pooled")).isEmpty();
    }
  }

  private static JmsPoolConnectionFactory pool(Restarts broker) {
    JmsPoolConnectionFactory pool = new JmsPoolConnectionFactory();
    pool.setConnectionFactory(broker.factory());
    pool.setMaxConnections(2);
    return pool;
  }
}
