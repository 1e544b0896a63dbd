package io.metaq.ra.support;

import static org.awaitility.Awaitility.await;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** A broker that can be killed and started again at the same address with the same data. */
public final class TestBroker implements AutoCloseable {
  private final Path directory;
  private EmbeddedBroker broker;
  private final int port;

  public TestBroker(Path directory) throws IOException {
    this.directory = directory;
    this.broker = EmbeddedBroker.builder().dataDirectory(directory).port(0).start();
    this.port = broker.port();
  }

  public String url() {
    return "metaq://127.0.0.1:" + port;
  }

  /** As {@code kill -9} does. */
  public void kill() {
    broker.kill();
  }

  /** On the same port, as soon as the system gives it back. */
  public void startAgain() {
    broker =
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(500))
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(
                () -> EmbeddedBroker.builder().dataDirectory(directory).port(port).start(),
                Objects::nonNull);
  }

  /** A context of a plain client. */
  public JMSContext client() {
    return new MetaqConnectionFactory(url()).createContext();
  }

  public void send(String queue, String... texts) {
    try (JMSContext client = client()) {
      for (String text : texts) {
        client.createProducer().send(client.createQueue(queue), text);
      }
    }
  }

  /** The body of the next message, or null if none is there. */
  public String receive(String queue) {
    try (JMSContext client = client()) {
      return client.createConsumer(client.createQueue(queue)).receiveBody(String.class, 300);
    }
  }

  @Override
  public void close() {
    broker.close();
  }
}
