package io.metaq.ra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.ra.support.TestBroker;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the name of an administered destination may hold. */
class AdministeredDestinationTest {
  @TempDir Path data;

  private static AdminQueue queue(String physicalName) {
    AdminQueue queue = new AdminQueue();
    queue.setPhysicalName(physicalName);
    return queue;
  }

  @Test
  void optionsForConsumersStandBehindTheName() throws Exception {
    AdminQueue first = queue("orders?consumer.priority=10");
    AdminTopic topic = new AdminTopic();
    topic.setPhysicalName("news?consumer.priority=1");
    assertThat(first.getQueueName()).isEqualTo("orders");
    assertThat(first.nameWithOptions()).isEqualTo("orders?consumer.priority=10");
    assertThat(topic.getTopicName()).isEqualTo("news");
    assertThat(first).isEqualTo(queue("orders"));
    try (TestBroker broker = new TestBroker(data);
        JMSContext context = broker.client()) {
      JMSConsumer plain = context.createConsumer(queue("orders"));
      JMSConsumer preferred = context.createConsumer(first);
      context.createProducer().send(first, "a");
      context.createProducer().send(context.createQueue("orders"), "b");
      assertThat(plain.receiveNoWait()).isNull();
      assertThat(preferred.receiveBody(String.class, 10_000)).isEqualTo("a");
      assertThat(preferred.receiveBody(String.class, 10_000)).isEqualTo("b");
    }
  }

  @Test
  void aFaultInThemIsSaidWhenTheNameIsSet() {
    assertThatThrownBy(() -> queue("orders?consumer.prio=10"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("consumer.prio=10")
        .hasMessageContaining("consumer.priority");
    assertThatThrownBy(() -> new AdminTopic().setPhysicalName("t?consumer.priority=x"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
