package io.metaq.tck.kills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.tck.transactions.ChildProcess;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Client processes, really killed, and what others then hear of the messages that they held. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class KilledClientTest {
  @TempDir Path directory;
  private BrokerProcess broker;

  @BeforeEach
  void makeBroker() throws Exception {
    broker = new BrokerProcess(directory);
    broker.start();
  }

  private JMSContext context(String options) {
    return new MetaqConnectionFactory(broker.url() + options)
        .createContext(JMSContext.CLIENT_ACKNOWLEDGE);
  }

  private void send(int count) {
    try (JMSContext context = context("")) {
      for (int i = 0; i < count; i++) {
        context.createProducer().send(context.createQueue(JmsClient.QUEUE), "m" + i);
      }
    }
  }

  private void killedHolding(String url, String said) throws Exception {
    try (ChildProcess client = ChildProcess.start(JmsClient.class, "listen", url, "0")) {
      client.await(said, 60_000);
      client.kill();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"after its client", "with its client"})
  void threeKillsOfItsConsumerAndOneOfTheBrokerMakeTheFourthDelivery(String brokerDies)
      throws Exception {
    try (BrokerProcess killed = broker) { // R2
      send(1);
      String url = killed.url() + "?prefetch=1";
      killedHolding(url, "GOT m0 1 false");
      killedHolding(url, "GOT m0 2 true");
      if (brokerDies.startsWith("after")) {
        awaitItIsBack();
      }
      killed.kill();
      killed.start();
      killedHolding(url, "GOT m0 3 true");
      try (JMSContext context = context("")) {
        JMSConsumer consumer = context.createConsumer(context.createQueue(JmsClient.QUEUE));
        Message message = consumer.receive(20_000);
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(4);
        assertThat(message.getJMSRedelivered()).isTrue();
        message.acknowledge();
        assertThat(consumer.receiveNoWait()).isNull();
      }
    }
  }

  /** Another consumer can have it, and gives it back unseen. */
  private void awaitItIsBack() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              try (JMSContext context = context("?prefetch=1")) {
                return context
                            .createBrowser(context.createQueue(JmsClient.QUEUE))
                            .getEnumeration()
                            .nextElement()
                        instanceof Message message
                    && message.getJMSRedelivered();
              }
            });
  }

  @Test
  void exactlyWhatAKilledClientWasHandedComesAsRedelivered() throws Exception {
    try (BrokerProcess living = broker) {
      send(20);
      try (ChildProcess client =
          ChildProcess.start(JmsClient.class, "receive", living.url() + "?prefetch=10", "3")) {
        client.await("HOLDING", 60_000);
        client.kill();
      }
      try (JMSContext context = context("")) {
        JMSConsumer consumer = context.createConsumer(context.createQueue(JmsClient.QUEUE));
        for (int i = 0; i < 20; i++) {
          expect(consumer.receive(20_000), i, i < 3);
        }
        context.acknowledge();
      }
    }
  }

  private static void expect(Message message, int number, boolean handed) throws JMSException {
    assertThat(message.getBody(String.class)).isEqualTo("m" + number);
    assertThat(message.getJMSRedelivered()).as("m%d", number).isEqualTo(handed);
    assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(handed ? 2 : 1);
  }
}
