package io.metaq.tck.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Section 4.1: queues. */
@Conformance
class QueueTest {

  @Test
  @Assertion(section = "4.1.2", text = "Each message on a queue goes to one of its consumers only")
  void eachMessageGoesToOneConsumer(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    MessageConsumer first = jms.session().createConsumer(queue);
    MessageConsumer second = jms.session().createConsumer(queue);
    String[] sent = IntStream.range(0, 20).mapToObj(i -> "m" + i).toArray(String[]::new);
    jms.send(queue, sent);
    List<String> received = new ArrayList<>();
    while (received.size() < sent.length) {
      received.addAll(Jms.drain(first));
      received.addAll(Jms.drain(second));
    }
    assertThat(received).containsExactlyInAnyOrder(sent);
    assertThat(first.receiveNoWait()).isNull();
    assertThat(second.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(section = "4.1.11", text = "A queue holds messages while nobody consumes")
  void aQueueHoldsMessagesWithoutConsumers(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    assertThat(jms.drain(queue)).containsExactly("a", "b");
  }

  @Test
  @Assertion(section = "4.1.2", text = "Consumers of one queue on one session share it")
  void consumersOfOneSessionShareAQueue(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageConsumer first = session.createConsumer(queue);
    MessageConsumer second = session.createConsumer(queue);
    jms.send(queue, "a", "b", "c", "d");
    List<String> received = new ArrayList<>();
    while (received.size() < 4) {
      received.addAll(Jms.drain(first));
      received.addAll(Jms.drain(second));
    }
    assertThat(received).containsExactlyInAnyOrder("a", "b", "c", "d");
  }

  @Test
  @Assertion(
      section = "4.1.2",
      text = "What a closed consumer held unseen is delivered to others, in order")
  void unseenMessagesOfAClosedConsumerAreReturned(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c");
    Session session = jms.session();
    MessageConsumer holder = session.createConsumer(queue);
    assertThat(Jms.receiveText(holder)).isEqualTo("a");
    holder.close();
    MessageConsumer next = jms.session().createConsumer(queue);
    assertThat(Jms.receive(next).getJMSRedelivered()).isFalse();
    assertThat(Jms.receiveText(next)).isEqualTo("c");
  }

  @Test
  @Assertion(section = "4.1.4", text = "getQueueName gives the name createQueue was given")
  void queueName(Jms jms) throws JMSException {
    String name = jms.name("a.b-c_d");
    Queue queue = jms.own().createQueue(name);
    assertThat(queue.getQueueName()).isEqualTo(name);
    assertThat(queue.toString()).isNotBlank();
    assertThat(queue)
        .isEqualTo(jms.session().createQueue(name))
        .hasSameHashCodeAs(jms.session().createQueue(name));
  }

  @Test
  @Assertion(
      section = "4.1.2",
      text = "One queue has consumers and producers of one session, also in stopped mode")
  void sendAndReceiveOnOneSession(Jms jms) throws JMSException {
    Session session = jms.session();
    Queue queue = session.createQueue(jms.name("q"));
    MessageProducer producer = session.createProducer(queue);
    MessageConsumer consumer = session.createConsumer(queue);
    for (int i = 0; i < 5; i++) {
      producer.send(session.createTextMessage("m" + i));
      assertThat(Jms.receiveText(consumer)).isEqualTo("m" + i);
    }
    assertThrows(jakarta.jms.InvalidDestinationException.class, () -> session.createConsumer(null));
  }
}
