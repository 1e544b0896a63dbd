package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Section 6.2.2: temporary destinations. */
@Conformance
class TemporaryDestinationTest {

  @Test
  @Assertion(section = "6.2.2", text = "A temporary queue holds messages for its connection")
  void aTemporaryQueueWorks(Jms jms) throws JMSException {
    Session session = jms.session();
    TemporaryQueue queue = session.createTemporaryQueue();
    jms.send(queue, "a", "b");
    assertThat(Jms.receiveTexts(session.createConsumer(queue), 2)).containsExactly("a", "b");
  }

  @Test
  @Assertion(
      section = "6.2.2",
      text = "A temporary topic reaches the subscriptions of its connection")
  void aTemporaryTopicWorks(Jms jms) throws JMSException {
    Session session = jms.session();
    TemporaryTopic topic = session.createTemporaryTopic();
    MessageConsumer first = session.createConsumer(topic);
    MessageConsumer second = session.createConsumer(topic);
    jms.send(topic, "a");
    assertThat(Jms.receiveText(first)).isEqualTo("a");
    assertThat(Jms.receiveText(second)).isEqualTo("a");
  }

  @Test
  @Assertion(section = "6.2.2", text = "Each temporary destination is unique")
  void unique(Jms jms) throws JMSException {
    Set<String> names = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      Session session = jms.session();
      for (int j = 0; j < 5; j++) {
        names.add(session.createTemporaryQueue().getQueueName());
        names.add(session.createTemporaryTopic().getTopicName());
      }
    }
    assertThat(names).hasSize(20);
  }

  @Test
  @Assertion(section = "6.2.2", text = "Any session of the connection may consume from it")
  void everySessionOfTheConnectionMayConsume(Jms jms) throws JMSException {
    Connection connection = jms.started();
    TemporaryQueue queue = connection.createSession().createTemporaryQueue();
    jms.send(queue, "m");
    Session other = connection.createSession();
    assertThat(Jms.receiveText(other.createConsumer(queue))).isEqualTo("m");
  }

  @Test
  @Assertion(section = "6.2.2", text = "It outlives the session that made it")
  void itOutlivesItsSession(Jms jms) throws JMSException {
    Connection connection = jms.started();
    Session maker = connection.createSession();
    TemporaryQueue queue = maker.createTemporaryQueue();
    maker.close();
    jms.send(queue, "m");
    assertThat(Jms.receiveText(connection.createSession().createConsumer(queue))).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "6.2.2",
      text = "Another connection cannot consume from it, by object or by name")
  @KnownDeviation(provider = "artemis", why = "lets other connections consume by name")
  void otherConnectionsCannotConsume(Jms jms) throws JMSException {
    Session owner = jms.session();
    TemporaryQueue queue = owner.createTemporaryQueue();
    TemporaryTopic topic = owner.createTemporaryTopic();
    Session other = jms.session();
    assertThrows(JMSException.class, () -> other.createConsumer(queue));
    assertThrows(JMSException.class, () -> other.createConsumer(topic));
    Queue byName = other.createQueue(queue.getQueueName());
    assertThrows(JMSException.class, () -> other.createConsumer(byName));
    Topic topicByName = other.createTopic(topic.getTopicName());
    assertThrows(JMSException.class, () -> other.createConsumer(topicByName));
    JMSContext context = jms.context();
    assertThrows(JMSRuntimeException.class, () -> context.createConsumer(queue));
  }

  @Test
  @Assertion(section = "6.2.2", text = "A deleted one is gone: sending and consuming are refused")
  @KnownDeviation(provider = "artemis", why = "throws a plain JMSException")
  void deletedDestinations(Jms jms) throws JMSException {
    Session session = jms.session();
    TemporaryQueue queue = session.createTemporaryQueue();
    TemporaryTopic topic = session.createTemporaryTopic();
    queue.delete();
    topic.delete();
    for (Destination gone : new Destination[] {queue, topic}) {
      assertThrows(InvalidDestinationException.class, () -> session.createConsumer(gone));
      assertThrows(
          InvalidDestinationException.class,
          () -> session.createProducer(gone).send(session.createTextMessage("m")));
      Session other = jms.session();
      assertThrows(
          InvalidDestinationException.class,
          () -> other.createProducer(gone).send(other.createTextMessage("m")));
    }
  }

  @Test
  @Assertion(
      section = "API TemporaryQueue",
      text = "delete with an open consumer is a JMSException and leaves it working")
  void deleteWithAConsumer(Jms jms) throws JMSException {
    Session session = jms.session();
    TemporaryQueue queue = session.createTemporaryQueue();
    MessageConsumer consumer = session.createConsumer(queue);
    assertThrows(JMSException.class, queue::delete);
    jms.send(queue, "m");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    consumer.close();
    queue.delete();
    TemporaryTopic topic = session.createTemporaryTopic();
    MessageConsumer subscriber = session.createConsumer(topic);
    assertThrows(JMSException.class, topic::delete);
    subscriber.close();
    topic.delete();
  }

  @Test
  @Assertion(section = "6.2.2", text = "They end with their connection")
  @KnownDeviation(provider = "artemis", why = "creates the name anew as a lasting queue")
  void theyEndWithTheirConnection(Jms jms) throws JMSException {
    Connection connection = jms.started();
    TemporaryQueue queue = connection.createSession().createTemporaryQueue();
    jms.send(queue, "m");
    connection.close();
    Session other = jms.session();
    assertThrows(
        InvalidDestinationException.class,
        () -> other.createProducer(queue).send(other.createTextMessage("m")));
  }

  @Test
  @Assertion(section = "4.2.7", text = "A durable subscription on a temporary topic is refused")
  void noDurableSubscription(Jms jms) throws JMSException {
    Session session = jms.started(jms.name("client")).createSession();
    TemporaryTopic topic = session.createTemporaryTopic();
    assertThrows(
        InvalidDestinationException.class, () -> session.createDurableConsumer(topic, "s"));
    assertThrows(
        InvalidDestinationException.class, () -> session.createDurableSubscriber(topic, "s"));
    assertThrows(
        InvalidDestinationException.class, () -> session.createSharedDurableConsumer(topic, "s"));
  }

  @Test
  @Assertion(section = "6.2.2", text = "Contexts make temporary destinations too")
  void contexts(Jms jms) throws JMSException {
    JMSContext context = jms.context();
    TemporaryQueue queue = context.createTemporaryQueue();
    TemporaryTopic topic = context.createTemporaryTopic();
    var subscriber = context.createConsumer(topic);
    context.createProducer().send(queue, "q").send(topic, "t");
    assertThat(Jms.receive(context.createConsumer(queue)).getText()).isEqualTo("q");
    assertThat(Jms.receive(subscriber).getText()).isEqualTo("t");
  }

  @Test
  @Assertion(section = "6.2.2", text = "A temporary queue can be browsed by its connection")
  void browsing(Jms jms) throws JMSException {
    Session session = jms.session();
    TemporaryQueue queue = session.createTemporaryQueue();
    jms.send(queue, "m");
    assertThat(session.createBrowser(queue).getEnumeration().hasMoreElements()).isTrue();
  }
}
