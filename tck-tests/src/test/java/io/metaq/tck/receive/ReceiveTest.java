package io.metaq.tck.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueReceiver;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicSession;
import jakarta.jms.TopicSubscriber;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sections 8.5, 8.7 and 8.8: receiving synchronously and by listener. */
@Conformance
class ReceiveTest {

  @Test
  @Assertion(
      section = "8.5",
      text = "receiveNoWait gives a message that is on the broker, and null when there is none")
  void receiveNoWait(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    MessageConsumer consumer = jms.session().createConsumer(queue);
    for (int i = 0; i < 20; i++) {
      assertThat(consumer.receiveNoWait()).isNull();
      jms.send(queue, "m" + i);
      assertThat(Jms.textOf(consumer.receiveNoWait())).isEqualTo("m" + i);
    }
  }

  @Test
  @Assertion(section = "8.5", text = "receive with a timeout waits that long, then gives null")
  void receiveWithTimeout(Jms jms) throws JMSException {
    MessageConsumer consumer = jms.session().createConsumer(jms.queue());
    long start = System.nanoTime();
    assertThat(consumer.receive(Jms.BRIEFLY)).isNull();
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .isBetween(Jms.BRIEFLY - 10, Jms.SOON);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Assertion(
      section = "8.5",
      text = "receive without a timeout, or with zero, waits until a message comes")
  void receiveForEver(boolean zero, Jms jms) throws Exception {
    Queue queue = jms.queue();
    MessageConsumer consumer = jms.session().createConsumer(queue);
    CompletableFuture<Message> receive =
        jms.async(() -> zero ? consumer.receive(0) : consumer.receive());
    assertThrows(
        java.util.concurrent.TimeoutException.class,
        () -> receive.get(Jms.BRIEFLY, TimeUnit.MILLISECONDS));
    jms.send(queue, "m");
    assertThat(Jms.textOf(receive.get(Jms.SOON, TimeUnit.MILLISECONDS))).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "8.5",
      text =
          "A message that comes after a receive has timed out keeps its place and counts nothing")
  void aMessageAfterATimeoutIsKept(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(consumer.receive(1)).isNull();
    jms.send(queue, "a", "b");
    consumer.close();
    MessageConsumer other = jms.session().createConsumer(queue);
    Message first = Jms.receive(other);
    assertThat(Jms.textOf(first)).isEqualTo("a");
    assertThat(first.getJMSRedelivered()).isFalse();
    assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    assertThat(Jms.receiveText(other)).isEqualTo("b");
  }

  @Test
  @Assertion(section = "8.5", text = "JMSConsumer receives like MessageConsumer")
  void jmsConsumer(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    JMSConsumer consumer = context.createConsumer(queue, "n IS NULL");
    assertThat(consumer.getMessageSelector()).isEqualTo("n IS NULL");
    assertThat(consumer.getMessageListener()).isNull();
    assertThat(consumer.receiveNoWait()).isNull();
    assertThat(consumer.receive(1)).isNull();
    jms.send(queue, "a", "b", "c");
    assertThat(Jms.textOf(consumer.receive())).isEqualTo("a");
    assertThat(Jms.textOf(consumer.receive(Jms.SOON))).isEqualTo("b");
    assertThat(Jms.textOf(consumer.receiveNoWait())).isEqualTo("c");
  }

  @Test
  @Assertion(
      section = "8.1",
      text = "QueueReceiver and TopicSubscriber receive and tell what they consume from")
  @KnownDeviation(provider = "artemis", why = "getMessageSelector shows what noLocal became")
  void domainSpecificConsumers(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    QueueSession queues = jms.queueSession();
    QueueReceiver receiver = queues.createReceiver(queue);
    assertThat(receiver.getQueue()).isEqualTo(queue);
    QueueReceiver selective = queues.createReceiver(queue, "n = 1");
    assertThat(selective.getMessageSelector()).isEqualTo("n = 1");
    jms.send(queue, "q");
    assertThat(Jms.receiveText(receiver)).isEqualTo("q");

    Topic topic = jms.topic();
    TopicSession topics = jms.topicSession();
    TopicSubscriber subscriber = topics.createSubscriber(topic);
    assertThat(subscriber.getTopic()).isEqualTo(topic);
    assertThat(subscriber.getNoLocal()).isFalse();
    TopicSubscriber other = topics.createSubscriber(topic, "n = 1", true);
    assertThat(other.getNoLocal()).isTrue();
    assertThat(other.getMessageSelector()).isEqualTo("n = 1");
    jms.send(topic, "t");
    assertThat(Jms.receiveText(subscriber)).isEqualTo("t");
    assertThat(other.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "8.7",
      text = "A listener gets what was there before it and what comes after; null takes it away")
  void listeners(Jms jms) throws Exception {
    Queue queue = jms.queue();
    jms.send(queue, "before");
    Session session = jms.session();
    MessageConsumer consumer = session.createConsumer(queue);
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    MessageListener listener = m -> received.add(text(m));
    assertThat(consumer.getMessageListener()).isNull();
    consumer.setMessageListener(listener);
    assertThat(consumer.getMessageListener()).isSameAs(listener);
    jms.send(queue, "after");
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("before");
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("after");
    consumer.setMessageListener(null);
    assertThat(consumer.getMessageListener()).isNull();
    jms.send(queue, "received");
    assertThat(Jms.receiveText(consumer)).isEqualTo("received");
    assertThat(received).isEmpty();
  }

  @Test
  @Assertion(section = "8.7", text = "A listener on a JMSConsumer works the same")
  @KnownDeviation(provider = "artemis", why = "getMessageListener returns a wrapper")
  void listenerOfAContext(Jms jms) throws Exception {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    JMSConsumer consumer = context.createConsumer(queue);
    MessageListener listener = m -> received.add(text(m));
    consumer.setMessageListener(listener);
    assertThat(consumer.getMessageListener()).isSameAs(listener);
    jms.send(queue, "m");
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "6.2.5",
      text = "A consumer with a listener refuses to receive synchronously")
  void noReceiveWithAListener(Jms jms) throws JMSException {
    MessageConsumer consumer = jms.session().createConsumer(jms.queue());
    consumer.setMessageListener(m -> {});
    assertThrows(JMSException.class, consumer::receive);
    assertThrows(JMSException.class, () -> consumer.receive(1));
    assertThrows(JMSException.class, consumer::receiveNoWait);
  }

  @ParameterizedTest
  @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
  @Assertion(
      section = "8.7",
      text =
          "AUTO and DUPS_OK: a RuntimeException of the listener brings the message again at once, as redelivered")
  void aThrowingListenerGetsTheMessageAgain(int mode, Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session(mode);
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    session
        .createConsumer(queue)
        .setMessageListener(
            m -> {
              int count = count(m);
              received.add(text(m) + count + redelivered(m));
              if (count < 3) {
                throw new java.lang.IllegalStateException("thrown by the test");
              }
            });
    jms.send(queue, "a", "b");
    for (String expected : List.of("a1false", "a2true", "a3true", "b1false", "b2true", "b3true")) {
      assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo(expected);
    }
    session.close();
    assertThat(jms.drain(queue)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {Session.CLIENT_ACKNOWLEDGE, Session.SESSION_TRANSACTED})
  @Assertion(
      section = "8.7",
      text =
          "CLIENT and transacted: after a RuntimeException the next message comes, and nothing is rolled back")
  void aThrowingListenerGoesOn(int mode, Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    Session session = connection.createSession(mode);
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    session
        .createConsumer(queue)
        .setMessageListener(
            m -> {
              received.add(text(m) + count(m));
              if (text(m).equals("c")) {
                settle(session, m);
                received.add("settled");
              }
              throw new java.lang.IllegalStateException("thrown by the test");
            });
    jms.send(queue, "a", "b", "c");
    for (String expected : List.of("a1", "b1", "c1", "settled")) {
      assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo(expected);
    }
    connection.close();
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(
      section = "8.8",
      text = "close of a consumer with a pending receive from another thread ends it with null")
  void closeEndsAReceive(Jms jms) throws Exception {
    MessageConsumer consumer = jms.session().createConsumer(jms.queue());
    CompletableFuture<Message> receive = jms.async(consumer::receive);
    assertThrows(
        java.util.concurrent.TimeoutException.class,
        () -> receive.get(Jms.BRIEFLY, TimeUnit.MILLISECONDS));
    consumer.close();
    assertThat(receive.get(Jms.SOON, TimeUnit.MILLISECONDS)).isNull();
  }

  @Test
  @Assertion(
      section = "8.8",
      text = "Transacted: closing the consumer leaves the transaction as it is")
  void closeLeavesTheTransaction(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer first = session.createConsumer(queue);
    Jms.receive(first);
    first.close();
    session.commit();
    MessageConsumer second = session.createConsumer(queue);
    assertThat(Jms.receiveText(second)).isEqualTo("b");
    second.close();
    session.rollback();
    session.close();
    assertThat(jms.drain(queue)).containsExactly("b");
  }

  @Test
  @Assertion(
      section = "8.7",
      text = "A listener may send, and create and close objects of its session")
  void aListenerMayUseItsSession(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Queue replies = jms.queue();
    Session session = jms.session();
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    session
        .createConsumer(queue)
        .setMessageListener(
            m -> {
              try {
                Queue temporary = session.createTemporaryQueue();
                var producer = session.createProducer(replies);
                producer.send(session.createTextMessage("re: " + text(m)));
                producer.close();
                session.createBrowser(replies).close();
                received.add(temporary.getQueueName().isEmpty() ? "no name" : "done");
              } catch (JMSException e) {
                received.add(e.toString());
              }
            });
    jms.send(queue, "m");
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("done");
    assertThat(jms.drain(replies)).containsExactly("re: m");
  }

  private static void settle(Session session, Message message) {
    try {
      if (session.getTransacted()) {
        session.commit();
      } else {
        message.acknowledge();
      }
    } catch (JMSException e) {
      throw new AssertionError("cannot settle", e);
    }
  }

  private static int count(Message message) {
    try {
      return message.getIntProperty("JMSXDeliveryCount");
    } catch (JMSException e) {
      return -1;
    }
  }

  private static String redelivered(Message message) {
    try {
      return String.valueOf(message.getJMSRedelivered());
    } catch (JMSException e) {
      return e.toString();
    }
  }

  private static String text(Message message) {
    try {
      return Jms.textOf(message);
    } catch (JMSException e) {
      return e.toString();
    }
  }
}
