package io.metaq.tck.clients;

import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.tck.kills.BrokerProcess;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A broker in a process of its own, and what a test wants of it. */
final class Restarts implements AutoCloseable {

  private final BrokerProcess process;

  Restarts(Path directory) throws IOException {
    process = new BrokerProcess(directory);
    process.start();
  }

  MetaqConnectionFactory factory() {
    return new MetaqConnectionFactory(process.url());
  }

  /** As after a crash: no word to the clients, the same data and port. */
  void killAndStart() throws IOException {
    process.kill();
    process.start();
  }

  /** What is left on a queue. */
  List<String> drain(String queue) throws JMSException {
    List<String> texts = new ArrayList<>();
    try (Connection connection = factory().createConnection()) {
      connection.start();
      Session session = connection.createSession();
      MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
      for (TextMessage m = next(consumer); m != null; m = next(consumer)) {
        texts.add(m.getText());
      }
    }
    return texts;
  }

  private static TextMessage next(MessageConsumer consumer) throws JMSException {
    return (TextMessage) consumer.receive(500);
  }

  @Override
  public void close() {
    process.close();
  }
}
