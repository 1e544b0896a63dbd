package io.metaq.tck.facilities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TransactionRolledBackException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 9.1: what survives the restart of a broker and the loss of a connection. */
@Conformance
class ReliabilityTest {

  @Test
  @Assertion(
      section = "9.1",
      text =
          "Persistent messages of queues and durable subscriptions survive a restart, in order, once")
  void persistentMessagesSurvive(Jms jms) throws Exception {
    Queue queue = jms.own().createQueue(jms.name("queue"));
    Topic topic = jms.own().createTopic(jms.name("topic"));
    String client = jms.name("client");
    Connection first = jms.started(client);
    first.createSession().createDurableConsumer(topic, "s");
    jms.send(queue, "a", "b", "c");
    jms.send(topic, "t1", "t2");
    first.close();
    jms.broker().restart();
    Connection second = jms.started(client);
    Session session = second.createSession();
    assertThat(Jms.drain(session.createConsumer(queue))).containsExactly("a", "b", "c");
    MessageConsumer durable = session.createDurableConsumer(topic, "s");
    assertThat(Jms.receiveTexts(durable, 2)).containsExactly("t1", "t2");
    durable.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "6.2.11",
      text = "Acknowledged messages never come again, also not after a restart")
  void acknowledgedMessagesStayGone(Jms jms) throws Exception {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c");
    Connection connection = jms.started();
    MessageConsumer consumer = connection.createSession().createConsumer(queue);
    assertThat(Jms.receiveTexts(consumer, 2)).containsExactly("a", "b");
    connection.close();
    jms.broker().restart();
    assertThat(Jms.drain(jms.session().createConsumer(queue))).containsExactly("c");
  }

  @Test
  @Assertion(
      section = "6.2.7",
      text = "A transaction that was not committed is gone after a restart")
  void openTransactionsAreRolledBack(Jms jms) throws Exception {
    Queue in = jms.queue();
    Queue out = jms.queue();
    jms.send(in, "in");
    Connection connection = jms.started();
    Session session = connection.createSession(Session.SESSION_TRANSACTED);
    Jms.receive(session.createConsumer(in));
    session.createProducer(out).send(session.createTextMessage("out"));
    connection.close();
    jms.broker().restart();
    Session after = jms.session();
    assertThat(Jms.drain(after.createConsumer(out))).isEmpty();
    assertThat(Jms.receive(after.createConsumer(in)).getJMSRedelivered()).isTrue();
  }

  @Test
  @Assertion(
      section = "3.4.13",
      text = "A delayed message survives a restart, is not early and comes once")
  void delayedMessagesSurvive(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryDelay(1500);
    Message sent = session.createTextMessage("m");
    producer.send(sent);
    long due = sent.getJMSDeliveryTime();
    session.close();
    jms.broker().restart();
    MessageConsumer consumer = jms.session().createConsumer(queue);
    Message received = Jms.receive(consumer);
    assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(due);
    assertThat(received.getJMSDeliveryTime()).isEqualTo(due);
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "3.4.7",
      text = "After the loss of the connection exactly what was handed over comes as redelivered")
  @KnownDeviation(provider = "artemis", why = "keeps the session of a lost connection for a minute")
  void redeliveredAfterALostConnection(Jms jms) throws Exception {
    Queue queue = jms.queue();
    jms.send(queue, "seen 1", "seen 2", "unseen 1", "unseen 2");
    Connection connection = jms.startedThroughProxy();
    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(queue);
    Jms.receiveTexts(consumer, 2);
    // What the client has said so far has reached the broker once this send has its answer.
    session.createProducer(jms.queue()).send(session.createTextMessage("fence"));
    jms.proxy().refuse();
    MessageConsumer next = jms.session().createConsumer(queue);
    for (String text : List.of("seen 1", "seen 2", "unseen 1", "unseen 2")) {
      TextMessage message = Jms.receive(next);
      assertThat(message.getText()).isEqualTo(text);
      assertThat(message.getJMSRedelivered()).as(text).isEqualTo(text.startsWith("seen"));
      assertThat(message.getIntProperty("JMSXDeliveryCount"))
          .as(text)
          .isEqualTo(text.startsWith("seen") ? 2 : 1);
    }
    jms.proxy().admit();
  }

  @Test
  @Assertion(
      section = "6.1.7",
      text =
          "A connection that was cut is mended: producers and consumers go on, nothing lost, nothing doubled")
  void aCutConnectionIsMended(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.startedThroughProxy();
    Session session = connection.createSession();
    MessageProducer producer = session.createProducer(queue);
    MessageConsumer consumer = session.createConsumer(queue);
    List<String> received = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      if (i % 5 == 2) {
        jms.proxy().cut();
      }
      producer.send(session.createTextMessage("m" + i));
      received.add(Jms.receiveText(consumer));
    }
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      sent.add("m" + i);
    }
    assertThat(received).isEqualTo(sent);
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "6.2.2",
      text = "A temporary destination lives on over a lost connection, under the same name")
  void temporaryDestinationsLiveOn(Jms jms) throws Exception {
    Connection connection = jms.startedThroughProxy();
    Session session = connection.createSession();
    Queue temporary = session.createTemporaryQueue();
    MessageConsumer consumer = session.createConsumer(temporary);
    MessageProducer producer = session.createProducer(temporary);
    producer.send(session.createTextMessage("a"));
    assertThat(Jms.receiveText(consumer)).isEqualTo("a");
    jms.proxy().cut();
    producer.send(session.createTextMessage("b"));
    assertThat(Jms.receiveText(consumer)).isEqualTo("b");
    jms.send(temporary, "c");
    assertThat(Jms.receiveText(consumer)).isEqualTo("c");
  }

  @Test
  @Assertion(
      section = "6.1.2",
      text = "After a reconnect the client id is still the connection's, and still in use")
  void theClientIdLivesOn(Jms jms) throws Exception {
    String client = jms.name("client");
    Connection connection =
        jms.closing(jms.factory(jms.proxied().withClientId(client)).createConnection());
    connection.start();
    Session session = connection.createSession();
    Topic topic = jms.topic();
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    jms.proxy().cut();
    jms.send(topic, "m");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    assertThrows(jakarta.jms.InvalidClientIDException.class, () -> jms.connection(client));
    consumer.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "10.3",
      text =
          "A transaction over a lost connection is whole: commit does all of it, or throws TransactionRolledBackException")
  void commitAfterALostConnection(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.startedThroughProxy();
    Session session = connection.createSession(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(queue);
    producer.send(session.createTextMessage("first"));
    jms.proxy().cut();
    List<String> expected = new ArrayList<>();
    try {
      producer.send(session.createTextMessage("second"));
      session.commit();
      expected.addAll(List.of("first", "second"));
    } catch (TransactionRolledBackException allOfItIsGone) {
      assertThat(allOfItIsGone.getMessage()).isNotBlank();
    }
    producer.send(session.createTextMessage("next"));
    session.commit();
    expected.add("next");
    assertThat(jms.drain(queue)).isEqualTo(expected);
  }

  @Test
  @Assertion(
      section = "10.3",
      text =
          "A transaction that received over a lost connection: committed and gone, or rolled back and redelivered")
  void receiptsAfterALostConnection(Jms jms) throws Exception {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    Connection connection = jms.startedThroughProxy();
    Session session = connection.createSession(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    Jms.receive(consumer);
    jms.proxy().cut();
    List<String> expected = new ArrayList<>();
    try {
      session.commit();
    } catch (TransactionRolledBackException rolledBack) {
      expected.add("a");
    }
    expected.add("b");
    assertThat(Jms.receiveTexts(consumer, expected.size())).isEqualTo(expected);
    session.commit();
    connection.close();
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(
      section = "7.7",
      text =
          "A persistent send that has returned is not lost by a restart of the broker under the connection")
  void sendsOverARestart(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.send(session.createTextMessage("before"));
    jms.broker().restart();
    producer.send(session.createTextMessage("after"));
    assertThat(Jms.drain(jms.session().createConsumer(queue))).containsExactly("before", "after");
  }

  @Test
  @Assertion(
      section = "7.7",
      text = "Non-persistent messages may be lost by a restart, and never come twice")
  void nonPersistentMessages(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
    producer.send(session.createTextMessage("n"));
    producer.setDeliveryMode(DeliveryMode.PERSISTENT);
    producer.send(session.createTextMessage("p"));
    jms.broker().restart();
    List<String> received = Jms.drain(jms.session().createConsumer(queue));
    assertThat(received).doesNotHaveDuplicates().contains("p");
  }

  @Test
  @Assertion(
      section = "6.1.7",
      text = "An exception thrown to the caller does not reach the ExceptionListener too")
  void thrownExceptionsAreNotReported(Jms jms) throws Exception {
    Connection connection = jms.started();
    List<JMSException> reported = java.util.Collections.synchronizedList(new ArrayList<>());
    connection.setExceptionListener(reported::add);
    Session session = connection.createSession();
    assertThrows(JMSException.class, () -> session.createConsumer(jms.queue(), "a ="));
    assertThrows(JMSException.class, () -> session.createConsumer(null));
    session.createProducer(jms.queue()).send(session.createTextMessage("m"));
    assertThat(reported).isEmpty();
  }

  @Test
  @Assertion(section = "4.1.1", text = "Between two tests the broker can be emptied")
  void emptyBroker(Jms jms) throws Exception {
    Queue queue = jms.queue();
    String name = jms.name("s");
    Topic topic = jms.topic();
    Session session = jms.session();
    session.createSharedDurableConsumer(topic, name).close();
    jms.send(queue, "m");
    jms.send(topic, "m");
    jms.broker().empty();
    Session after = jms.session();
    assertThat(Jms.drain(after.createConsumer(queue))).isEmpty();
    assertThrows(jakarta.jms.InvalidDestinationException.class, () -> after.unsubscribe(name));
  }
}
