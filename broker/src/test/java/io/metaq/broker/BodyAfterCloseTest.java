package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A received message belongs to the application, whatever becomes of its connection. */
@Timeout(60)
class BodyAfterCloseTest {
  private static final int MEBIBYTES = 64;

  @TempDir Path data;

  @Test
  void aLargeBodyIsReadWhenItsConnectionIsClosedAndItsBrokerGone() throws Exception {
    BytesMessage received;
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
        Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      connection.start();
      Session session = connection.createSession();
      BytesMessage sent = session.createBytesMessage();
      for (int i = 0; i < MEBIBYTES; i++) {
        sent.writeBytes(chunk(i));
      }
      session.createProducer(session.createQueue("q")).send(sent);
      received = (BytesMessage) session.createConsumer(session.createQueue("q")).receive(20_000);
    }
    assertThat(received.getBodyLength()).isEqualTo((long) MEBIBYTES << 20);
    byte[] chunk = new byte[1 << 20];
    for (int i = 0; i < MEBIBYTES; i++) {
      assertThat(received.readBytes(chunk)).isEqualTo(chunk.length);
      assertThat(chunk).isEqualTo(chunk(i));
    }
    assertThat(received.readBytes(chunk)).isEqualTo(-1);
  }

  private static byte[] chunk(int number) {
    byte[] chunk = new byte[1 << 20];
    Arrays.fill(chunk, (byte) number);
    return chunk;
  }

  @Test
  void aLargeBodyIsReadAfterAcknowledgeRollbackAndTheCloseOfItsSession() throws Exception {
    byte[] body = new byte[3 << 20];
    new java.util.Random(2).nextBytes(body);
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start();
        Connection connection = new MetaqConnectionFactory(broker.url()).createConnection()) {
      connection.start();
      Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
      Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
      BytesMessage message = session.createBytesMessage();
      message.writeBytes(body);
      session.createProducer(session.createQueue("q")).send(message);
      BytesMessage rolledBack =
          (BytesMessage) transacted.createConsumer(session.createQueue("q")).receive(20_000);
      transacted.rollback();
      transacted.close();
      BytesMessage acknowledged =
          (BytesMessage) session.createConsumer(session.createQueue("q")).receive(20_000);
      acknowledged.acknowledge();
      session.close();
      for (BytesMessage received : List.of(rolledBack, acknowledged)) {
        byte[] read = new byte[body.length];
        assertThat(received.readBytes(read)).isEqualTo(body.length);
        assertThat(read).isEqualTo(body);
        assertThatThrownBy(received::acknowledge)
            .isInstanceOf(jakarta.jms.IllegalStateException.class);
      }
    }
  }
}
