package io.metaq.tck.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

/** Section 4.1.6: looking at a queue without taking from it. */
@Conformance
class QueueBrowserTest {

  @Test
  @Assertion(
      section = "4.1.6",
      text = "A browser shows the messages in the order a consumer would get them, and leaves them")
  void browsingLeavesTheMessages(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b", "c");
    QueueBrowser browser = jms.session().createBrowser(queue);
    assertThat(texts(browser)).containsExactly("a", "b", "c");
    assertThat(texts(browser)).containsExactly("a", "b", "c");
    assertThat(jms.drain(queue)).containsExactly("a", "b", "c");
  }

  @Test
  @Assertion(
      section = "4.1.6",
      text = "A browser shows messages by priority, as a consumer gets them")
  void browsingFollowsPriority(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    for (int priority : new int[] {1, 9, 4}) {
      producer.send(
          session.createTextMessage("p" + priority), DeliveryMode.PERSISTENT, priority, 0);
    }
    assertThat(texts(session.createBrowser(queue))).containsExactly("p9", "p4", "p1");
  }

  @Test
  @Assertion(section = "4.1.6", text = "A browser with a selector shows only what matches")
  void browsingWithASelector(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    for (int i = 0; i < 4; i++) {
      Message message = session.createTextMessage("m" + i);
      message.setIntProperty("n", i);
      session.createProducer(queue).send(message);
    }
    QueueBrowser browser = session.createBrowser(queue, "n > 1");
    assertThat(browser.getMessageSelector()).isEqualTo("n > 1");
    assertThat(browser.getQueue()).isEqualTo(queue);
    assertThat(texts(browser)).containsExactly("m2", "m3");
  }

  @Test
  @Assertion(section = "4.1.6", text = "An empty queue gives an enumeration without elements")
  void browsingAnEmptyQueue(Jms jms) throws JMSException {
    Enumeration<?> empty = jms.session().createBrowser(jms.queue()).getEnumeration();
    assertThat(empty.hasMoreElements()).isFalse();
    assertThrows(NoSuchElementException.class, empty::nextElement);
  }

  @Test
  @Assertion(
      section = "4.1.6",
      text = "Each getEnumeration starts anew and shows what has come since")
  void eachEnumerationIsNew(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    QueueBrowser browser = jms.session().createBrowser(queue);
    assertThat(texts(browser)).isEmpty();
    jms.send(queue, "a");
    assertThat(texts(browser)).containsExactly("a");
    jms.send(queue, "b");
    assertThat(texts(browser)).containsExactly("a", "b");
    assertThat(jms.drain(queue)).hasSize(2);
    assertThat(texts(browser)).isEmpty();
  }

  @Test
  @Assertion(section = "4.1.6", text = "Browsing counts no delivery")
  void browsingCountsNoDelivery(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a");
    Session session = jms.session();
    for (int i = 0; i < 3; i++) {
      Message browsed = (Message) session.createBrowser(queue).getEnumeration().nextElement();
      assertThat(browsed.getJMSRedelivered()).isFalse();
    }
    Message received = session.createConsumer(queue).receive(Jms.SOON);
    assertThat(received.getJMSRedelivered()).isFalse();
    assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
  }

  @Test
  @Assertion(section = "4.1.6", text = "No message is browsed before its delivery time")
  void delayedMessagesAreNotBrowsed(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryDelay(60_000);
    producer.send(session.createTextMessage("later"));
    producer.setDeliveryDelay(0);
    producer.send(session.createTextMessage("now"));
    assertThat(texts(session.createBrowser(queue))).containsExactly("now");
  }

  @Test
  @Assertion(section = "4.1.6", text = "Sends that are not yet committed are not browsed")
  void uncommittedSendsAreNotBrowsed(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session transacted = jms.session(Session.SESSION_TRANSACTED);
    transacted.createProducer(queue).send(transacted.createTextMessage("a"));
    QueueBrowser browser = jms.session().createBrowser(queue);
    assertThat(texts(browser)).isEmpty();
    transacted.commit();
    assertThat(texts(browser)).containsExactly("a");
  }

  @Test
  @Assertion(section = "6.1.4", text = "Browsing works on a connection that is stopped")
  void browsingNeedsNoStart(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a");
    Connection stopped = jms.connection();
    assertThat(texts(stopped.createSession().createBrowser(queue))).containsExactly("a");
  }

  @Test
  @Assertion(section = "4.1.6", text = "Many messages are browsed, beyond what one request brings")
  void browsingManyMessages(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(queue);
    List<String> sent = new ArrayList<>();
    for (int i = 0; i < 1500; i++) {
      sent.add("m" + i);
      producer.send(session.createTextMessage("m" + i));
    }
    session.commit();
    assertThat(texts(jms.session().createBrowser(queue))).isEqualTo(sent);
  }

  @Test
  @Assertion(
      section = "6.2.3",
      text = "A browser on a null queue is an InvalidDestinationException")
  void nullQueue(Jms jms) throws JMSException {
    Session session = jms.session();
    assertThrows(InvalidDestinationException.class, () -> session.createBrowser(null));
    assertThrows(InvalidDestinationException.class, () -> session.createBrowser(null, "a = 1"));
  }

  @Test
  @Assertion(
      section = "API QueueBrowser",
      text = "A closed browser throws IllegalStateException; closing again does nothing")
  @KnownDeviation(provider = "artemis", why = "only getEnumeration notices the close")
  void closedBrowser(Jms jms) throws JMSException {
    QueueBrowser browser = jms.session().createBrowser(jms.queue());
    browser.close();
    browser.close();
    assertThrows(jakarta.jms.IllegalStateException.class, browser::getEnumeration);
    assertThrows(jakarta.jms.IllegalStateException.class, browser::getQueue);
    assertThrows(jakarta.jms.IllegalStateException.class, browser::getMessageSelector);
  }

  @Test
  @Assertion(section = "4.1.6", text = "A JMSContext makes browsers too")
  void browserOfAContext(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a");
    JMSContext context = jms.context();
    assertThat(texts(context.createBrowser(queue))).containsExactly("a");
    assertThat(texts(context.createBrowser(queue, "x = 1"))).isEmpty();
  }

  @Test
  @Assertion(
      section = "4.1.6",
      text =
          "Messages delivered but not acknowledged may be browsed or not; after recovery they are")
  void recoveredMessagesAreBrowsed(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    Connection connection = jms.started();
    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(queue);
    Jms.receive(consumer);
    connection.close();
    assertThat(texts(jms.session().createBrowser(queue))).containsExactly("a", "b");
  }

  private static List<String> texts(QueueBrowser browser) throws JMSException {
    List<String> texts = new ArrayList<>();
    for (Enumeration<?> e = browser.getEnumeration(); e.hasMoreElements(); ) {
      texts.add(Jms.textOf((Message) e.nextElement()));
    }
    return texts;
  }
}
