package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.ServerIni;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What keys of {@code server.ini} do to JMS clients. */
@Timeout(60)
class ServerKeysTest {
  private static final String SYSTEM = "[system]\nserverPort=0\nmaxSegmentSize=4096\n";

  /** Old at once, looked for every second. */
  private static final String SHORT_HISTORY = "deletePolicy=delete,1s\ndeleteWhen=* * * * * ?\n";

  @TempDir private Path folder;

  private EmbeddedBroker start(String ini) throws IOException, ConfigException {
    return EmbeddedBroker.builder()
        .config(ServerIni.parse(SYSTEM + ini, folder))
        .dataDirectory(folder.resolve("data"))
        .start();
  }

  private static JMSContext connect(EmbeddedBroker broker) throws JMSException {
    return new MetaqConnectionFactory(broker.url()).createContext();
  }

  private List<String> segments(String partition) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("data/partitions").resolve(partition))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".meta"))
          .sorted()
          .toList();
    }
  }

  private static void send(JMSContext context, jakarta.jms.Destination to, int from, int until) {
    for (int i = from; i < until; i++) {
      context.createProducer().setProperty("padding", "p".repeat(1000)).send(to, "message " + i);
    }
  }

  private static void receive(jakarta.jms.JMSConsumer consumer, int from, int until) {
    for (int i = from; i < until; i++) {
      jakarta.jms.Message message = consumer.receive(10_000);
      assertThat(message).as("message %d", i).isNotNull();
      try {
        assertThat(message.getBody(String.class)).isEqualTo("message " + i);
      } catch (JMSException e) {
        throw new AssertionError(e);
      }
    }
  }

  @Test
  void whereNothingMayBePublishedSendsAreRefusedAndConsumersGoOn() throws Exception {
    try (EmbeddedBroker broker = start("")) {
      try (JMSContext context = connect(broker)) {
        send(context, context.createQueue("drained"), 0, 2);
      }
      broker.kill();
    }
    try (EmbeddedBroker broker = start("[queue=drain*]\nacceptPublish=false\n");
        JMSContext context = connect(broker);
        JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
      Queue queue = context.createQueue("drained");
      assertThatThrownBy(() -> send(context, queue, 2, 3))
          .isInstanceOf(InvalidDestinationRuntimeException.class)
          .hasMessageContaining("queue drained takes no messages")
          .hasMessageContaining("acceptPublish is false");
      assertThatThrownBy(
              () -> {
                send(transacted, queue, 2, 3);
                transacted.commit();
              })
          .isInstanceOf(JMSRuntimeException.class)
          .hasMessageContaining("acceptPublish is false");
      receive(context.createConsumer(queue), 0, 2);
      send(context, context.createQueue("open"), 0, 1);
      receive(context.createConsumer(context.createQueue("open")), 0, 1);
    }
  }

  @Test
  void whereNobodyMaySubscribeConsumersAreRefusedAndWhatIsSentWaits() throws Exception {
    String closed = "[queue=closed]\nacceptSubscribe=false\n[topic=news]\nacceptSubscribe=false\n";
    try (EmbeddedBroker broker = start(closed);
        JMSContext context = connect(broker)) {
      Queue queue = context.createQueue("closed");
      Topic topic = context.createTopic("news");
      send(context, queue, 0, 2);
      String why = "acceptSubscribe is false";
      assertThatThrownBy(() -> context.createConsumer(queue).receive(10_000))
          .isInstanceOf(InvalidDestinationRuntimeException.class)
          .hasMessageContaining("queue closed has no consumers")
          .hasMessageContaining(why);
      assertThatThrownBy(() -> context.createBrowser(queue).getEnumeration())
          .isInstanceOf(InvalidDestinationException.class)
          .hasMessageContaining(why);
      assertThatThrownBy(() -> context.createSharedDurableConsumer(topic, "s"))
          .isInstanceOf(InvalidDestinationRuntimeException.class)
          .hasMessageContaining(why);
      jakarta.jms.JMSConsumer pattern = context.createConsumer(context.createTopic("*"));
      send(context, topic, 0, 1);
      send(context, context.createTopic("other"), 0, 1);
      receive(pattern, 0, 1);
      assertThat(pattern.receiveNoWait()).isNull();
    }
    try (EmbeddedBroker broker = start("");
        JMSContext context = connect(broker)) {
      receive(context.createConsumer(context.createQueue("closed")), 0, 2);
    }
  }

  @Test
  void aBrokerThatIsClosedAsAWholeStillTakesRepliesAndDeadLetters() throws Exception {
    String system = "acceptPublish=false\nmaxDeliveries=1\n[queue=work]\nacceptPublish=true\n";
    try (EmbeddedBroker broker = start(system);
        JMSContext context = connect(broker);
        JMSContext transacted = context.createContext(JMSContext.SESSION_TRANSACTED)) {
      TemporaryQueue replies = context.createTemporaryQueue();
      send(context, replies, 0, 1);
      receive(context.createConsumer(replies), 0, 1);
      send(context, context.createQueue("work"), 0, 1);
      receive(transacted.createConsumer(context.createQueue("work")), 0, 1);
      transacted.rollback();
      receive(context.createConsumer(context.createQueue("DLQ")), 0, 1);
    }
  }

  @Test
  void oldHistoryOfATopicGoesAndWhatASubscriptionNeedsStaysAlsoAcrossAKill() throws Exception {
    String ini = "[topic=news]\n" + SHORT_HISTORY + "[topic=kept]\ndeleteWhen=* * * * * ?\n";
    try (EmbeddedBroker broker = start(ini)) {
      try (JMSContext context = connect(broker)) {
        Topic news = context.createTopic("news");
        jakarta.jms.JMSConsumer consumer = context.createSharedDurableConsumer(news, "s");
        send(context, news, 0, 60);
        send(context, context.createTopic("kept"), 0, 60);
        receive(consumer, 0, 30);
      }
      broker.checkpoint();
      int all = segments("kept-0").size();
      await().atMost(Duration.ofSeconds(20)).until(() -> segments("news-0").size() <= all * 3 / 5);
      assertThat(segments("kept-0")).as("a week old only in a week").hasSize(all);
      broker.kill();
    }
    try (EmbeddedBroker broker = start(ini);
        JMSContext context = connect(broker)) {
      Topic news = context.createTopic("news");
      receive(context.createSharedDurableConsumer(news, "s"), 30, 60);
      await().atMost(Duration.ofSeconds(20)).until(() -> segments("news-0").size() == 1);
    }
  }

  @Test
  void historyGoesAlsoAfterAStartFromASnapshotAndStaysGone() throws Exception {
    try (EmbeddedBroker broker = start("[topic=news]\n");
        JMSContext context = connect(broker)) {
      Topic news = context.createTopic("news");
      jakarta.jms.JMSConsumer consumer = context.createSharedDurableConsumer(news, "s");
      send(context, news, 0, 60);
      receive(consumer, 0, 50);
    }
    int all = segments("news-0").size();
    assertThat(all).isGreaterThan(5);
    String ini = "[topic=news]\n" + SHORT_HISTORY;
    try (EmbeddedBroker broker = start(ini)) {
      await().atMost(Duration.ofSeconds(20)).until(() -> segments("news-0").size() <= all / 3);
      broker.kill();
    }
    int left = segments("news-0").size();
    try (EmbeddedBroker broker = start(ini);
        JMSContext context = connect(broker)) {
      assertThat(segments("news-0")).hasSizeLessThanOrEqualTo(left);
      receive(context.createSharedDurableConsumer(context.createTopic("news"), "s"), 50, 60);
    }
  }

  @Test
  void whatIsToBeArchivedStays() throws Exception {
    String policies = "[topic=gone]\n" + SHORT_HISTORY + "[topic=kept]\n";
    String archive = SHORT_HISTORY.replace("delete,", "archive,");
    try (EmbeddedBroker broker = start(policies + archive);
        JMSContext context = connect(broker)) {
      send(context, context.createTopic("kept"), 0, 30);
      send(context, context.createTopic("gone"), 0, 30);
      broker.checkpoint();
      int all = segments("kept-0").size();
      await().atMost(Duration.ofSeconds(20)).until(() -> segments("gone-0").size() == 1);
      assertThat(all).isGreaterThan(3);
      assertThat(segments("kept-0")).hasSize(all);
    }
  }
}
