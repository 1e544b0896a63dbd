package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 6.2.9 and 6.2.13: order of messages, serial execution of listeners. */
@Conformance
class OrderTest {

  @ParameterizedTest
  @ValueSource(ints = {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT})
  @Assertion(
      section = "6.2.9",
      text = "Messages of one session to one queue arrive in the order they were sent")
  void orderOnAQueue(int mode, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryMode(mode);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sent.add("m" + i);
      producer.send(session.createTextMessage("m" + i));
    }
    assertThat(jms.drain(queue)).isEqualTo(sent);
  }

  @Test
  @Assertion(section = "6.2.9", text = "Order holds over several producers of one session")
  void orderOverProducers(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer[] producers = {
      session.createProducer(queue), session.createProducer(queue), session.createProducer(null)
    };
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      sent.add("m" + i);
      MessageProducer producer = producers[i % 3];
      if (i % 3 == 2) {
        producer.send(queue, session.createTextMessage("m" + i));
      } else {
        producer.send(session.createTextMessage("m" + i));
      }
    }
    assertThat(jms.drain(queue)).isEqualTo(sent);
  }

  @Test
  @Assertion(section = "6.2.9", text = "Order holds for grouped and plain messages mixed")
  void orderWithGroups(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      Message message = session.createTextMessage("m" + i);
      if (i % 2 == 0) {
        message.setStringProperty("JMSXGroupID", "g" + i % 5);
      }
      sent.add("m" + i);
      producer.send(message);
    }
    assertThat(jms.drain(queue)).isEqualTo(sent);
  }

  @Test
  @Assertion(section = "6.2.9", text = "Each subscription of a topic sees the order of the sends")
  void orderOnATopic(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    MessageConsumer first = jms.session().createConsumer(topic);
    MessageConsumer second = jms.session().createConsumer(topic);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sent.add("m" + i);
    }
    jms.send(topic, sent.toArray(String[]::new));
    assertThat(Jms.receiveTexts(first, 100)).isEqualTo(sent);
    assertThat(Jms.receiveTexts(second, 100)).isEqualTo(sent);
  }

  @Test
  @Assertion(section = "6.2.9", text = "A listener sees the order of the sends")
  void orderInAListener(Jms jms) throws Exception {
    Queue queue = jms.queue();
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    jms.session().createConsumer(queue).setMessageListener(m -> received.add(text(m)));
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sent.add("m" + i);
    }
    jms.send(queue, sent.toArray(String[]::new));
    for (String expected : sent) {
      assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo(expected);
    }
  }

  @Test
  @Assertion(section = "6.2.9", text = "Within one priority order is that of the sends")
  void orderWithinAPriority(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    for (int i = 0; i < 30; i++) {
      int priority = new int[] {4, 8, 2}[i % 3];
      producer.send(
          session.createTextMessage(priority + "-" + (i / 3)),
          DeliveryMode.PERSISTENT,
          priority,
          0);
    }
    List<String> expected = new ArrayList<>();
    for (int priority : new int[] {8, 4, 2}) {
      for (int i = 0; i < 10; i++) {
        expected.add(priority + "-" + i);
      }
    }
    assertThat(jms.drain(queue)).isEqualTo(expected);
  }

  @Test
  @Assertion(section = "6.2.13", text = "The listeners of one session never run at the same time")
  void listenersOfASessionAreSerial(Jms jms) throws Exception {
    var connection = jms.connection();
    Session session = connection.createSession();
    AtomicInteger running = new AtomicInteger();
    BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
    List<Queue> queues = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Queue queue = jms.queue();
      queues.add(queue);
      session
          .createConsumer(queue)
          .setMessageListener(
              m -> {
                int now = running.incrementAndGet();
                Thread.yield();
                seen.add(now);
                running.decrementAndGet();
              });
    }
    for (Queue queue : queues) {
      jms.send(queue, "a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
    }
    connection.start();
    for (int i = 0; i < 30; i++) {
      assertThat(seen.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo(1);
    }
  }

  @Test
  @Assertion(section = "6.2.14", text = "Listeners of two sessions may run at the same time")
  void listenersOfTwoSessionsAreConcurrent(Jms jms) throws Exception {
    var connection = jms.started();
    java.util.concurrent.CyclicBarrier both = new java.util.concurrent.CyclicBarrier(2);
    BlockingQueue<String> met = new LinkedBlockingQueue<>();
    for (int i = 0; i < 2; i++) {
      Queue queue = jms.queue();
      connection
          .createSession()
          .createConsumer(queue)
          .setMessageListener(
              m -> {
                try {
                  both.await(Jms.SOON, TimeUnit.MILLISECONDS);
                  met.add("met");
                } catch (Exception e) {
                  met.add(e.toString());
                }
              });
      jms.send(queue, "m");
    }
    assertThat(met.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("met");
    assertThat(met.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("met");
  }

  @Test
  @Assertion(
      section = "6.2.5",
      text = "A thread may send, and set a further listener, on a started session with a listener")
  void aSessionWithAListenerCanStillBeUsed(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Queue other = jms.queue();
    Session session = jms.session();
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    session.createConsumer(queue).setMessageListener(m -> received.add(text(m)));
    MessageProducer producer = session.createProducer(queue);
    producer.send(session.createTextMessage("a"));
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("a");
    session.createConsumer(other).setMessageListener(m -> received.add(text(m)));
    session.createProducer(other).send(session.createTextMessage("b"));
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("b");
  }

  private static String text(Message message) {
    try {
      return Jms.textOf(message);
    } catch (JMSException e) {
      return e.toString();
    }
  }
}
