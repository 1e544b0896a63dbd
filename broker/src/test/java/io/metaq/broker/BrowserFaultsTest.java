package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Enumeration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case D5: what befalls a browser between hasMoreElements and nextElement. */
class BrowserFaultsTest {
  private static final Duration PROMPTLY = Duration.ofSeconds(20);

  @TempDir Path data;

  private static JMSContext connect(EmbeddedBroker broker) {
    return new MetaqConnectionFactory("metaq://127.0.0.1:" + broker.port()).createContext();
  }

  @Test
  void aMessageThatExpiresUnderABrowserIsNoHangAndLeavesTheOthersToConsumers() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
        JMSContext context = connect(broker)) {
      Queue queue = context.createQueue("q");
      context.createProducer().setTimeToLive(700).send(queue, "short");
      context.createProducer().send(queue, "long");
      Enumeration<?> all = context.createBrowser(queue).getEnumeration();
      assertThat(all.hasMoreElements()).isTrue();
      Awaitility.await().until(() -> first(context, queue).equals("long"));
      assertTimeoutPreemptively(
          PROMPTLY,
          () -> {
            assertThat(((Message) all.nextElement()).getBody(String.class)).isIn("short", "long");
            while (all.hasMoreElements()) {
              assertThat(((Message) all.nextElement()).getBody(String.class)).isEqualTo("long");
            }
          });
      assertThat(context.createConsumer(queue).receiveBody(String.class, 10_000)).isEqualTo("long");
    }
  }

  private static String first(JMSContext context, Queue queue) throws Exception {
    try (QueueBrowser browser = context.createBrowser(queue)) {
      Enumeration<?> all = browser.getEnumeration();
      return all.hasMoreElements() ? ((Message) all.nextElement()).getBody(String.class) : "";
    }
  }

  @Test
  void aCutConnectionEndsAnEnumerationAndTakesNothing() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
    int port = broker.port();
    try (JMSContext context = connect(broker)) {
      Queue queue = context.createQueue("q");
      for (int i = 0; i < 500; i++) { // more than a page
        context.createProducer().send(queue, "m" + i);
      }
      Enumeration<?> all = context.createBrowser(queue).getEnumeration();
      assertThat(all.hasMoreElements()).isTrue();
      broker.kill();
      broker = EmbeddedBroker.builder().port(port).dataDirectory(data).start();
      assertTimeoutPreemptively(
          PROMPTLY,
          () ->
              assertThatThrownBy(
                      () -> {
                        while (all.hasMoreElements()) {
                          all.nextElement();
                        }
                      })
                  .isInstanceOf(JMSRuntimeException.class));
      JMSConsumer consumer = context.createConsumer(queue);
      for (int i = 0; i < 500; i++) {
        assertThat(consumer.receiveBody(String.class, 10_000)).isEqualTo("m" + i);
      }
    } finally {
      broker.close();
    }
  }
}
