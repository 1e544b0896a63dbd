package io.metaq.tck.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sections 6.1.8 and 6.2.15: closing connections, sessions and contexts. */
@Conformance
class CloseTest {

  /** What can be closed around a consumer, from outside. */
  enum Closing {
    CONNECTION {
      @Override
      void close(Connection connection, Session session, MessageConsumer consumer)
          throws JMSException {
        connection.close();
      }
    },
    SESSION {
      @Override
      void close(Connection connection, Session session, MessageConsumer consumer)
          throws JMSException {
        session.close();
      }
    },
    CONSUMER {
      @Override
      void close(Connection connection, Session session, MessageConsumer consumer)
          throws JMSException {
        consumer.close();
      }
    };

    abstract void close(Connection connection, Session session, MessageConsumer consumer)
        throws JMSException;
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "6.1.8",
      text = "close of connection, session or consumer ends a pending receive, which returns null")
  void closeEndsAPendingReceive(Closing closing, Jms jms) throws Exception {
    Connection connection = jms.started();
    Session session = connection.createSession();
    MessageConsumer consumer = session.createConsumer(jms.queue());
    CountDownLatch receiving = new CountDownLatch(1);
    CompletableFuture<Message> receive =
        jms.async(
            () -> {
              receiving.countDown();
              return consumer.receive();
            });
    receiving.await();
    assertThrows(
        java.util.concurrent.TimeoutException.class,
        () -> receive.get(Jms.BRIEFLY, TimeUnit.MILLISECONDS));
    closing.close(connection, session, consumer);
    assertThat(receive.get(Jms.SOON, TimeUnit.MILLISECONDS)).isNull();
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "6.1.8",
      text = "close waits for a running listener, which keeps the services of its session")
  void closeWaitsForARunningListener(Closing closing, Jms jms) throws Exception {
    Queue queue = jms.queue();
    Queue replies = jms.queue();
    Connection connection = jms.started();
    Session session = connection.createSession();
    MessageProducer producer = session.createProducer(replies);
    MessageConsumer consumer = session.createConsumer(queue);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    BlockingQueue<String> outcome = new LinkedBlockingQueue<>();
    consumer.setMessageListener(
        m -> {
          entered.countDown();
          try {
            leave.await();
            producer.send(session.createTextMessage("reply"));
            outcome.add("sent");
          } catch (JMSException | InterruptedException e) {
            outcome.add(e.toString());
          }
        });
    jms.send(queue, "m", "n");
    assertThat(entered.await(Jms.SOON, TimeUnit.MILLISECONDS)).isTrue();
    CompletableFuture<Object> close =
        jms.async(
            () -> {
              closing.close(connection, session, consumer);
              return null;
            });
    assertThrows(
        java.util.concurrent.TimeoutException.class,
        () -> close.get(Jms.BRIEFLY, TimeUnit.MILLISECONDS));
    leave.countDown();
    close.get(Jms.SOON, TimeUnit.MILLISECONDS);
    assertThat(outcome.poll()).isEqualTo("sent");
    assertThat(jms.drain(replies)).containsExactly("reply");
    assertThat(jms.drain(queue))
        .as("acknowledged is only what the listener saw")
        .containsExactly("n");
  }

  @Test
  @Assertion(section = "6.1.8", text = "Closing again is ignored, for every object")
  void closingAgainIsIgnored(Jms jms) throws JMSException {
    Connection connection = jms.started();
    Session session = connection.createSession();
    MessageConsumer consumer = session.createConsumer(jms.queue());
    MessageProducer producer = session.createProducer(jms.queue());
    for (int i = 0; i < 2; i++) {
      producer.close();
      consumer.close();
      session.close();
      connection.close();
    }
    JMSContext context = jms.context();
    JMSConsumer simple = context.createConsumer(jms.queue());
    for (int i = 0; i < 2; i++) {
      simple.close();
      context.close();
    }
    assertThrows(IllegalStateException.class, connection::createSession);
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text =
          "After close of the connection its sessions, consumers and producers are closed; their close is ignored")
  void closeOfAConnectionClosesEverything(Jms jms) throws JMSException {
    Connection connection = jms.started();
    Session session = connection.createSession();
    MessageConsumer consumer = session.createConsumer(jms.queue());
    MessageProducer producer = session.createProducer(jms.queue());
    TextMessage message = session.createTextMessage("m");
    connection.close();
    assertThrows(IllegalStateException.class, session::createMessage);
    assertThrows(IllegalStateException.class, consumer::receive);
    assertThrows(IllegalStateException.class, () -> producer.send(message));
    assertThrows(IllegalStateException.class, connection::start);
    consumer.close();
    producer.close();
    session.close();
    connection.close();
    assertThat(message.getText()).isEqualTo("m");
    message.setText("still usable");
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text =
          "close rolls the transactions of its sessions back: nothing is sent, what was received comes again")
  void closeRollsBack(Jms jms) throws JMSException {
    for (boolean whole : new boolean[] {true, false}) {
      Queue in = jms.queue();
      Queue out = jms.queue();
      jms.send(in, "in");
      Connection connection = jms.started();
      Session session = connection.createSession(Session.SESSION_TRANSACTED);
      Jms.receive(session.createConsumer(in));
      session.createProducer(out).send(session.createTextMessage("out"));
      if (whole) {
        connection.close();
      } else {
        session.close();
      }
      assertThat(jms.drain(out)).isEmpty();
      Message again = Jms.receive(jms.session().createConsumer(in));
      assertThat(again.getJMSRedelivered()).isTrue();
      assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    }
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text =
          "close does not acknowledge; unseen messages come without, seen ones with the redelivered flag")
  void closeDoesNotAcknowledge(Jms jms) throws JMSException {
    for (boolean whole : new boolean[] {true, false}) {
      Queue queue = jms.queue();
      jms.send(queue, "seen 1", "seen 2", "unseen");
      Connection connection = jms.started();
      Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
      MessageConsumer consumer = session.createConsumer(queue);
      Jms.receiveTexts(consumer, 2);
      if (whole) {
        connection.close();
      } else {
        session.close();
      }
      MessageConsumer next = jms.session().createConsumer(queue);
      for (String text : List.of("seen 1", "seen 2", "unseen")) {
        TextMessage message = Jms.receive(next);
        assertThat(message.getText()).isEqualTo(text);
        assertThat(message.getJMSRedelivered()).as(text).isEqualTo(!text.equals("unseen"));
      }
    }
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text =
          "acknowledge of a message of a closed connection or session is an IllegalStateException")
  void acknowledgeAfterClose(Jms jms) throws JMSException {
    for (boolean whole : new boolean[] {true, false}) {
      Queue queue = jms.queue();
      jms.send(queue, "m");
      Connection connection = jms.started();
      Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
      TextMessage message = Jms.receive(session.createConsumer(queue));
      if (whole) {
        connection.close();
      } else {
        session.close();
      }
      assertThrows(IllegalStateException.class, message::acknowledge);
      assertThat(message.getText()).isEqualTo("m");
    }
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text =
          "close and stop of its connection and close of its session from a listener throw IllegalStateException at once")
  void closeFromAListener(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    Session session = connection.createSession();
    BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    session
        .createConsumer(queue)
        .setMessageListener(
            m -> {
              outcomes.add(outcome(connection::close));
              outcomes.add(outcome(connection::stop));
              outcomes.add(outcome(session::close));
            });
    jms.send(queue, "m");
    for (String call : List.of("connection.close", "connection.stop", "session.close")) {
      assertThat(outcomes.poll(Jms.SOON, TimeUnit.MILLISECONDS))
          .as(call)
          .isEqualTo("IllegalStateException");
    }
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text =
          "close and stop of its context from a listener throw IllegalStateRuntimeException at once")
  void closeOfAContextFromAListener(Jms jms) throws Exception {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    context
        .createConsumer(queue)
        .setMessageListener(
            m -> {
              outcomes.add(outcome(context::close));
              outcomes.add(outcome(context::stop));
            });
    jms.send(queue, "m");
    for (String call : List.of("close", "stop")) {
      assertThat(outcomes.poll(Jms.SOON, TimeUnit.MILLISECONDS))
          .as(call)
          .isEqualTo("IllegalStateRuntimeException");
    }
  }

  @Test
  @Assertion(
      section = "8.8",
      text =
          "A listener may close its own consumer; its message counts as acknowledged, no other comes")
  @KnownDeviation(provider = "artemis", why = "returns the message the listener is working on")
  void closeOfAConsumerFromItsListener(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageConsumer consumer = session.createConsumer(queue);
    BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
    consumer.setMessageListener(m -> outcomes.add(outcome(consumer::close)));
    jms.send(queue, "a", "b");
    assertThat(outcomes.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("ok");
    MessageConsumer next = jms.session().createConsumer(queue);
    assertThat(Jms.receiveText(next)).isEqualTo("b");
    assertThat(outcomes).isEmpty();
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text = "The last of the contexts of a connection closes it, no earlier one")
  @KnownDeviation(provider = "artemis", why = "a closed context still makes queues")
  void theLastContextClosesTheConnection(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext first = jms.context();
    JMSContext second = jms.closing(first.createContext(JMSContext.AUTO_ACKNOWLEDGE));
    Queue temporary = first.createTemporaryQueue();
    first.close();
    second.createProducer().send(queue, "m");
    assertThat(Jms.receive(second.createConsumer(queue)).getText()).isEqualTo("m");
    second.createProducer().send(temporary, "t");
    assertThat(Jms.receive(second.createConsumer(temporary)).getText()).isEqualTo("t");
    assertThrows(IllegalStateRuntimeException.class, () -> first.createQueue("x"));
    second.close();
    assertThrows(
        IllegalStateRuntimeException.class, () -> second.createContext(Session.AUTO_ACKNOWLEDGE));
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text = "Connections, sessions and contexts work in try-with-resources")
  void tryWithResources(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Connection kept;
    try (Connection connection = jms.factory().createConnection();
        Session session = connection.createSession();
        MessageProducer producer = session.createProducer(queue)) {
      producer.send(session.createTextMessage("m"));
      kept = connection;
    }
    assertThrows(IllegalStateException.class, kept::createSession);
    assertThat(jms.drain(queue)).containsExactly("m");
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text = "Sessions of one connection can be closed while another thread of it works")
  void closeOfOneSessionLeavesTheOthers(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    Session one = connection.createSession();
    Session other = connection.createSession();
    MessageConsumer consumer = other.createConsumer(queue);
    one.createConsumer(queue).close();
    one.close();
    other.createProducer(queue).send(other.createTextMessage("m"));
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
  }

  /** A call that may fail. */
  private interface Call {
    void run() throws JMSException;
  }

  private static String outcome(Call call) {
    try {
      call.run();
      return "ok";
    } catch (JMSException | RuntimeException e) {
      return e.getClass().getSimpleName();
    }
  }
}
