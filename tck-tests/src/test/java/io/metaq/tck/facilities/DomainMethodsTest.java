package io.metaq.tck.facilities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import org.junit.jupiter.api.Test;

/** Section 9.2, table 9-1: methods that do not fit their domain. */
@Conformance
class DomainMethodsTest {

  @Test
  @Assertion(
      section = "9.2",
      text = "QueueSession: every method of topics throws IllegalStateException")
  void queueSession(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    QueueSession s = jms.queueSession();
    assertThrows(IllegalStateException.class, () -> s.createDurableSubscriber(topic, "s"));
    assertThrows(
        IllegalStateException.class, () -> s.createDurableSubscriber(topic, "s", "a = 1", false));
    assertThrows(IllegalStateException.class, () -> s.createDurableConsumer(topic, "s"));
    assertThrows(
        IllegalStateException.class, () -> s.createDurableConsumer(topic, "s", "a = 1", false));
    assertThrows(IllegalStateException.class, () -> s.createSharedConsumer(topic, "s"));
    assertThrows(IllegalStateException.class, () -> s.createSharedConsumer(topic, "s", "a = 1"));
    assertThrows(IllegalStateException.class, () -> s.createSharedDurableConsumer(topic, "s"));
    assertThrows(
        IllegalStateException.class, () -> s.createSharedDurableConsumer(topic, "s", "a = 1"));
    assertThrows(IllegalStateException.class, s::createTemporaryTopic);
    assertThrows(IllegalStateException.class, () -> s.createTopic("t"));
    assertThrows(IllegalStateException.class, () -> s.unsubscribe("s"));
  }

  @Test
  @Assertion(
      section = "9.2",
      text = "TopicSession: every method of queues throws IllegalStateException")
  void topicSession(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    TopicSession s = jms.topicSession();
    assertThrows(IllegalStateException.class, () -> s.createBrowser(queue));
    assertThrows(IllegalStateException.class, () -> s.createBrowser(queue, "a = 1"));
    assertThrows(IllegalStateException.class, () -> s.createQueue("q"));
    assertThrows(IllegalStateException.class, s::createTemporaryQueue);
  }

  @Test
  @Assertion(
      section = "9.2",
      text = "QueueConnection: every connection consumer of topics throws IllegalStateException")
  @KnownDeviation(provider = "artemis", why = "has no connection consumers")
  void queueConnection(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    QueueConnection c = jms.queueConnection();
    ServerSessionPool pool = () -> null;
    assertThrows(
        IllegalStateException.class,
        () -> c.createDurableConnectionConsumer(topic, "s", null, pool, 1));
    assertThrows(
        IllegalStateException.class,
        () -> c.createSharedConnectionConsumer(topic, "s", null, pool, 1));
    assertThrows(
        IllegalStateException.class,
        () -> c.createSharedDurableConnectionConsumer(topic, "s", null, pool, 1));
  }

  @Test
  @Assertion(section = "9.2", text = "What fits the domain works through the inherited methods")
  void inheritedMethods(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    QueueSession queues = jms.queueSession();
    queues.createProducer(queue).send(queues.createTextMessage("m"));
    assertThat(Jms.receiveText(queues.createConsumer(queue))).isEqualTo("m");
    Topic topic = jms.topic();
    TopicSession topics = jms.topicSession();
    var consumer = topics.createConsumer(topic);
    var shared = topics.createSharedConsumer(topic, jms.name("s"));
    topics.createProducer(topic).send(topics.createTextMessage("m"));
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    assertThat(Jms.receiveText(shared)).isEqualTo("m");
    QueueConnection connection = jms.queueConnection();
    assertThat(connection.createSession().getAcknowledgeMode()).isEqualTo(1);
    TopicConnection other = jms.topicConnection();
    assertThat(other.createSession(Session.CLIENT_ACKNOWLEDGE).getAcknowledgeMode()).isEqualTo(2);
  }

  @Test
  @Assertion(
      section = "6.1",
      text = "QueueConnectionFactory and TopicConnectionFactory make sessions of every mode")
  void sessionModes(Jms jms) throws JMSException {
    QueueConnection queues = jms.queueConnection();
    TopicConnection topics = jms.topicConnection();
    for (int mode :
        new int[] {
          Session.AUTO_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE
        }) {
      assertThat(queues.createQueueSession(false, mode).getAcknowledgeMode()).isEqualTo(mode);
      assertThat(topics.createTopicSession(false, mode).getAcknowledgeMode()).isEqualTo(mode);
    }
    assertThat(queues.createQueueSession(true, 0).getTransacted()).isTrue();
    assertThat(topics.createTopicSession(true, 0).getTransacted()).isTrue();
  }
}
