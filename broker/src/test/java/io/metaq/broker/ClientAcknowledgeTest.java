package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.jms.MetaqSession;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acknowledging what was received before the connection was lost. */
class ClientAcknowledgeTest {
  @TempDir Path data;

  @ParameterizedTest
  @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, MetaqSession.INDIVIDUAL_ACKNOWLEDGE})
  void whatALostConnectionTookAwayIsNotSaidToBeAcknowledgedAndComesAgain(int mode)
      throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
    int port = broker.port();
    try (Connection connection =
        new MetaqConnectionFactory("metaq://127.0.0.1:" + port).createConnection()) {
      connection.start();
      Session session = connection.createSession(mode);
      MessageProducer producer = session.createProducer(session.createQueue("q"));
      producer.send(session.createTextMessage("first"));
      producer.send(session.createTextMessage("second"));
      MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
      consumer.receive(10_000);
      Message second = consumer.receive(10_000);
      broker.kill();
      broker = EmbeddedBroker.builder().port(port).dataDirectory(data).start();
      Message firstAgain = consumer.receive(20_000);
      assertThat(firstAgain.getJMSRedelivered()).isTrue();
      assertThatThrownBy(second::acknowledge)
          .isInstanceOf(JMSException.class)
          .extracting(e -> ((JMSException) e).getErrorCode())
          .isEqualTo("CONNECTION_LOST");
      Message secondAgain = consumer.receive(10_000);
      assertThat(secondAgain.getBody(String.class)).isEqualTo("second");
      firstAgain.acknowledge();
      secondAgain.acknowledge();
      consumer.close();
      assertThat(session.createConsumer(session.createQueue("q")).receiveNoWait()).isNull();
    } finally {
      broker.close();
    }
  }
}
