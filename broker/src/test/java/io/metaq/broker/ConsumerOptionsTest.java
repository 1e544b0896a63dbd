package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Options for consumers behind the name of a destination. */
class ConsumerOptionsTest {
  @TempDir Path data;

  private interface Action {
    void with(Session session) throws Exception;
  }

  private void connected(Action action) throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
        Connection connection =
            new MetaqConnectionFactory("metaq://127.0.0.1:" + broker.port()).createConnection()) {
      connection.start();
      action.with(connection.createSession());
    }
  }

  private static void send(Session session, int count) throws JMSException {
    MessageProducer producer = session.createProducer(session.createQueue("q"));
    for (int i = 0; i < count; i++) {
      producer.send(session.createTextMessage("m" + i));
    }
  }

  private static List<String> drain(MessageConsumer consumer) throws JMSException {
    List<String> texts = new ArrayList<>();
    Message message;
    while ((message = consumer.receiveNoWait()) != null) {
      texts.add(message.getBody(String.class));
    }
    return texts;
  }

  @Test
  void theConsumerOfTheHighestPriorityIsServedFirst() throws Exception {
    connected(
        session -> {
          MessageConsumer plain = session.createConsumer(session.createQueue("q"));
          MessageConsumer first =
              session.createConsumer(session.createQueue("q?consumer.priority=10"));
          MessageConsumer last =
              session.createConsumer(session.createQueue("q?consumer.priority=-10"));
          send(session, 4);
          assertThat(drain(first)).containsExactly("m0", "m1", "m2", "m3");
          assertThat(drain(plain)).isEmpty();
          first.close();
          send(session, 2);
          assertThat(drain(last)).isEmpty();
          assertThat(drain(plain)).containsExactly("m0", "m1");
        });
  }

  @Test
  void anExclusiveConsumerGetsEverythingUntilItCloses() throws Exception {
    connected(
        session -> {
          MessageConsumer plain = session.createConsumer(session.createQueue("q"));
          MessageConsumer only =
              session.createConsumer(session.createQueue("q?consumer.exclusive=true"));
          send(session, 4);
          assertThat(drain(plain)).isEmpty();
          assertThat(drain(only)).containsExactly("m0", "m1", "m2", "m3");
          only.close();
          send(session, 2);
          assertThat(drain(plain)).containsExactly("m0", "m1");
        });
  }

  @Test
  void anOptionThatIsNotThereIsAnInvalidDestination() throws Exception {
    connected(
        session ->
            assertThatThrownBy(() -> session.createQueue("q?consumer.exclusiv=true"))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("consumer.exclusiv=true")
                .hasMessageContaining("consumer.exclusive"));
  }
}
