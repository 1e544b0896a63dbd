package io.metaq.tck.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueSender;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicPublisher;
import jakarta.jms.TopicSession;
import org.junit.jupiter.api.Test;

/** Sections 7.1, 7.2 and 7.4: producers, bound and unbound, and their options. */
@Conformance
class ProducerTest {

  @Test
  @Assertion(
      section = "7.4",
      text = "A producer starts with the defaults of Message and keeps what is set")
  void options(Jms jms) throws JMSException {
    MessageProducer producer = jms.session().createProducer(jms.queue());
    assertThat(producer.getDeliveryMode()).isEqualTo(Message.DEFAULT_DELIVERY_MODE);
    assertThat(producer.getPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
    assertThat(producer.getTimeToLive()).isEqualTo(Message.DEFAULT_TIME_TO_LIVE);
    assertThat(producer.getDeliveryDelay()).isEqualTo(Message.DEFAULT_DELIVERY_DELAY);
    assertThat(producer.getDisableMessageID()).isFalse();
    assertThat(producer.getDisableMessageTimestamp()).isFalse();
    producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    producer.setPriority(9);
    producer.setTimeToLive(60_000);
    producer.setDeliveryDelay(5);
    assertThat(producer.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    assertThat(producer.getPriority()).isEqualTo(9);
    assertThat(producer.getTimeToLive()).isEqualTo(60_000);
    assertThat(producer.getDeliveryDelay()).isEqualTo(5);
  }

  @Test
  @Assertion(
      section = "7.4",
      text = "Options of the producer hold for its sends; options of a send win")
  void optionsHoldForSends(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    producer.setPriority(7);
    producer.setTimeToLive(60_000);
    producer.send(session.createTextMessage("a"));
    producer.send(session.createTextMessage("b"), DeliveryMode.PERSISTENT, 2, 0);
    MessageConsumer consumer = session.createConsumer(queue);
    Message first = Jms.receive(consumer);
    assertThat(first.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    assertThat(first.getJMSPriority()).isEqualTo(7);
    assertThat(first.getJMSExpiration()).isPositive();
    Message second = Jms.receive(consumer);
    assertThat(second.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    assertThat(second.getJMSPriority()).isEqualTo(2);
    assertThat(second.getJMSExpiration()).isZero();
  }

  @Test
  @Assertion(
      section = "7.4",
      text = "Options of an unbound producer hold for sends to any destination")
  void unboundOptions(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(null);
    producer.setPriority(7);
    producer.send(queue, session.createTextMessage("a"));
    producer.send(queue, session.createTextMessage("b"), DeliveryMode.NON_PERSISTENT, 1, 60_000);
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(Jms.receive(consumer).getJMSPriority()).isEqualTo(7);
    Message second = Jms.receive(consumer);
    assertThat(second.getJMSPriority()).isEqualTo(1);
    assertThat(second.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    assertThat(second.getJMSExpiration()).isPositive();
  }

  @Test
  @Assertion(
      section = "API MessageProducer",
      text =
          "send without destination on an unbound, with one on a bound producer is UnsupportedOperationException")
  void sendsThatDoNotFitTheProducer(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    Message m = session.createTextMessage("m");
    MessageProducer unbound = session.createProducer(null);
    assertThrows(UnsupportedOperationException.class, () -> unbound.send(m));
    assertThrows(UnsupportedOperationException.class, () -> unbound.send(m, 2, 4, 0));
    MessageProducer bound = session.createProducer(queue);
    assertThrows(UnsupportedOperationException.class, () -> bound.send(queue, m));
    assertThrows(UnsupportedOperationException.class, () -> bound.send(queue, m, 2, 4, 0));
    assertThat(bound.getDestination()).isEqualTo(queue);
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(section = "10.3", text = "A null message is a MessageFormatException")
  @KnownDeviation(provider = "artemis", why = "throws NullPointerException")
  void nullMessages(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer bound = session.createProducer(queue);
    assertThrows(MessageFormatException.class, () -> bound.send(null));
    assertThrows(MessageFormatException.class, () -> bound.send(null, 2, 4, 0));
    MessageProducer unbound = session.createProducer(null);
    assertThrows(MessageFormatException.class, () -> unbound.send(queue, null));
    assertThrows(
        jakarta.jms.MessageFormatRuntimeException.class,
        () -> jms.context().createProducer().send(queue, (Message) null));
  }

  @Test
  @Assertion(
      section = "7.2",
      text = "A message can be sent by another session or connection than the one that made it")
  void messagesOfOtherSessions(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Message message = jms.session().createTextMessage("m");
    Session other = jms.session();
    other.createProducer(queue).send(message);
    assertThat(jms.drain(queue)).containsExactly("m");
  }

  @Test
  @Assertion(section = "7.1", text = "QueueSender sends bound and unbound")
  void queueSender(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    QueueSession session = jms.queueSession();
    QueueSender bound = session.createSender(queue);
    assertThat(bound.getQueue()).isEqualTo(queue);
    bound.send(session.createTextMessage("a"));
    bound.send(session.createTextMessage("b"), DeliveryMode.NON_PERSISTENT, 3, 0);
    QueueSender unbound = session.createSender(null);
    unbound.send(queue, session.createTextMessage("c"));
    unbound.send(queue, session.createTextMessage("d"), DeliveryMode.PERSISTENT, 5, 0);
    assertThat(jms.drain(queue)).containsExactly("d", "a", "c", "b");
    Message m = session.createTextMessage("m");
    assertThrows(UnsupportedOperationException.class, () -> unbound.send(m));
    assertThrows(UnsupportedOperationException.class, () -> bound.send(queue, m));
  }

  @Test
  @Assertion(section = "7.1", text = "TopicPublisher publishes bound and unbound")
  void topicPublisher(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    MessageConsumer subscriber = jms.session().createConsumer(topic);
    TopicSession session = jms.topicSession();
    TopicPublisher bound = session.createPublisher(topic);
    assertThat(bound.getTopic()).isEqualTo(topic);
    bound.publish(session.createTextMessage("a"));
    assertThat(Jms.receiveText(subscriber)).isEqualTo("a");
    bound.publish(session.createTextMessage("b"), DeliveryMode.NON_PERSISTENT, 3, 0);
    assertThat(Jms.receive(subscriber).getJMSPriority()).isEqualTo(3);
    TopicPublisher unbound = session.createPublisher(null);
    unbound.publish(topic, session.createTextMessage("c"));
    assertThat(Jms.receiveText(subscriber)).isEqualTo("c");
    unbound.publish(topic, session.createTextMessage("d"), DeliveryMode.PERSISTENT, 5, 0);
    assertThat(Jms.receive(subscriber).getJMSPriority()).isEqualTo(5);
    Message m = session.createTextMessage("m");
    assertThrows(UnsupportedOperationException.class, () -> unbound.publish(m));
    assertThrows(UnsupportedOperationException.class, () -> bound.publish(topic, m));
    bound.setPriority(8);
    bound.send(m);
    assertThat(Jms.receive(subscriber).getJMSPriority()).isEqualTo(8);
  }
}
