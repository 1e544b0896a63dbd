package io.metaq.tck.connect;

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
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Sections 6.1.4 and 6.1.5: starting and stopping the delivery of messages. */
@Conformance
class StartStopTest {

  @Test
  @Assertion(
      section = "6.1.4",
      text = "A new connection is stopped: nothing is delivered until it is started")
  void aNewConnectionIsStopped(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "m");
    Connection connection = jms.connection();
    MessageConsumer consumer = connection.createSession().createConsumer(queue);
    assertThat(consumer.receive(Jms.BRIEFLY)).isNull();
    assertThat(consumer.receiveNoWait()).isNull();
    connection.start();
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
  }

  @Test
  @Assertion(section = "6.1.4", text = "A stopped connection can send")
  void aStoppedConnectionSends(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Connection connection = jms.connection();
    Session session = connection.createSession();
    MessageProducer producer = session.createProducer(queue);
    producer.send(session.createTextMessage("never started"));
    connection.start();
    connection.stop();
    producer.send(session.createTextMessage("stopped"));
    assertThat(jms.drain(queue)).containsExactly("never started", "stopped");
  }

  @Test
  @Assertion(
      section = "6.1.5",
      text = "Starting a started and stopping a stopped connection is ignored")
  void repeatedStartAndStop(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Connection connection = jms.connection();
    connection.stop();
    connection.start();
    connection.start();
    MessageConsumer consumer = connection.createSession().createConsumer(queue);
    connection.stop();
    connection.stop();
    jms.send(queue, "m");
    assertThat(consumer.receiveNoWait()).isNull();
    connection.start();
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "6.1.5",
      text = "While stopped a receive blocks although messages are there, and goes on after start")
  void aStoppedReceiveBlocks(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    MessageConsumer consumer = connection.createSession().createConsumer(queue);
    connection.stop();
    CompletableFuture<Message> receive = jms.async(() -> consumer.receive(Jms.SOON));
    jms.send(queue, "m");
    assertThat(jms.own().createBrowser(queue).getEnumeration()).isNotNull();
    assertThat(receive).isNotDone();
    connection.start();
    assertThat(Jms.textOf(receive.get(Jms.SOON, TimeUnit.MILLISECONDS))).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "6.1.5",
      text = "The timer of a receive runs while the connection is stopped")
  void receiveTimersRunWhileStopped(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "m");
    MessageConsumer consumer = jms.connection().createSession().createConsumer(queue);
    long start = System.nanoTime();
    assertThat(consumer.receive(Jms.BRIEFLY)).isNull();
    assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))
        .isBetween(Jms.BRIEFLY - 10, Jms.SOON);
  }

  @Test
  @Assertion(section = "6.1.5", text = "After stop has returned no listener is called until start")
  void noListenerIsCalledWhileStopped(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    BlockingQueue<String> received = new LinkedBlockingQueue<>();
    Session session = connection.createSession();
    session.createConsumer(queue).setMessageListener(m -> received.add(text(m)));
    jms.send(queue, "a");
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("a");
    connection.stop();
    jms.send(queue, "b");
    assertThat(received.poll(Jms.BRIEFLY, TimeUnit.MILLISECONDS)).isNull();
    connection.start();
    assertThat(received.poll(Jms.SOON, TimeUnit.MILLISECONDS)).isEqualTo("b");
  }

  @Test
  @Assertion(
      section = "6.1.5",
      text = "stop waits for a running listener, which keeps the services of its session")
  void stopWaitsForListeners(Jms jms) throws Exception {
    Queue queue = jms.queue();
    Queue replies = jms.queue();
    Connection connection = jms.started();
    Session session = connection.createSession();
    MessageProducer producer = session.createProducer(replies);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    AtomicReference<Exception> failure = new AtomicReference<>();
    session
        .createConsumer(queue)
        .setMessageListener(
            m -> {
              entered.countDown();
              try {
                leave.await();
                producer.send(session.createTextMessage("reply"));
              } catch (JMSException | InterruptedException e) {
                failure.set(e);
              }
            });
    jms.send(queue, "m");
    assertThat(entered.await(Jms.SOON, TimeUnit.MILLISECONDS)).isTrue();
    CompletableFuture<Object> stop =
        jms.async(
            () -> {
              connection.stop();
              return null;
            });
    assertThrows(
        java.util.concurrent.TimeoutException.class,
        () -> stop.get(Jms.BRIEFLY, TimeUnit.MILLISECONDS));
    leave.countDown();
    stop.get(Jms.SOON, TimeUnit.MILLISECONDS);
    assertThat(failure.get()).isNull();
    assertThat(jms.drain(replies)).containsExactly("reply");
  }

  @Test
  @Assertion(
      section = "6.1.5",
      text = "Messages a stopped connection has not shown go to other consumers")
  @KnownDeviation(provider = "artemis", why = "keeps its buffer while stopped")
  void unseenMessagesOfAStoppedConnectionGoToOthers(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Connection connection = jms.started();
    MessageConsumer holder = connection.createSession().createConsumer(queue);
    jms.send(queue, "a", "b", "c");
    assertThat(Jms.receiveText(holder)).isEqualTo("a");
    connection.stop();
    MessageConsumer other = jms.session().createConsumer(queue);
    assertThat(other.receive(1000)).as("b").isNotNull();
    assertThat(other.receive(1000)).as("c").isNotNull();
  }

  @Test
  @Assertion(section = "6.1.4", text = "Creating the first consumer of a context starts it")
  void aContextStartsWithItsFirstConsumer(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "m");
    JMSContext context = jms.context();
    assertThat(context.getAutoStart()).isTrue();
    assertThat(Jms.receive(context.createConsumer(queue)).getText()).isEqualTo("m");
  }

  @Test
  @Assertion(section = "6.1.4", text = "With autoStart off a context starts only by start")
  void autoStartOff(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "m");
    JMSContext context = jms.context();
    context.setAutoStart(false);
    assertThat(context.getAutoStart()).isFalse();
    JMSConsumer consumer = context.createConsumer(queue);
    assertThat(consumer.receiveNoWait()).isNull();
    context.start();
    assertThat(Jms.receive(consumer).getText()).isEqualTo("m");
    context.stop();
    jms.send(queue, "n");
    assertThat(consumer.receiveNoWait()).isNull();
    context.start();
    assertThat(Jms.receive(consumer).getText()).isEqualTo("n");
  }

  @Test
  @Assertion(
      section = "6.1.4",
      text = "autoStart of each context counts for its own consumers; they share the connection")
  void contextsShareStartAndStop(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext first = jms.context();
    first.setAutoStart(false);
    JMSConsumer consumer = first.createConsumer(queue);
    jms.send(queue, "m");
    assertThat(consumer.receiveNoWait()).isNull();
    JMSContext second = jms.closing(first.createContext(JMSContext.AUTO_ACKNOWLEDGE));
    second.start();
    assertThat(Jms.receive(consumer).getText()).isEqualTo("m");
    assertThat(List.of(first, second)).doesNotContainNull();
  }

  private static String text(Message message) {
    try {
      return Jms.textOf(message);
    } catch (JMSException e) {
      return e.toString();
    }
  }
}
