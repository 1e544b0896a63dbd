package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.engine.EngineClock;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clocks of client and broker that are an hour apart, either way. */
@Timeout(60)
class ClockTest {
  private static final long HOUR = 3_600_000;

  @TempDir Path data;

  private interface Action {
    void with(Session session, Queue queue) throws Exception;
  }

  private void apart(long millis, Action action) throws Exception {
    EngineClock clock =
        new EngineClock(() -> System.currentTimeMillis() + millis, System::nanoTime);
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).clock(clock).start();
        Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      connection.start();
      Session session = connection.createSession();
      action.with(session, session.createQueue("q"));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {HOUR, -HOUR})
  void aMessageLivesAsLongAsItsTimeToLiveSays(long brokerAhead) throws Exception {
    apart(
        brokerAhead,
        (session, queue) -> {
          MessageProducer producer = session.createProducer(queue);
          Message dying = session.createTextMessage("dying");
          producer.send(dying, DeliveryMode.PERSISTENT, 4, 200);
          Message living = session.createTextMessage("living");
          long before = System.currentTimeMillis();
          producer.send(living, DeliveryMode.PERSISTENT, 4, 60_000);
          assertThat(living.getJMSExpiration())
              .isBetween(before + 60_000, System.currentTimeMillis() + 60_000);
          MessageConsumer idle = session.createConsumer(session.createQueue("other"));
          while (System.currentTimeMillis() <= dying.getJMSExpiration()) {
            idle.receive(20);
          }
          Message received = session.createConsumer(queue).receive(10_000);
          assertThat(received.getBody(String.class)).isEqualTo("living");
          assertThat(received.getJMSExpiration()).isEqualTo(living.getJMSExpiration());
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {HOUR, -HOUR})
  void whatExpiresInTheClientsBufferIsJudgedByTheSameClock(long brokerAhead) throws Exception {
    apart(
        brokerAhead,
        (session, queue) -> {
          MessageConsumer consumer = session.createConsumer(queue);
          MessageProducer producer = session.createProducer(queue);
          Message dying = session.createTextMessage("dying");
          producer.send(session.createTextMessage("first"));
          producer.send(dying, DeliveryMode.PERSISTENT, 4, 300);
          producer.send(session.createTextMessage("living"), DeliveryMode.PERSISTENT, 4, 60_000);
          assertThat(consumer.receive(10_000).getBody(String.class)).isEqualTo("first");
          MessageConsumer idle = session.createConsumer(session.createQueue("other"));
          while (System.currentTimeMillis() <= dying.getJMSExpiration()) {
            idle.receive(20);
          }
          assertThat(consumer.receive(10_000).getBody(String.class)).isEqualTo("living");
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {HOUR, -HOUR})
  void aDelayIsAsLongAsItSays(long brokerAhead) throws Exception {
    apart(
        brokerAhead,
        (session, queue) -> {
          MessageProducer producer = session.createProducer(queue);
          MessageConsumer consumer = session.createConsumer(queue);
          producer.setDeliveryDelay(500);
          Message message = session.createTextMessage("later");
          long began = System.nanoTime();
          producer.send(message);
          Message received = consumer.receive(20_000);
          long took = (System.nanoTime() - began) / 1_000_000;
          assertThat(received.getBody(String.class)).isEqualTo("later");
          assertThat(took).isBetween(499L, 10_000L); // the broker's clock counts in ms
          assertThat(received.getJMSDeliveryTime()).isEqualTo(message.getJMSDeliveryTime());
          assertThat(message.getJMSDeliveryTime() - message.getJMSTimestamp()).isEqualTo(500);
        });
  }
}
