package io.metaq.containers;

import static org.awaitility.Awaitility.await;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.JMSContext;
import jakarta.jms.Message;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

/** The broker of the tests, always at the same address, which the servers are configured with. */
final class Broker implements AutoCloseable {
  private static final int PORT = 18123;
  static final String URL = "metaq://127.0.0.1:" + PORT;

  private final Path directory;
  private EmbeddedBroker broker;

  Broker(Path directory) {
    this.directory = directory;
    start();
  }

  void start() {
    broker =
        await()
            .atMost(Duration.ofMinutes(1))
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(
                () -> EmbeddedBroker.builder().dataDirectory(directory).port(PORT).start(),
                Objects::nonNull);
  }

  void killAndStartAgain() {
    broker.kill();
    start();
  }

  JMSContext client() {
    return new MetaqConnectionFactory(URL).createContext();
  }

  void send(String queue, String text) {
    try (JMSContext client = client()) {
      client.createProducer().send(client.createQueue(queue), text);
    }
  }

  void publish(String topic, String text) {
    try (JMSContext client = client()) {
      client.createProducer().send(client.createTopic(topic), text);
    }
  }

  /** The next message, or null if none comes in time. */
  Message receive(String queue, Duration within) {
    try (JMSContext client = client()) {
      return client.createConsumer(client.createQueue(queue)).receive(within.toMillis());
    }
  }

  @Override
  public void close() {
    broker.close();
  }
}
