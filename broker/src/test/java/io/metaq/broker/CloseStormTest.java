package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C5: everything is closed from everywhere at once, while the broker goes down and comes back. */
class CloseStormTest {
  private static final int ROUNDS = 15;

  @TempDir Path data;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private EmbeddedBroker broker;

  @AfterEach
  void stop() throws Exception {
    threads.shutdownNow();
    broker.close();
  }

  /** A part of the API to close; what it throws must be what the specification says. */
  private interface Close {
    void run() throws JMSException;
  }

  @Test
  void everyCloseReturnsWithinTenSeconds() throws Exception {
    broker = EmbeddedBroker.builder().dataDirectory(data).start();
    int port = broker.port();
    for (int round = 0; round < ROUNDS; round++) {
      storm(port, round % 3 == 0);
    }
  }

  private void storm(int port, boolean restart) throws Exception {
    Connection connection =
        new MetaqConnectionFactory("metaq://127.0.0.1:" + port).createConnection();
    Session listening = connection.createSession();
    Session receiving = connection.createSession(true, Session.SESSION_TRANSACTED);
    Session sending = connection.createSession();
    Queue queue = listening.createQueue("storm");
    MessageConsumer listener = listening.createConsumer(queue);
    MessageConsumer receiver = receiving.createConsumer(queue);
    MessageProducer producer = sending.createProducer(queue);
    CountDownLatch heard = new CountDownLatch(1);
    listener.setMessageListener(message -> heard.countDown());
    connection.setExceptionListener(failure -> quietly(connection::close));
    connection.start();
    Future<?> waiting = threads.submit(() -> quietly(receiver::receive));
    for (int i = 0; i < 20; i++) {
      producer.send(sending.createTextMessage("m" + i));
    }
    assertThat(heard.await(10, TimeUnit.SECONDS)).isTrue();

    CountDownLatch go = new CountDownLatch(1);
    List<Future<?>> closing = new ArrayList<>();
    for (Close part :
        List.<Close>of(
            connection::close,
            listening::close,
            receiving::close,
            sending::close,
            listener::close,
            receiver::close,
            producer::close,
            connection::stop,
            connection::close)) {
      closing.add(
          threads.submit(
              () -> {
                go.await();
                quietly(part);
                return null;
              }));
    }
    go.countDown();
    if (restart) {
      broker.kill();
      broker = EmbeddedBroker.builder().port(port).dataDirectory(data).start();
    }
    for (Future<?> one : closing) {
      one.get(10, TimeUnit.SECONDS);
    }
    waiting.get(10, TimeUnit.SECONDS);
  }

  /** Closed, or lost, in the words of the specification. */
  private static void quietly(Close part) {
    try {
      part.run();
    } catch (JMSException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }
}
