package io.metaq.tck.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import org.junit.jupiter.api.Test;

/** Sections 8.3.1 and 8.3.3: unshared subscriptions, non-durable and durable. */
@Conformance
class UnsharedSubscriptionTest {

  @Test
  @Assertion(
      section = "8.3.1",
      text = "noLocal leaves out what the own connection sends, of any session, and nothing else")
  void noLocal(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Connection connection = jms.started();
    Session session = connection.createSession();
    MessageConsumer noLocal = session.createConsumer(topic, null, true);
    MessageConsumer local = session.createConsumer(topic, null, false);
    session.createProducer(topic).send(session.createTextMessage("own"));
    Session other = connection.createSession();
    other.createProducer(topic).send(other.createTextMessage("own too"));
    jms.send(topic, "foreign");
    assertThat(Jms.receiveTexts(local, 3)).containsExactly("own", "own too", "foreign");
    assertThat(Jms.receiveText(noLocal)).isEqualTo("foreign");
    assertThat(noLocal.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(section = "8.3.1", text = "noLocal goes with a selector")
  void noLocalAndSelector(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.session();
    MessageConsumer consumer = session.createConsumer(topic, "n = 1", true);
    Message own = session.createTextMessage("own");
    own.setIntProperty("n", 1);
    session.createProducer(topic).send(own);
    jms.send(topic, "foreign, no n");
    Message foreign = jms.text("foreign");
    foreign.setIntProperty("n", 1);
    jms.send(topic, foreign);
    assertThat(Jms.receiveText(consumer)).isEqualTo("foreign");
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text = "A durable subscription collects while it has no consumer, over connections")
  void durableCollects(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String client = jms.name("client");
    Connection first = jms.started(client);
    first.createSession().createDurableConsumer(topic, "s");
    jms.send(topic, "a");
    first.close();
    jms.send(topic, "b");
    Connection second = jms.started(client);
    Session session = second.createSession();
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    assertThat(Jms.receiveTexts(consumer, 2)).containsExactly("a", "b");
    consumer.close();
    jms.send(topic, "c");
    consumer = session.createDurableConsumer(topic, "s");
    assertThat(Jms.receiveText(consumer)).isEqualTo("c");
    consumer.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text = "Unacknowledged messages of a durable subscription come again")
  void durableRedelivers(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String client = jms.name("client");
    Connection first = jms.started(client);
    Session session = first.createSession(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    jms.send(topic, "a", "b");
    Jms.receive(consumer);
    first.close();
    Session again = jms.started(client).createSession();
    consumer = again.createDurableConsumer(topic, "s");
    Message message = Jms.receive(consumer);
    assertThat(Jms.textOf(message)).isEqualTo("a");
    assertThat(message.getJMSRedelivered()).isTrue();
    assertThat(Jms.receive(consumer).getJMSRedelivered()).isFalse();
    consumer.close();
    again.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text =
          "An unshared durable subscription has one consumer at a time, over sessions and the APIs")
  void oneConsumerAtATime(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Connection connection = jms.started(jms.name("client"));
    Session session = connection.createSession();
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    assertThrows(JMSException.class, () -> session.createDurableConsumer(topic, "s"));
    Session other = connection.createSession();
    assertThrows(JMSException.class, () -> other.createDurableConsumer(topic, "s"));
    assertThrows(JMSException.class, () -> other.createDurableSubscriber(topic, "s"));
    jms.send(topic, "m");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    consumer.close();
    MessageConsumer next = other.createDurableConsumer(topic, "s");
    next.close();
    other.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text = "Without a client id an unshared durable subscription is an IllegalStateException")
  void aClientIdIsNeeded(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.session();
    assertThrows(IllegalStateException.class, () -> session.createDurableConsumer(topic, "s"));
    assertThrows(
        IllegalStateException.class,
        () -> session.createDurableConsumer(topic, "s", "a = 1", false));
    assertThrows(IllegalStateException.class, () -> session.createDurableSubscriber(topic, "s"));
    assertThrows(
        IllegalStateException.class,
        () -> session.createDurableSubscriber(topic, "s", "a = 1", false));
    JMSContext context = jms.context();
    assertThrows(
        IllegalStateRuntimeException.class, () -> context.createDurableConsumer(topic, "s"));
    assertThrows(
        IllegalStateRuntimeException.class,
        () -> context.createDurableConsumer(topic, "s", "a = 1", false));
    TopicSession topics = jms.topicSession();
    assertThrows(IllegalStateException.class, () -> topics.createDurableSubscriber(topic, "s"));
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text = "Another topic or selector or noLocal re-creates an inactive subscription")
  void recreation(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Topic otherTopic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    session.createDurableConsumer(topic, "s").close();
    jms.send(topic, "lost 1");
    MessageConsumer selective = session.createDurableConsumer(topic, "s", "n IS NULL", false);
    assertThat(selective.receiveNoWait()).as("new selector").isNull();
    selective.close();
    jms.send(topic, "lost 2");
    MessageConsumer noLocal = session.createDurableConsumer(topic, "s", "n IS NULL", true);
    assertThat(noLocal.receiveNoWait()).as("new noLocal").isNull();
    noLocal.close();
    jms.send(topic, "lost 3");
    MessageConsumer moved = session.createDurableConsumer(otherTopic, "s", "n IS NULL", true);
    assertThat(moved.receiveNoWait()).as("new topic").isNull();
    jms.send(topic, "not subscribed any more");
    jms.send(otherTopic, "m");
    assertThat(Jms.receiveText(moved)).isEqualTo("m");
    moved.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text = "The same topic, selector and noLocal resume it; a null selector is an empty one")
  void resumption(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    session.createDurableConsumer(topic, "s", null, false).close();
    jms.send(topic, "m");
    MessageConsumer consumer = session.createDurableConsumer(topic, "s", "", false);
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    consumer.close();
    jms.send(topic, "n");
    TopicSubscriber subscriber = session.createDurableSubscriber(topic, "s");
    assertThat(Jms.receiveText(subscriber)).isEqualTo("n");
    assertThat(subscriber.getTopic()).isEqualTo(topic);
    subscriber.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(section = "8.3.3", text = "Re-creation is refused while a consumer is active")
  void noRecreationWhileActive(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    assertThrows(
        JMSException.class, () -> session.createDurableConsumer(topic, "s", "a = 1", false));
    assertThrows(JMSException.class, () -> session.createDurableConsumer(jms.topic(), "s"));
    jms.send(topic, "m");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    consumer.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text =
          "A durable noLocal subscription leaves out every connection of its client id, past ones too")
  void durableNoLocal(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String client = jms.name("client");
    Connection first = jms.started(client);
    Session session = first.createSession();
    MessageConsumer consumer = session.createDurableConsumer(topic, "s", null, true);
    session.createProducer(topic).send(session.createTextMessage("own"));
    jms.send(topic, "foreign");
    assertThat(Jms.receiveText(consumer)).isEqualTo("foreign");
    consumer.close();
    session.createProducer(topic).send(session.createTextMessage("of the past connection"));
    first.close();
    Connection second = jms.started(client);
    Session again = second.createSession();
    again.createProducer(topic).send(again.createTextMessage("of the new connection"));
    jms.send(topic, "foreign 2");
    MessageConsumer resumed = again.createDurableConsumer(topic, "s", null, true);
    assertThat(Jms.receiveText(resumed)).isEqualTo("foreign 2");
    assertThat(resumed.receiveNoWait()).isNull();
    resumed.close();
    again.unsubscribe("s");
  }

  @Test
  @Assertion(section = "8.3.3", text = "unsubscribe deletes the subscription with its messages")
  void unsubscribe(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    session.createDurableConsumer(topic, "s").close();
    jms.send(topic, "lost");
    session.unsubscribe("s");
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    assertThat(consumer.receiveNoWait()).isNull();
    consumer.close();
    session.unsubscribe("s");
    assertThrows(InvalidDestinationException.class, () -> session.unsubscribe("s"));
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text = "unsubscribe with an active consumer, or an unacknowledged message, is a JMSException")
  @KnownDeviation(provider = "artemis", why = "unsubscribes although a message is unacknowledged")
  void unsubscribeWhileInUse(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    assertThrows(JMSException.class, () -> session.unsubscribe("s"));
    jms.send(topic, "m");
    Message message = Jms.receive(consumer);
    consumer.close();
    assertThrows(JMSException.class, () -> session.unsubscribe("s"));
    message.acknowledge();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "unsubscribe of an unknown name is an InvalidDestinationException")
  void unsubscribeUnknown(Jms jms) throws JMSException {
    Session session = jms.started(jms.name("client")).createSession();
    assertThrows(InvalidDestinationException.class, () -> session.unsubscribe("none"));
    assertThrows(
        InvalidDestinationException.class, () -> jms.session().unsubscribe(jms.name("none")));
    assertThrows(
        InvalidDestinationRuntimeException.class,
        () -> jms.context().unsubscribe(jms.name("none")));
  }

  @Test
  @Assertion(section = "8.3.3", text = "One name under two client ids is two subscriptions")
  void identityHasTheClientId(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session one = jms.started(jms.name("client")).createSession();
    Session two = jms.started(jms.name("client")).createSession();
    MessageConsumer first = one.createDurableConsumer(topic, "s");
    MessageConsumer second = two.createDurableConsumer(topic, "s");
    jms.send(topic, "m");
    assertThat(Jms.receiveText(first)).isEqualTo("m");
    assertThat(Jms.receiveText(second)).isEqualTo("m");
    first.close();
    one.unsubscribe("s");
    jms.send(topic, "n");
    assertThat(Jms.receiveText(second)).isEqualTo("n");
    second.close();
    two.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "8.3.3",
      text = "A durable consumer of a context and of a TopicSession use the same subscriptions")
  void theOtherApis(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String client = jms.name("client");
    TopicConnection connection = jms.topicConnection(client);
    TopicSession topics = connection.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
    topics.createDurableSubscriber(topic, "s", "n IS NULL", false).close();
    connection.close();
    jms.send(topic, "m");
    JMSContext context = jms.context();
    context.setClientID(client);
    var consumer = context.createDurableConsumer(topic, "s", "n IS NULL", false);
    assertThat(Jms.receive(consumer).getText()).isEqualTo("m");
    assertThrows(JMSRuntimeException.class, () -> context.unsubscribe("s"));
    consumer.close();
    context.unsubscribe("s");
  }
}
