package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.ServerIni;
import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.jms.MetaqSession;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that come again, and where that ends. */
@Timeout(60)
class RedeliveryTest {
  @TempDir Path data;

  private EmbeddedBroker start(int port, String settings) throws Exception {
    String ini = "[system]\nserverPort=" + port + "\njournalFileSize=16 * 1024 * 1024\n" + settings;
    return EmbeddedBroker.builder().config(ServerIni.parse(ini, data)).dataDirectory(data).start();
  }

  private static Connection connect(EmbeddedBroker broker, String options) throws JMSException {
    Connection connection =
        new MetaqConnectionFactory("metaq://127.0.0.1:" + broker.port() + options)
            .createConnection();
    connection.start();
    return connection;
  }

  private static void send(Session session, String... texts) throws JMSException {
    MessageProducer producer = session.createProducer(session.createQueue("q"));
    for (String text : texts) {
      producer.send(session.createTextMessage(text));
    }
  }

  private record Delivery(String text, int count, long nanos) {}

  @ParameterizedTest
  @ValueSource(
      ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
  @DisplayName("R1: what always fails comes with growing delays, then is dead; others go on")
  void whatAlwaysFailsBecomesADeadLetterAndHoldsUpNothing(int mode) throws Exception {
    try (EmbeddedBroker broker =
            start(0, "redeliveryDelay=100\nredeliveryMultiplier=2\nmaxDeliveries=4\n");
        Connection connection = connect(broker, "")) {
      send(connection.createSession(), "poison", "a", "b");
      List<Delivery> deliveries = new CopyOnWriteArrayList<>();
      Session session = connection.createSession(mode);
      session
          .createConsumer(session.createQueue("q"))
          .setMessageListener(
              message -> {
                try {
                  String text = message.getBody(String.class);
                  int count = message.getIntProperty("JMSXDeliveryCount");
                  deliveries.add(new Delivery(text, count, System.nanoTime()));
                  boolean fails = text.equals("poison");
                  if (mode == Session.SESSION_TRANSACTED && fails) {
                    session.rollback();
                  } else if (mode == Session.SESSION_TRANSACTED) {
                    session.commit();
                  } else if (fails) {
                    throw new IllegalArgumentException("poison");
                  }
                } catch (JMSException e) {
                  throw new IllegalStateException(e);
                }
              });
      Session other = connection.createSession();
      Message dead = other.createConsumer(other.createQueue("DLQ")).receive(20_000);
      assertThat(dead).isNotNull();
      assertThat(dead.getBody(String.class)).isEqualTo("poison");
      assertThat(dead.getStringProperty("JMS_MetaQ_OriginalDestination")).isEqualTo("q");
      assertThat(dead.getStringProperty("JMS_MetaQ_DeadLetterReason"))
          .isEqualTo("too many deliveries");
      assertThat(dead.getIntProperty("JMS_MetaQ_DeadLetterDeliveries")).isEqualTo(4);
      List<Delivery> failed =
          deliveries.stream().filter(delivery -> delivery.text.equals("poison")).toList();
      assertThat(failed).extracting(Delivery::count).containsExactly(1, 2, 3, 4);
      for (int i = 1; i < 4; i++) {
        assertThat((failed.get(i).nanos - failed.get(i - 1).nanos) / 1_000_000)
            .isGreaterThanOrEqualTo((100L << i - 1) - 5); // the broker's clock counts in ms
      }
      List<String> order = deliveries.stream().map(Delivery::text).toList();
      assertThat(order).containsOnlyOnce("a", "b");
      assertThat(order).endsWith("poison");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  @DisplayName("R4: 0 and -1 deliveries mean no limit")
  void withoutALimitAMessageIsNeverDead(int maxDeliveries) throws Exception {
    try (EmbeddedBroker broker = start(0, "maxDeliveries=" + maxDeliveries + "\n");
        Connection connection = connect(broker, "")) {
      send(connection.createSession(), "m");
      Session session = connection.createSession(Session.SESSION_TRANSACTED);
      MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
      for (int count = 1; count <= 50; count++) {
        Message message = consumer.receive(10_000);
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
        assertThat(message.getJMSRedelivered()).isEqualTo(count > 1);
        session.rollback();
      }
      Session other = connection.createSession();
      assertThat(other.createConsumer(other.createQueue("DLQ")).receiveNoWait()).isNull();
    }
  }

  @Test
  @DisplayName("R4: without configuration twenty deliveries in their order, then the end")
  void byDefaultAMessageComesTwentyTimesAtOnceAndInItsPlace() throws Exception {
    try (EmbeddedBroker broker = start(0, "");
        Connection connection = connect(broker, "")) {
      send(connection.createSession(), "a", "b");
      Session session = connection.createSession(Session.SESSION_TRANSACTED);
      MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
      for (int count = 1; count <= 20; count++) {
        Message message = consumer.receive(10_000);
        assertThat(message.getBody(String.class)).isEqualTo("a");
        assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
        session.rollback();
      }
      assertThat(consumer.receive(10_000).getBody(String.class)).isEqualTo("b");
      Session other = connection.createSession();
      assertThat(other.createConsumer(other.createQueue("DLQ")).receive(10_000)).isNotNull();
    }
  }

  @Test
  @DisplayName("each subscription of a topic gives a dead letter of its own")
  void eachSubscriptionOfATopicGivesADeadLetterOfItsOwn() throws Exception {
    try (EmbeddedBroker broker = start(0, "maxDeliveries=1\n");
        Connection connection = connect(broker, "?clientId=c")) {
      Session session = connection.createSession(Session.SESSION_TRANSACTED);
      Topic topic = session.createTopic("t");
      MessageConsumer one = session.createDurableConsumer(topic, "one");
      MessageConsumer two = session.createSharedDurableConsumer(topic, "two");
      Session other = connection.createSession();
      other.createProducer(topic).send(other.createTextMessage("m"));
      assertThat(one.receive(10_000)).isNotNull();
      assertThat(two.receive(10_000)).isNotNull();
      session.rollback();
      MessageConsumer dead = other.createConsumer(other.createQueue("DLQ"));
      List<String> subscriptions = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        Message letter = dead.receive(10_000);
        assertThat(letter.getStringProperty("JMS_MetaQ_OriginalDestination")).isEqualTo("t");
        assertThat(letter.getJMSDestination()).isEqualTo(topic);
        subscriptions.add(letter.getStringProperty("JMS_MetaQ_OriginalSubscription"));
      }
      assertThat(subscriptions).containsExactlyInAnyOrder("one", "two");
      assertThat(dead.receiveNoWait()).isNull();
    }
  }

  @Test
  @DisplayName("R4: one delivery means no second try")
  void oneDeliveryMeansNoSecondTry() throws Exception {
    try (EmbeddedBroker broker = start(0, "maxDeliveries=1\n");
        Connection connection = connect(broker, "")) {
      send(connection.createSession(), "m");
      Session session = connection.createSession(Session.SESSION_TRANSACTED);
      MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
      assertThat(consumer.receive(10_000)).isNotNull();
      session.rollback();
      Session other = connection.createSession();
      assertThat(other.createConsumer(other.createQueue("DLQ")).receive(10_000)).isNotNull();
      assertThat(consumer.receiveNoWait()).isNull();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, false", "2, true"})
  @DisplayName("R5: of random acknowledgements exactly the others come again, in order")
  void exactlyTheUnacknowledgedOnesComeAgainInOrder(long seed, boolean brokerDies)
      throws Exception {
    EmbeddedBroker broker = start(0, "");
    List<String> expected = new ArrayList<>();
    try {
      try (Connection connection = connect(broker, "?reconnect=false")) {
        Session session = connection.createSession(MetaqSession.INDIVIDUAL_ACKNOWLEDGE);
        String[] texts = new String[300];
        for (int i = 0; i < texts.length; i++) {
          texts[i] = "m" + i;
        }
        send(session, texts);
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        List<Message> window = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
          window.add(consumer.receive(10_000));
        }
        Random random = new Random(seed);
        Collections.shuffle(window, random);
        for (Message message : window.subList(0, 100)) {
          message.acknowledge();
        }
        List<String> acknowledged = new ArrayList<>();
        for (Message message : window.subList(0, 100)) {
          acknowledged.add(message.getBody(String.class));
        }
        for (String text : texts) {
          if (!acknowledged.contains(text)) {
            expected.add(text);
          }
        }
        if (brokerDies) {
          broker.kill();
        }
      }
      if (brokerDies) {
        broker = start(0, "");
      }
      try (Connection connection = connect(broker, "")) {
        Session session = connection.createSession();
        MessageConsumer consumer = session.createConsumer(session.createQueue("q"));
        for (String text : expected) {
          Message message = consumer.receive(10_000);
          assertThat(message.getBody(String.class)).isEqualTo(text);
          if (Integer.parseInt(text.substring(1)) < 200) {
            assertThat(message.getJMSRedelivered()).isTrue();
          }
        }
        assertThat(consumer.receiveNoWait()).isNull();
      }
    } finally {
      broker.close();
    }
  }
}
