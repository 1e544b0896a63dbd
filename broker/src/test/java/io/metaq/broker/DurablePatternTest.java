package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Durable subscriptions on patterns of topics, as an application has them. */
@Timeout(60)
class DurablePatternTest {
  @TempDir Path data;

  private EmbeddedBroker start(int port) throws Exception {
    return EmbeddedBroker.builder().port(port).dataDirectory(data).start();
  }

  private static JMSContext connect(EmbeddedBroker broker, String clientId) {
    String options = clientId == null ? "" : "?clientId=" + clientId;
    return new MetaqConnectionFactory("metaq://127.0.0.1:" + broker.port() + options)
        .createContext();
  }

  private static void publish(JMSContext context, String topic, String... texts) {
    for (String text : texts) {
      context.createProducer().send(context.createTopic(topic), text);
    }
  }

  private static List<String> receive(JMSConsumer consumer, int count) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(consumer.receiveBody(String.class, 10_000));
    }
    assertThat(consumer.receiveNoWait()).isNull();
    return texts;
  }

  @Test
  void itSurvivesKillsAndStopsAndGetsTopicsThatBeganWhileNobodyWasThere() throws Exception {
    EmbeddedBroker broker = start(0);
    int port = broker.port();
    try (JMSContext mine = connect(broker, "c")) {
      Topic prices = mine.createTopic("price.>");
      mine.createDurableConsumer(prices, "s").close();
    }
    try (JMSContext other = connect(broker, null)) {
      publish(other, "price.gold", "gold 1", "gold 2");
      broker.kill();
      broker = start(port);
      publish(other, "price.gold", "gold 3");
      publish(other, "price.eu.tin", "tin 1", "tin 2");
    }
    broker.close();
    broker = start(port);
    try (JMSContext mine = connect(broker, "c");
        JMSContext other = connect(broker, null)) {
      Topic prices = mine.createTopic("price.>");
      JMSConsumer consumer = mine.createDurableConsumer(prices, "s");
      List<String> got = receive(consumer, 5);
      assertThat(got)
          .containsExactlyInAnyOrder("gold 1", "gold 2", "gold 3", "tin 1", "tin 2")
          .containsSubsequence("gold 1", "gold 2", "gold 3")
          .containsSubsequence("tin 1", "tin 2");
      publish(other, "price.new", "live");
      assertThat(receive(consumer, 1)).containsExactly("live");
      broker.kill();
      broker = start(port);
      publish(other, "price.newer", "after a reconnect");
      assertThat(receive(consumer, 1)).containsExactly("after a reconnect");
      assertThatThrownBy(() -> mine.unsubscribe("s")).isInstanceOf(JMSRuntimeException.class);
      consumer.close();
      mine.unsubscribe("s");
      publish(other, "price.gold", "not kept");
      assertThat(receive(mine.createDurableConsumer(prices, "s"), 0)).isEmpty();
    } finally {
      broker.close();
    }
  }

  @Test
  void aSharedOneIsConsumedByTwoConnections() throws Exception {
    try (EmbeddedBroker broker = start(0);
        JMSContext one = connect(broker, null);
        JMSContext two = connect(broker, null)) {
      JMSConsumer first = one.createSharedDurableConsumer(one.createTopic("price.*"), "s");
      JMSConsumer second = two.createSharedDurableConsumer(two.createTopic("price.*"), "s");
      publish(two, "price.gold", "a", "b", "c", "d");
      List<String> got = new ArrayList<>(receive(first, 2));
      got.addAll(receive(second, 2));
      assertThat(got).containsExactlyInAnyOrder("a", "b", "c", "d");
    }
  }
}
