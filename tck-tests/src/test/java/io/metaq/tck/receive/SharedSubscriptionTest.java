package io.metaq.tck.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sections 8.3.2 and 8.3.4: shared subscriptions, non-durable and durable. */
@Conformance
class SharedSubscriptionTest {

  @Test
  @Assertion(
      section = "8.3.2",
      text = "Each message of a shared subscription goes to one of its consumers, over connections")
  void oneConsumerGetsEachMessage(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name("s");
    MessageConsumer first = jms.session().createSharedConsumer(topic, name);
    MessageConsumer second = jms.session().createSharedConsumer(topic, name);
    MessageConsumer alone = jms.session().createSharedConsumer(topic, jms.name("s"));
    jms.send(topic, "a", "b", "c", "d", "e", "f");
    assertThat(both(first, second, 6)).containsExactlyInAnyOrder("a", "b", "c", "d", "e", "f");
    assertThat(Jms.receiveTexts(alone, 6)).containsExactly("a", "b", "c", "d", "e", "f");
  }

  @Test
  @Assertion(
      section = "8.3.4",
      text = "A shared durable subscription is one backlog for its consumers, each message once")
  void sharedDurable(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name("s");
    Session session = jms.session();
    session.createSharedDurableConsumer(topic, name).close();
    jms.send(topic, "a", "b", "c", "d");
    MessageConsumer first = session.createSharedDurableConsumer(topic, name);
    MessageConsumer second = jms.session().createSharedDurableConsumer(topic, name);
    assertThat(both(first, second, 4)).containsExactlyInAnyOrder("a", "b", "c", "d");
    first.close();
    second.close();
    session.unsubscribe(name);
  }

  @Test
  @Assertion(
      section = "8.3.2",
      text = "A shared non-durable subscription ends with its last consumer, not before")
  void endsWithTheLastConsumer(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name("s");
    Session session = jms.session();
    MessageConsumer first = session.createSharedConsumer(topic, name);
    MessageConsumer second = session.createSharedConsumer(topic, name);
    first.close();
    jms.send(topic, "a");
    assertThat(Jms.receiveText(second)).isEqualTo("a");
    second.close();
    jms.send(topic, "lost");
    MessageConsumer third = session.createSharedConsumer(topic, name);
    assertThat(third.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "8.3.2",
      text =
          "One shared name under client ids A, B and none is three subscriptions, durable or not")
  void identityHasTheClientId(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name("s");
    Session none = jms.session();
    Session a = jms.started(jms.name("a")).createSession();
    Session b = jms.started(jms.name("b")).createSession();
    List<MessageConsumer> consumers = new ArrayList<>();
    for (Session session : List.of(none, a, b)) {
      consumers.add(session.createSharedConsumer(topic, name));
      consumers.add(session.createSharedDurableConsumer(topic, name));
    }
    jms.send(topic, "m");
    for (MessageConsumer consumer : consumers) {
      assertThat(Jms.receiveText(consumer)).isEqualTo("m");
      consumer.close();
    }
    for (Session session : List.of(none, a, b)) {
      session.unsubscribe(name);
    }
  }

  @Test
  @Assertion(
      section = "8.3.2",
      text = "Another topic or selector for an active shared subscription is a JMSException")
  void mismatchWhileActive(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Topic other = jms.topic();
    String name = jms.name("s");
    Session session = jms.session();
    MessageConsumer consumer = session.createSharedConsumer(topic, name, "a IS NULL");
    assertThrows(JMSException.class, () -> session.createSharedConsumer(topic, name));
    assertThrows(JMSException.class, () -> session.createSharedConsumer(topic, name, "b = 1"));
    assertThrows(JMSException.class, () -> session.createSharedConsumer(other, name, "a IS NULL"));
    JMSContext context = jms.context();
    assertThrows(JMSRuntimeException.class, () -> context.createSharedConsumer(topic, name));
    jms.send(topic, "m");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
  }

  @Test
  @Assertion(section = "8.3.4", text = "The same for an active shared durable subscription")
  void durableMismatchWhileActive(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Topic other = jms.topic();
    String name = jms.name("s");
    Session session = jms.session();
    MessageConsumer consumer = session.createSharedDurableConsumer(topic, name);
    assertThrows(
        JMSException.class, () -> session.createSharedDurableConsumer(topic, name, "b = 1"));
    assertThrows(JMSException.class, () -> session.createSharedDurableConsumer(other, name));
    jms.send(topic, "m");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    MessageConsumer same = session.createSharedDurableConsumer(topic, name, "");
    same.close();
    consumer.close();
    session.unsubscribe(name);
  }

  @Test
  @Assertion(
      section = "8.3.4",
      text = "Another topic or selector re-creates an inactive shared durable subscription")
  @KnownDeviation(
      provider = "artemis",
      why = "refuses another selector for an inactive subscription")
  void recreation(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Topic other = jms.topic();
    String name = jms.name("s");
    Session session = jms.session();
    session.createSharedDurableConsumer(topic, name).close();
    jms.send(topic, "lost");
    MessageConsumer selective = session.createSharedDurableConsumer(topic, name, "n IS NULL");
    assertThat(selective.receiveNoWait()).isNull();
    selective.close();
    jms.send(topic, "lost too");
    MessageConsumer moved = session.createSharedDurableConsumer(other, name, "n IS NULL");
    assertThat(moved.receiveNoWait()).isNull();
    jms.send(other, "m");
    assertThat(Jms.receiveText(moved)).isEqualTo("m");
    moved.close();
    session.unsubscribe(name);
  }

  @Test
  @Assertion(
      section = "8.3.4",
      text = "Shared and unshared durable subscriptions of one identity exclude each other")
  @KnownDeviation(provider = "artemis", why = "takes one for the other")
  void sharedAndUnsharedExcludeEachOther(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    for (boolean active : new boolean[] {true, false}) {
      MessageConsumer unshared = session.createDurableConsumer(topic, "s");
      if (!active) {
        unshared.close();
      }
      assertThrows(JMSException.class, () -> session.createSharedDurableConsumer(topic, "s"));
      unshared.close();
      session.unsubscribe("s");
      MessageConsumer shared = session.createSharedDurableConsumer(topic, "s");
      if (!active) {
        shared.close();
      }
      assertThrows(JMSException.class, () -> session.createDurableConsumer(topic, "s"));
      assertThrows(JMSException.class, () -> session.createDurableSubscriber(topic, "s"));
      shared.close();
      session.unsubscribe("s");
    }
  }

  @Test
  @Assertion(
      section = "8.3.2",
      text = "A durable and a shared non-durable subscription of one name are separate")
  void durableAndNonDurableAreSeparate(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    MessageConsumer durable = session.createDurableConsumer(topic, "s");
    MessageConsumer nonDurable = session.createSharedConsumer(topic, "s", "n IS NULL");
    jms.send(topic, "m");
    assertThat(Jms.receiveText(durable)).isEqualTo("m");
    assertThat(Jms.receiveText(nonDurable)).isEqualTo("m");
    nonDurable.close();
    jms.send(topic, "n");
    assertThat(Jms.receiveText(durable)).isEqualTo("n");
    durable.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "8.3.2",
      text = "A selector keeps what does not match out of a shared subscription")
  void selectors(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name("s");
    Session session = jms.session();
    MessageConsumer first = session.createSharedConsumer(topic, name, "n > 1");
    MessageConsumer second = session.createSharedConsumer(topic, name, "n > 1");
    for (int i = 0; i < 5; i++) {
      Message message = jms.text("m" + i);
      message.setIntProperty("n", i);
      jms.send(topic, message);
    }
    assertThat(both(first, second, 3)).containsExactlyInAnyOrder("m2", "m3", "m4");
  }

  @Test
  @Assertion(
      section = "8.3.4",
      text = "What one consumer of a shared subscription leaves unacknowledged another one gets")
  void unacknowledgedGoToOthers(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name("s");
    Connection connection = jms.started();
    MessageConsumer first =
        connection
            .createSession(Session.CLIENT_ACKNOWLEDGE)
            .createSharedDurableConsumer(topic, name);
    jms.send(topic, "m");
    Jms.receive(first);
    Session session = jms.session();
    MessageConsumer second = session.createSharedDurableConsumer(topic, name);
    connection.close();
    Message again = Jms.receive(second);
    assertThat(Jms.textOf(again)).isEqualTo("m");
    assertThat(again.getJMSRedelivered()).isTrue();
    second.close();
    session.unsubscribe(name);
  }

  @Test
  @Assertion(section = "8.3.4", text = "unsubscribe is refused while any consumer is active")
  void unsubscribeWhileActive(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name("s");
    Session session = jms.session();
    MessageConsumer first = session.createSharedDurableConsumer(topic, name);
    MessageConsumer second = jms.session().createSharedDurableConsumer(topic, name);
    first.close();
    assertThrows(JMSException.class, () -> session.unsubscribe(name));
    second.close();
    session.unsubscribe(name);
    assertThrows(jakarta.jms.InvalidDestinationException.class, () -> session.unsubscribe(name));
  }

  @Test
  @Assertion(section = "8.3.2", text = "Contexts make shared consumers too")
  void contexts(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    String name = jms.name("s");
    JMSContext context = jms.context();
    var plain = context.createSharedConsumer(topic, name);
    var durable = context.createSharedDurableConsumer(topic, name);
    var selective = context.createSharedConsumer(topic, name + "2", "n IS NULL");
    var selectiveDurable = context.createSharedDurableConsumer(topic, name + "2", "n IS NULL");
    jms.send(topic, "m");
    for (var consumer : List.of(plain, durable, selective, selectiveDurable)) {
      assertThat(Jms.receive(consumer).getText()).isEqualTo("m");
      consumer.close();
    }
    context.unsubscribe(name);
    context.unsubscribe(name + "2");
  }

  @Test
  @Assertion(section = "8.3.2", text = "A subscription name that is null or empty is refused")
  @KnownDeviation(provider = "artemis", why = "throws a RuntimeException for a missing name")
  void emptyNames(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    for (String name : new String[] {null, ""}) {
      assertThrows(JMSException.class, () -> session.createSharedConsumer(topic, name));
      assertThrows(JMSException.class, () -> session.createSharedDurableConsumer(topic, name));
      assertThrows(JMSException.class, () -> session.createDurableConsumer(topic, name));
    }
  }

  private static List<String> both(MessageConsumer first, MessageConsumer second, int count)
      throws JMSException {
    List<String> received = new ArrayList<>();
    long end = System.nanoTime() + Jms.SOON * 1_000_000;
    while (received.size() < count && System.nanoTime() < end) {
      received.addAll(Jms.drain(first));
      received.addAll(Jms.drain(second));
    }
    return received;
  }
}
