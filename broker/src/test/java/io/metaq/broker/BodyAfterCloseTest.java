package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.Arrays;
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
}
