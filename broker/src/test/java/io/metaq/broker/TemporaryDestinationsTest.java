package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How long temporary destinations live, and for whom (Jakarta Messaging 3.1, 6.2.2). */
@Timeout(60)
class TemporaryDestinationsTest {
  @TempDir Path data;

  private EmbeddedBroker start(int port) throws Exception {
    return EmbeddedBroker.builder().port(port).dataDirectory(data).start();
  }

  @Test
  void overARestartOneKeepsItsNameAndLosesItsContents() throws Exception {
    EmbeddedBroker broker = start(0);
    int port = broker.port();
    try (Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      connection.start();
      Session session = connection.createSession();
      TemporaryQueue temporary = session.createTemporaryQueue();
      String name = temporary.getQueueName();
      session.createProducer(temporary).send(session.createTextMessage("before"));
      broker.kill();
      broker = start(port);
      MessageConsumer consumer = session.createConsumer(temporary);
      assertThat(consumer.receiveNoWait()).isNull();
      try (JMSContext other = new MetaqConnectionFactory(broker.url()).createContext()) {
        other.createProducer().send(temporary, "after");
      }
      assertThat(consumer.receive(10_000).getBody(String.class)).isEqualTo("after");
      assertThat(temporary.getQueueName()).isEqualTo(name);
    } finally {
      broker.close();
    }
  }

  @Test
  void nothingIsCreatedOnUseUnderTheNameOfOneThatIsGone() throws Exception {
    try (EmbeddedBroker broker = start(0);
        Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      Session session = connection.createSession();
      TemporaryQueue temporary = session.createTemporaryQueue();
      temporary.delete();
      assertThatThrownBy(() -> session.createConsumer(temporary))
          .isInstanceOf(InvalidDestinationException.class);
      assertThatThrownBy(
              () -> session.createConsumer(session.createQueue(temporary.getQueueName())))
          .isInstanceOf(InvalidDestinationException.class);
      assertThatThrownBy(
              () ->
                  session
                      .createProducer(session.createQueue(temporary.getQueueName()))
                      .send(session.createMessage()))
          .isInstanceOf(InvalidDestinationException.class);
    }
  }

  @Test
  void contextsMadeFromOneShareThemUntilTheLastIsClosed() throws Exception {
    try (EmbeddedBroker broker = start(0);
        JMSContext sender = new MetaqConnectionFactory(broker.url()).createContext()) {
      JMSContext first = new MetaqConnectionFactory(broker.url()).createContext();
      JMSContext second = first.createContext(JMSContext.AUTO_ACKNOWLEDGE);
      TemporaryQueue temporary = first.createTemporaryQueue();
      first.close();
      sender.createProducer().send(temporary, "m");
      assertThat(second.createConsumer(temporary).receiveBody(String.class, 10_000)).isEqualTo("m");
      second.close();
      assertThatThrownBy(() -> sender.createProducer().send(temporary, "m"))
          .isInstanceOf(jakarta.jms.InvalidDestinationRuntimeException.class);
    }
  }
}
