package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 6.2.10: acknowledgement and recovery. */
@Conformance
class AcknowledgeTest {

  @Test
  @Assertion(
      section = "6.2.10",
      text = "AUTO_ACKNOWLEDGE: what receive has returned is acknowledged")
  void autoAcknowledgesAReceive(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    Connection connection = jms.started();
    MessageConsumer consumer = connection.createSession().createConsumer(queue);
    assertThat(Jms.receiveText(consumer)).isEqualTo("a");
    connection.close();
    assertThat(jms.drain(queue)).containsExactly("b");
  }

  @ParameterizedTest
  @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
  @Assertion(
      section = "6.2.10",
      text = "AUTO and DUPS_OK: what a listener has returned from is acknowledged")
  void listenersAcknowledgeByReturning(int mode, Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    Session session = connection.createSession(mode);
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    session.createConsumer(queue).setMessageListener(m -> received.add(text(m)));
    jms.send(queue, "a", "b");
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("a");
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("b");
    connection.close();
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(
      section = "6.2.10",
      text = "DUPS_OK_ACKNOWLEDGE: an orderly close acknowledges what was received")
  void dupsOkAcknowledgesLazily(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c");
    Connection connection = jms.started();
    Session session = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(Jms.receiveTexts(consumer, 2)).containsExactly("a", "b");
    connection.close();
    assertThat(jms.drain(queue)).containsExactly("c");
  }

  @Test
  @Assertion(
      section = "6.2.10",
      text =
          "acknowledge on any message covers all its session has delivered, earlier and later, of every consumer")
  void acknowledgeCoversTheSession(Jms jms) throws JMSException {
    Queue first = jms.queue();
    Queue second = jms.queue();
    jms.send(first, "a1", "a2", "a3");
    jms.send(second, "b1", "b2");
    Connection connection = jms.started();
    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer firstConsumer = session.createConsumer(first);
    MessageConsumer secondConsumer = session.createConsumer(second);
    Message earliest = Jms.receive(firstConsumer);
    Jms.receive(firstConsumer);
    Jms.receive(secondConsumer);
    earliest.acknowledge();
    connection.close();
    assertThat(jms.drain(first)).containsExactly("a3");
    assertThat(jms.drain(second)).containsExactly("b2");
  }

  @Test
  @Assertion(
      section = "6.2.10",
      text = "acknowledge never covers what was prefetched and not handed over")
  void acknowledgeLeavesPrefetchedMessages(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c");
    Connection connection = jms.started();
    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(queue);
    Jms.receive(consumer).acknowledge();
    assertThat(Jms.receiveText(consumer)).isEqualTo("b");
    connection.close();
    MessageConsumer next = jms.session().createConsumer(queue);
    assertThat(Jms.receive(next).getJMSRedelivered()).isTrue();
    assertThat(Jms.receive(next).getJMSRedelivered()).isFalse();
  }

  @Test
  @Assertion(
      section = "6.2.10",
      text = "Acknowledging twice, or in an AUTO, DUPS_OK or transacted session, does nothing")
  void superfluousAcknowledge(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    for (int mode :
        new int[] {
          Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE
        }) {
      jms.send(queue, "m");
      Session session = jms.session(mode);
      Message message = Jms.receive(session.createConsumer(queue));
      message.acknowledge();
      message.acknowledge();
      session.close();
      assertThat(jms.drain(queue)).isEmpty();
    }
    jms.send(queue, "m");
    Session transacted = jms.session(Session.SESSION_TRANSACTED);
    Jms.receive(transacted.createConsumer(queue)).acknowledge();
    transacted.rollback();
    transacted.close();
    assertThat(jms.drain(queue)).containsExactly("m");
  }

  @Test
  @Assertion(
      section = "8.8",
      text =
          "CLIENT_ACKNOWLEDGE: closing the consumer neither acknowledges nor forgets; acknowledge works afterwards")
  void acknowledgeAfterCloseOfTheConsumer(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(queue);
    Message message = Jms.receive(consumer);
    consumer.close();
    assertThat(jms.drain(queue)).as("a stays with the session").containsExactly("b");
    message.acknowledge();
    session.close();
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(
      section = "6.2.10",
      text =
          "recover restarts the session with its first unacknowledged message, in order, as redelivered")
  @KnownDeviation(provider = "artemis", why = "counts deliveries of messages that nobody has seen")
  void recover(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c", "d");
    Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(queue);
    Jms.receive(consumer).acknowledge();
    assertThat(Jms.receiveTexts(consumer, 2)).containsExactly("b", "c");
    session.recover();
    for (String text : List.of("b", "c")) {
      Message message = Jms.receive(consumer);
      assertThat(Jms.textOf(message)).isEqualTo(text);
      assertThat(message.getJMSRedelivered()).isTrue();
      assertThat(message.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }
    Message last = Jms.receive(consumer);
    assertThat(Jms.textOf(last)).isEqualTo("d");
    assertThat(last.getJMSRedelivered()).isFalse();
    last.acknowledge();
    session.recover();
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "6.2.10",
      text = "recover covers every consumer of the session, of topics too")
  void recoverCoversTheSession(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Topic topic = jms.topic();
    Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer queueConsumer = session.createConsumer(queue);
    MessageConsumer topicConsumer = session.createConsumer(topic);
    jms.send(queue, "q");
    jms.send(topic, "t");
    Jms.receive(queueConsumer);
    Jms.receive(topicConsumer);
    session.recover();
    assertThat(Jms.receive(queueConsumer).getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    assertThat(Jms.receive(topicConsumer).getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
  @Assertion(
      section = "6.2.10",
      text =
          "recover is legal in AUTO and DUPS_OK; what receive has returned in AUTO does not come again")
  void recoverInAutomaticModes(int mode, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    Session session = jms.session(mode);
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(Jms.receiveText(consumer)).isEqualTo("a");
    session.recover();
    String next = Jms.receiveText(consumer);
    if (mode == Session.AUTO_ACKNOWLEDGE) {
      assertThat(next).isEqualTo("b");
    } else {
      assertThat(next).isIn("a", "b");
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE, Session.CLIENT_ACKNOWLEDGE})
  @Assertion(
      section = "6.2.10",
      text =
          "recover within onMessage: the message comes again, and returning then acknowledges nothing")
  @KnownDeviation(
      provider = "artemis",
      cases = ".*\\[3\\].*",
      why = "counts deliveries of messages that nobody has seen")
  void recoverInAListener(int mode, Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session(mode);
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    session
        .createConsumer(queue)
        .setMessageListener(
            message -> {
              try {
                int count = message.getIntProperty("JMSXDeliveryCount");
                received.add(text(message) + count);
                if (count < 3) {
                  session.recover();
                } else {
                  message.acknowledge();
                }
              } catch (JMSException e) {
                received.add(e.toString());
              }
            });
    jms.send(queue, "m", "n");
    for (String expected : List.of("m1", "m2", "m3", "n1", "n2", "n3")) {
      assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo(expected);
    }
    session.close();
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(section = "6.2.10", text = "recover with nothing unacknowledged changes nothing")
  @KnownDeviation(provider = "artemis", why = "counts deliveries of messages that nobody has seen")
  void recoverOfNothing(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(queue);
    session.recover();
    jms.send(queue, "m");
    session.recover();
    assertThat(Jms.receive(consumer).getJMSRedelivered()).isFalse();
  }

  @Test
  @Assertion(
      section = "6.2.10",
      text = "What a session holds unacknowledged no other consumer gets")
  void heldMessagesAreNotGivenToOthers(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a");
    Session holder = jms.session(Session.CLIENT_ACKNOWLEDGE);
    Message held = Jms.receive(holder.createConsumer(queue));
    MessageConsumer other = jms.session().createConsumer(queue);
    assertThat(other.receiveNoWait()).isNull();
    held.acknowledge();
    assertThat(other.receiveNoWait()).isNull();
    holder.close();
    assertThat(other.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "6.2.10",
      text =
          "JMSContext.acknowledge acknowledges what the context has delivered, in CLIENT_ACKNOWLEDGE only")
  void contextAcknowledge(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c");
    JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
    JMSConsumer consumer = context.createConsumer(queue);
    Jms.receive(consumer);
    Jms.receive(consumer);
    context.acknowledge();
    context.close();
    assertThat(jms.drain(queue)).containsExactly("c");
    JMSContext auto = jms.context();
    auto.acknowledge();
    JMSContext closed = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
    closed.close();
    assertThrows(IllegalStateRuntimeException.class, closed::acknowledge);
  }

  @Test
  @Assertion(section = "6.2.10", text = "JMSContext.recover redelivers what was not acknowledged")
  void contextRecover(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
    JMSConsumer consumer = context.createConsumer(queue);
    Jms.receive(consumer);
    context.recover();
    Message again = Jms.receive(consumer);
    assertThat(Jms.textOf(again)).isEqualTo("a");
    assertThat(again.getJMSRedelivered()).isTrue();
    context.acknowledge();
  }

  private static String text(Message message) {
    try {
      return Jms.textOf(message);
    } catch (JMSException e) {
      return e.toString();
    }
  }
}
