package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Section 6.2.7: local transactions. */
@Conformance
class TransactionTest {

  @Test
  @Assertion(
      section = "6.2.7",
      text = "What is sent in a transaction is seen only after its commit, then in order")
  void sendsAreSeenAfterCommit(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(queue);
    for (String text : new String[] {"a", "b", "c"}) {
      producer.send(session.createTextMessage(text));
    }
    MessageConsumer consumer = jms.session().createConsumer(queue);
    assertThat(consumer.receiveNoWait()).isNull();
    session.commit();
    assertThat(Jms.receiveTexts(consumer, 3)).containsExactly("a", "b", "c");
  }

  @Test
  @Assertion(section = "6.2.7", text = "rollback destroys what was sent")
  void rollbackDestroysSends(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(queue);
    producer.send(session.createTextMessage("a"));
    session.rollback();
    producer.send(session.createTextMessage("b"));
    session.commit();
    assertThat(jms.drain(queue)).containsExactly("b");
  }

  @Test
  @Assertion(section = "6.2.7", text = "commit acknowledges what was received")
  void commitAcknowledges(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    Jms.receive(consumer);
    session.commit();
    session.close();
    assertThat(jms.drain(queue)).containsExactly("b");
  }

  @Test
  @Assertion(
      section = "6.2.7",
      text = "rollback brings what was received again, in the same order, as redelivered")
  void rollbackRedelivers(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c", "d");
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(Jms.receiveTexts(consumer, 3)).containsExactly("a", "b", "c");
    session.rollback();
    for (String text : new String[] {"a", "b", "c"}) {
      Message message = Jms.receive(consumer);
      assertThat(Jms.textOf(message)).isEqualTo(text);
      assertThat(message.getJMSRedelivered()).isTrue();
      assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }
    Message fourth = Jms.receive(consumer);
    assertThat(Jms.textOf(fourth)).isEqualTo("d");
    assertThat(fourth.getJMSRedelivered()).isFalse();
    session.commit();
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(section = "6.2.7", text = "Order is kept over many rollbacks")
  void orderIsKeptOverRollbacks(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c", "d", "e");
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    for (int seen = 1; seen <= 5; seen++) {
      assertThat(Jms.receiveTexts(consumer, seen))
          .containsExactlyElementsOf(java.util.List.of("a", "b", "c", "d", "e").subList(0, seen));
      session.rollback();
    }
    assertThat(Jms.receiveTexts(consumer, 5)).containsExactly("a", "b", "c", "d", "e");
    session.commit();
  }

  @Test
  @Assertion(
      section = "6.2.7",
      text = "Sends and receipts of one transaction are one unit, over queues and topics")
  void oneUnit(Jms jms) throws JMSException {
    Queue in = jms.queue();
    Queue out = jms.queue();
    Topic news = jms.topic();
    MessageConsumer subscriber = jms.session().createConsumer(news);
    jms.send(in, "m");
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(in);
    for (boolean commit : new boolean[] {false, true}) {
      Message message = Jms.receive(consumer);
      session.createProducer(out).send(message);
      session.createProducer(news).send(message);
      if (commit) {
        session.commit();
      } else {
        session.rollback();
        assertThat(jms.drain(out)).isEmpty();
        assertThat(subscriber.receiveNoWait()).isNull();
      }
    }
    assertThat(consumer.receiveNoWait()).isNull();
    assertThat(jms.drain(out)).containsExactly("m");
    assertThat(Jms.receiveText(subscriber)).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "6.2.7",
      text = "A session cannot receive what it has sent before it has committed")
  void ownSendsAreNotReceived(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    session.createProducer(queue).send(session.createTextMessage("m"));
    assertThat(consumer.receiveNoWait()).isNull();
    session.commit();
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    session.commit();
  }

  @Test
  @Assertion(
      section = "6.2.7",
      text = "Empty transactions commit and roll back; the next begins by itself")
  void emptyTransactions(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    session.commit();
    session.rollback();
    session.commit();
    session.createProducer(queue).send(session.createTextMessage("m"));
    session.commit();
    assertThat(jms.drain(queue)).containsExactly("m");
  }

  @Test
  @Assertion(
      section = "6.2.7",
      text = "Transactions of two sessions are independent, also on one connection")
  void sessionsAreIndependent(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    var connection = jms.started();
    Session one = connection.createSession(Session.SESSION_TRANSACTED);
    Session two = connection.createSession(Session.SESSION_TRANSACTED);
    one.createProducer(queue).send(one.createTextMessage("one"));
    two.createProducer(queue).send(two.createTextMessage("two"));
    one.rollback();
    two.commit();
    assertThat(jms.drain(queue)).containsExactly("two");
  }

  @Test
  @Assertion(section = "6.2.7", text = "commit and rollback are allowed within onMessage")
  void transactionsInAListener(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    BlockingQueue<Integer> counts = new LinkedBlockingQueue<>();
    session
        .createConsumer(queue)
        .setMessageListener(
            message -> {
              try {
                int count = message.getIntProperty("JMSXDeliveryCount");
                counts.add(count);
                if (count < 3) {
                  session.rollback();
                } else {
                  session.commit();
                }
              } catch (JMSException e) {
                counts.add(-1);
              }
            });
    jms.send(queue, "m");
    for (int count = 1; count <= 3; count++) {
      assertThat(counts.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo(count);
    }
    session.close();
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(section = "6.2.7", text = "Closing producer and consumer ends no transaction")
  void closingProducerAndConsumer(Jms jms) throws JMSException {
    Queue in = jms.queue();
    Queue out = jms.queue();
    jms.send(in, "m");
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(in);
    MessageProducer producer = session.createProducer(out);
    producer.send(Jms.receive(consumer));
    consumer.close();
    producer.close();
    session.rollback();
    assertThat(jms.drain(out)).isEmpty();
    assertThat(jms.drain(in)).containsExactly("m");
  }

  @Test
  @Assertion(section = "6.2.7", text = "A large transaction is one unit too")
  void largeTransaction(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(queue);
    String body = "x".repeat(10_000);
    for (int i = 0; i < 300; i++) {
      producer.send(session.createTextMessage(i + body));
    }
    assertThat(jms.drain(queue)).isEmpty();
    session.commit();
    MessageConsumer consumer = session.createConsumer(queue);
    for (int i = 0; i < 300; i++) {
      assertThat(Jms.receiveText(consumer)).startsWith(i + "x");
    }
    session.commit();
  }

  @Test
  @Assertion(section = "6.2.7", text = "A transacted context does the same")
  void contexts(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
    context.createProducer().send(queue, "rolled back");
    context.rollback();
    context.createProducer().send(queue, "committed");
    context.commit();
    var consumer = context.createConsumer(queue);
    assertThat(Jms.receive(consumer).getText()).isEqualTo("committed");
    context.rollback();
    assertThat(Jms.receive(consumer).getJMSRedelivered()).isTrue();
    context.commit();
    assertThat(consumer.receiveNoWait()).isNull();
  }
}
