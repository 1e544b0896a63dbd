package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.BrokerMode;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import org.junit.jupiter.api.Test;

/** Section 6.2.3: making destinations from names, and destinations that do not exist. */
@Conformance
class DestinationTest {

  /** A queue of another provider. */
  private record ForeignQueue(String getQueueName) implements Queue {
    @Override
    public String toString() {
      return getQueueName;
    }
  }

  /** A topic of another provider. */
  private record ForeignTopic(String getTopicName) implements Topic {
    @Override
    public String toString() {
      return getTopicName;
    }
  }

  @Test
  @Assertion(
      section = "6.2.3",
      text = "createQueue and createTopic only make a name and never fail on an unknown one")
  @KnownDeviation(provider = "artemis", why = "createQueue asks the broker")
  void namesAreMadeWithoutAsking(Jms jms) throws JMSException {
    Session session = jms.in(BrokerMode.DECLARED_ONLY).session();
    assertThat(session.createQueue("no.such.queue").getQueueName()).isEqualTo("no.such.queue");
    assertThat(session.createTopic("no.such.topic").getTopicName()).isEqualTo("no.such.topic");
    JMSContext context = jms.context();
    assertThat(context.createQueue("no.such.queue").getQueueName()).isEqualTo("no.such.queue");
    assertThat(context.createTopic("no.such.topic").getTopicName()).isEqualTo("no.such.topic");
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "Using a destination that does not exist is an InvalidDestinationException")
  @KnownDeviation(provider = "artemis", why = "createQueue asks the broker")
  void unknownDestinations(Jms jms) throws JMSException {
    Session session = jms.in(BrokerMode.DECLARED_ONLY).started(jms.name("c")).createSession();
    Queue queue = session.createQueue("no.such.queue");
    Topic topic = session.createTopic("no.such.topic");
    TextMessage message = session.createTextMessage("m");
    assertThrows(InvalidDestinationException.class, () -> session.createConsumer(queue));
    assertThrows(InvalidDestinationException.class, () -> session.createConsumer(topic));
    assertThrows(InvalidDestinationException.class, () -> session.createBrowser(queue));
    assertThrows(
        InvalidDestinationException.class, () -> session.createProducer(queue).send(message));
    assertThrows(
        InvalidDestinationException.class, () -> session.createProducer(topic).send(message));
    MessageProducer unbound = session.createProducer(null);
    assertThrows(InvalidDestinationException.class, () -> unbound.send(queue, message));
    assertThrows(InvalidDestinationException.class, () -> unbound.send(topic, message));
    assertThrows(
        InvalidDestinationException.class, () -> session.createDurableConsumer(topic, "s"));
    assertThrows(
        InvalidDestinationException.class, () -> session.createDurableSubscriber(topic, "s"));
    assertThrows(InvalidDestinationException.class, () -> session.createSharedConsumer(topic, "s"));
    assertThrows(
        InvalidDestinationException.class, () -> session.createSharedDurableConsumer(topic, "s"));
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "In the simplified API it is an InvalidDestinationRuntimeException")
  @KnownDeviation(provider = "artemis", why = "createQueue asks the broker")
  void unknownDestinationsOfAContext(Jms jms) throws JMSException {
    JMSContext context = jms.in(BrokerMode.DECLARED_ONLY).context();
    Queue queue = context.createQueue("no.such.queue");
    Topic topic = context.createTopic("no.such.topic");
    assertThrows(InvalidDestinationRuntimeException.class, () -> context.createConsumer(queue));
    assertThrows(InvalidDestinationRuntimeException.class, () -> context.createConsumer(topic));
    assertThrows(InvalidDestinationRuntimeException.class, () -> context.createBrowser(queue));
    assertThrows(
        InvalidDestinationRuntimeException.class, () -> context.createSharedConsumer(topic, "s"));
    assertThrows(
        InvalidDestinationRuntimeException.class,
        () -> context.createSharedDurableConsumer(topic, "s"));
    assertThrows(
        InvalidDestinationRuntimeException.class, () -> context.createProducer().send(queue, "m"));
    assertThrows(
        InvalidDestinationRuntimeException.class, () -> context.createProducer().send(topic, "m"));
  }

  @Test
  @Assertion(
      section = "6.2.3",
      text = "Destinations that were declared work where nothing is created on use")
  void declaredDestinationsWork(Jms jms) throws JMSException {
    Session session = jms.in(BrokerMode.DECLARED_ONLY).session();
    Queue queue = session.createQueue(BrokerMode.DECLARED_QUEUE);
    Topic topic = session.createTopic(BrokerMode.DECLARED_TOPIC);
    MessageConsumer subscriber = session.createConsumer(topic);
    session.createProducer(queue).send(session.createTextMessage("q"));
    session.createProducer(topic).send(session.createTextMessage("t"));
    assertThat(Jms.receiveText(session.createConsumer(queue))).isEqualTo("q");
    assertThat(Jms.receiveText(subscriber)).isEqualTo("t");
  }

  @Test
  @Assertion(
      section = "6.2.2",
      text = "Temporary destinations work where nothing is created on use")
  void temporaryDestinationsWork(Jms jms) throws JMSException {
    Session session = jms.in(BrokerMode.DECLARED_ONLY).session();
    Queue queue = session.createTemporaryQueue();
    session.createProducer(queue).send(session.createTextMessage("q"));
    assertThat(Jms.receiveText(session.createConsumer(queue))).isEqualTo("q");
  }

  @Test
  @Assertion(section = "10.3", text = "A name that is a queue cannot be used as a topic")
  @KnownDeviation(
      provider = "artemis",
      why = "createTopic on the name of a queue makes an address of both kinds")
  void theKindIsFixed(Jms jms) throws JMSException {
    Session session = jms.in(BrokerMode.DECLARED_ONLY).session();
    Topic topic = session.createTopic(BrokerMode.DECLARED_QUEUE);
    assertThrows(InvalidDestinationException.class, () -> session.createConsumer(topic));
    Queue queue = session.createQueue(BrokerMode.DECLARED_TOPIC);
    assertThrows(InvalidDestinationException.class, () -> session.createConsumer(queue));
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "A null destination is an InvalidDestinationException, but for an unbound producer")
  void nullDestinations(Jms jms) throws JMSException {
    Session session = jms.session();
    TextMessage message = session.createTextMessage("m");
    assertThrows(InvalidDestinationException.class, () -> session.createConsumer(null));
    assertThrows(InvalidDestinationException.class, () -> session.createConsumer(null, "a = 1"));
    assertThrows(
        InvalidDestinationException.class, () -> session.createConsumer(null, "a = 1", true));
    MessageProducer unbound = session.createProducer(null);
    assertThat(unbound.getDestination()).isNull();
    assertThrows(InvalidDestinationException.class, () -> unbound.send(null, message));
    assertThrows(InvalidDestinationException.class, () -> unbound.send(null, message, 2, 4, 0));
    JMSContext context = jms.context();
    assertThrows(InvalidDestinationRuntimeException.class, () -> context.createConsumer(null));
    assertThrows(
        InvalidDestinationRuntimeException.class, () -> context.createProducer().send(null, "m"));
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "A destination of another provider cannot be sent to or consumed from")
  void foreignDestinations(Jms jms) throws JMSException {
    Session session = jms.session();
    Destination queue = new ForeignQueue(jms.name("foreign"));
    Destination topic = new ForeignTopic(jms.name("foreign"));
    for (Destination foreign : new Destination[] {queue, topic}) {
      assertThrows(InvalidDestinationException.class, () -> session.createConsumer(foreign));
      assertThrows(InvalidDestinationException.class, () -> session.createProducer(foreign));
      MessageProducer unbound = session.createProducer(null);
      assertThrows(
          InvalidDestinationException.class,
          () -> unbound.send(foreign, session.createTextMessage("m")));
    }
  }

  @Test
  @Assertion(
      section = "3.12",
      text = "A JMSReplyTo of another provider arrives by its kind and name")
  @KnownDeviation(provider = "artemis", why = "refuses it")
  void foreignReplyTo(Jms jms) throws JMSException {
    String name = jms.name("foreign");
    TextMessage sent = jms.text("m");
    sent.setJMSReplyTo(new ForeignQueue(name));
    Message received = jms.roundTrip(sent);
    assertThat(received.getJMSReplyTo()).isInstanceOf(Queue.class);
    assertThat(((Queue) received.getJMSReplyTo()).getQueueName()).isEqualTo(name);
  }
}
