package io.metaq.tck.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 4.2: topics and their subscriptions. */
@Conformance
class TopicTest {

  @Test
  @Assertion(section = "4.2.2", text = "Every subscription gets a copy of each message, in order")
  void everySubscriptionGetsACopy(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    MessageConsumer first = jms.session().createConsumer(topic);
    MessageConsumer second = jms.session().createConsumer(topic);
    MessageConsumer third = jms.session().createConsumer(topic);
    jms.send(topic, "a", "b", "c");
    for (MessageConsumer consumer : new MessageConsumer[] {first, second, third}) {
      assertThat(Jms.receiveTexts(consumer, 3)).containsExactly("a", "b", "c");
      assertThat(consumer.receiveNoWait()).isNull();
    }
  }

  @Test
  @Assertion(
      section = "4.2.2",
      text = "A subscription gets what is sent after it was created, and nothing from before")
  void nothingFromBefore(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    jms.send(topic, "before");
    MessageConsumer consumer = jms.session().createConsumer(topic);
    jms.send(topic, "after");
    assertThat(Jms.receiveText(consumer)).isEqualTo("after");
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(section = "4.2.2", text = "Copies are separate: acknowledging one leaves the others")
  void copiesAreSeparate(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session one = jms.session(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer first = one.createConsumer(topic);
    Session other = jms.session(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer second = other.createConsumer(topic);
    jms.send(topic, "a");
    Jms.receive(first).acknowledge();
    Jms.receive(second);
    other.recover();
    Message copy = Jms.receive(second);
    assertThat(copy.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    one.recover();
    assertThat(first.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "4.2.2",
      text = "A selector keeps what does not match out of the subscription")
  void selectors(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    MessageConsumer big = jms.session().createConsumer(topic, "n >= 2");
    MessageConsumer all = jms.session().createConsumer(topic);
    for (int i = 0; i < 4; i++) {
      Message message = jms.text("m" + i);
      message.setIntProperty("n", i);
      jms.send(topic, message);
    }
    assertThat(Jms.receiveTexts(big, 2)).containsExactly("m2", "m3");
    assertThat(big.receiveNoWait()).isNull();
    assertThat(Jms.receiveTexts(all, 4)).hasSize(4);
  }

  @Test
  @Assertion(section = "4.2.2", text = "A non-durable subscription ends with its consumer")
  void nonDurableEndsWithItsConsumer(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.session();
    MessageConsumer consumer = session.createConsumer(topic);
    consumer.close();
    jms.send(topic, "missed");
    assertThat(session.createConsumer(topic).receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "4.2.2",
      text = "A subscription gets messages while its connection is stopped")
  void aStoppedConnectionStillCollects(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Connection stopped = jms.connection();
    MessageConsumer consumer = stopped.createSession().createConsumer(topic);
    jms.send(topic, "a", "b");
    stopped.start();
    assertThat(Jms.receiveTexts(consumer, 2)).containsExactly("a", "b");
  }

  @Test
  @Assertion(section = "4.2.6", text = "getTopicName gives the name createTopic was given")
  void topicName(Jms jms) throws JMSException {
    String name = jms.name("a.b-c_d");
    Topic topic = jms.own().createTopic(name);
    assertThat(topic.getTopicName()).isEqualTo(name);
    assertThat(topic.toString()).isNotBlank();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "letters",
        "digits.1.2",
        "under_score",
        "mi-nus",
        "\u00e4\u00f6\u00fc\u03b1",
        "MiXed"
      })
  @Assertion(
      section = "4.2.4",
      text = "Subscription names may have Java letters and digits, underscore, dot and minus")
  void subscriptionNames(String prefix, Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name(prefix);
    Session session = jms.started(jms.name("client")).createSession();
    Session second = jms.session();
    MessageConsumer[] consumers = {
      session.createDurableConsumer(topic, name),
      session.createSharedConsumer(topic, name),
      second.createSharedDurableConsumer(topic, name),
      second.createSharedConsumer(topic, name)
    };
    jms.send(topic, "m");
    for (MessageConsumer consumer : consumers) {
      assertThat(Jms.receiveText(consumer)).isEqualTo("m");
      consumer.close();
    }
    session.unsubscribe(name);
    second.unsubscribe(name);
  }

  @Test
  @Assertion(section = "4.2.4", text = "Subscription names may have 128 characters")
  void longSubscriptionNames(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String unique = jms.name("s");
    String name = unique + "x".repeat(128 - unique.length());
    Session session = jms.started(jms.name("client")).createSession();
    MessageConsumer consumer = session.createDurableConsumer(topic, name);
    MessageConsumer shared = session.createSharedConsumer(topic, name);
    jms.send(topic, "m");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    assertThat(Jms.receiveText(shared)).isEqualTo("m");
    consumer.close();
    session.unsubscribe(name);
  }

  @Test
  @Assertion(
      section = "6.2.3",
      text = "Subscribing to a null topic is an InvalidDestinationException")
  void nullTopic(Jms jms) throws JMSException {
    Session session = jms.started(jms.name("client")).createSession();
    assertThrows(InvalidDestinationException.class, () -> session.createConsumer(null));
    assertThrows(InvalidDestinationException.class, () -> session.createDurableConsumer(null, "s"));
    assertThrows(
        InvalidDestinationException.class, () -> session.createDurableSubscriber(null, "s"));
    assertThrows(InvalidDestinationException.class, () -> session.createSharedConsumer(null, "s"));
    assertThrows(
        InvalidDestinationException.class, () -> session.createSharedDurableConsumer(null, "s"));
  }
}
