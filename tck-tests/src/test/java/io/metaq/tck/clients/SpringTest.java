package io.metaq.tck.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import jakarta.jms.ConnectionFactory;
import jakarta.jms.MessageListener;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jms.connection.CachingConnectionFactory;
import org.springframework.jms.core.JmsTemplate;
import org.springframework.jms.listener.DefaultMessageListenerContainer;
import org.springframework.util.backoff.FixedBackOff;

/** Spring's JmsTemplate and DefaultMessageListenerContainer. */
@Tag("conformance")
@Timeout(120)
class SpringTest {

  private static final int MESSAGES = 60;

  @Test
  void aTemplateAndAContainerLoseNothingOverRestarts(@TempDir Path directory) throws Exception {
    try (Restarts broker = new Restarts(directory)) {
      Set<String> received = new ConcurrentSkipListSet<>();
      DefaultMessageListenerContainer container =
          container(
              broker.factory(),
              message -> {
                try {
                  received.add(((TextMessage) message).getText());
                } catch (jakarta.jms.JMSException e) {
                  throw new AssertionError("cannot read", e);
                }
              });
      CachingConnectionFactory caching = new CachingConnectionFactory(broker.factory());
      JmsTemplate template = new JmsTemplate(caching);
      Set<String> sent = new TreeSet<>();
      for (int i = 0; i < MESSAGES; i++) {
        if (i == MESSAGES / 3 || i == 2 * MESSAGES / 3) {
          broker.killAndStart();
        }
        template.convertAndSend("spring", "m" + i);
        sent.add("m" + i);
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(received).isEqualTo(sent));
      container.shutdown();
      caching.destroy();
      assertThat(broker.drain("spring")).isEmpty();
    }
  }

  @Test
  void aTransactedTemplateReceivesOverRestarts(@TempDir Path directory) throws Exception {
    try (Restarts broker = new Restarts(directory)) {
      CachingConnectionFactory caching = new CachingConnectionFactory(broker.factory());
      JmsTemplate template = new JmsTemplate(caching);
      template.setSessionTransacted(true);
      template.setReceiveTimeout(30_000);
      for (int i = 0; i < 10; i++) {
        template.convertAndSend("spring", "m" + i);
      }
      for (int i = 0; i < 10; i++) {
        if (i % 4 == 3) {
          broker.killAndStart();
        }
        assertThat(template.receiveAndConvert("spring")).isEqualTo("m" + i);
      }
      caching.destroy();
      assertThat(broker.drain("spring")).isEmpty();
    }
  }

  private static DefaultMessageListenerContainer container(
      ConnectionFactory factory, MessageListener listener) {
    DefaultMessageListenerContainer container = new DefaultMessageListenerContainer();
    container.setConnectionFactory(factory);
    container.setDestinationName("spring");
    container.setMessageListener(listener);
    container.setSessionTransacted(true);
    container.setConcurrency("2-3");
    container.setBackOff(new FixedBackOff(100, FixedBackOff.UNLIMITED_ATTEMPTS));
    container.afterPropertiesSet();
    container.start();
    return container;
  }
}
