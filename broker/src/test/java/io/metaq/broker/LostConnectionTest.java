package io.metaq.broker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an application sees of a connection that was lost. */
class LostConnectionTest {
  @TempDir Path data;

  private EmbeddedBroker start(int port) throws Exception {
    return EmbeddedBroker.builder().port(port).dataDirectory(data).start();
  }

  private static void publish(Session session, Topic topic, String text) throws JMSException {
    session.createProducer(topic).send(session.createTextMessage(text));
  }

  private static String text(Message message) throws JMSException {
    return message == null ? null : message.getBody(String.class);
  }

  @Test
  void anExceptionListenerMayCloseItsConnection() throws Exception {
    EmbeddedBroker broker = start(0);
    Connection connection =
        new MetaqConnectionFactory("metaq://127.0.0.1:" + broker.port() + "?reconnect=false")
            .createConnection();
    CompletableFuture<JMSException> heard = new CompletableFuture<>();
    ExceptionListener closing =
        lost -> {
          try {
            connection.close();
            heard.complete(lost);
          } catch (JMSException e) {
            heard.completeExceptionally(e);
          }
        };
    connection.setExceptionListener(closing);
    connection.start();
    MessageConsumer consumer =
        connection.createSession().createConsumer(connection.createSession().createQueue("q"));
    CompletableFuture<Message> pending =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return consumer.receive();
              } catch (JMSException e) {
                throw new java.util.concurrent.CompletionException(e);
              }
            });
    broker.kill();
    assertThat(heard.get(10, SECONDS)).isNotNull();
    assertThat(pending.handle((message, thrown) -> message).get(10, SECONDS)).isNull();
    assertThatThrownBy(connection::createSession).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void noLocalHoldsAcrossAReconnect() throws Exception {
    EmbeddedBroker broker = start(0);
    int port = broker.port();
    String url = "metaq://127.0.0.1:" + port;
    try (Connection connection = new MetaqConnectionFactory(url).createConnection();
        Connection durable = new MetaqConnectionFactory(url + "?clientId=c").createConnection();
        Connection other = new MetaqConnectionFactory(url).createConnection()) {
      connection.start();
      durable.start();
      Session mine = connection.createSession();
      Session kept = durable.createSession();
      Topic topic = mine.createTopic("t");
      MessageConsumer transientOne = mine.createConsumer(topic, null, true);
      MessageConsumer durableOne = kept.createDurableConsumer(topic, "s", null, true);
      publish(kept, topic, "before the loss");
      broker.kill();
      broker = start(port);
      publish(kept, topic, "of the durable one's");
      publish(mine, topic, "of the transient one's");
      publish(other.createSession(), topic, "of others");
      assertThat(text(durableOne.receive(10_000))).isEqualTo("of the transient one's");
      assertThat(text(durableOne.receive(10_000))).isEqualTo("of others");
      assertThat(durableOne.receiveNoWait()).isNull();
      String first = text(transientOne.receive(10_000));
      while (!"of others".equals(first)) { // what came before the loss may be gone with it
        assertThat(first).isIn("before the loss", "of the durable one's");
        first = text(transientOne.receive(10_000));
      }
      assertThat(transientOne.receiveNoWait()).isNull();
    } finally {
      broker.close();
    }
  }
}
