package io.metaq.tck.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Sections 7.8 and 7.9: time to live and delivery delay. */
@Conformance
class TimeTest {

  @Test
  @Assertion(section = "7.8", text = "An expired message is not delivered; those behind it are")
  void expiredMessagesAreNotDelivered(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    Message dying = session.createTextMessage("dying");
    producer.send(dying, DeliveryMode.PERSISTENT, 4, 1);
    producer.send(session.createTextMessage("living"));
    awaitClock(dying.getJMSExpiration());
    assertThat(jms.drain(queue)).containsExactly("living");
  }

  @Test
  @Assertion(
      section = "3.4.9",
      text = "A message that expires in the consumer's buffer is not handed over")
  void messagesExpireInTheBuffer(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageConsumer consumer = session.createConsumer(queue);
    MessageProducer producer = session.createProducer(queue);
    producer.send(session.createTextMessage("first"));
    Message dying = session.createTextMessage("dying");
    producer.send(dying, DeliveryMode.PERSISTENT, 4, 150);
    producer.send(session.createTextMessage("last"));
    assertThat(Jms.receiveText(consumer)).isEqualTo("first");
    awaitClock(dying.getJMSExpiration());
    assertThat(Jms.receiveText(consumer)).isEqualTo("last");
  }

  @Test
  @Assertion(section = "7.8", text = "Time to live counts from the send, not from the commit")
  void timeToLiveCountsFromTheSend(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(queue);
    Message dying = session.createTextMessage("dying");
    producer.send(dying, DeliveryMode.PERSISTENT, 4, 100);
    producer.send(session.createTextMessage("living"));
    awaitClock(dying.getJMSExpiration());
    session.commit();
    assertThat(jms.drain(queue)).containsExactly("living");
  }

  @Test
  @Assertion(
      section = "7.8",
      text = "Messages of a durable subscription expire too, without a consumer")
  void expiryInADurableSubscription(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    session.createDurableConsumer(topic, "s").close();
    MessageProducer producer = session.createProducer(topic);
    Message dying = session.createTextMessage("dying");
    producer.send(dying, DeliveryMode.PERSISTENT, 4, 1);
    producer.send(session.createTextMessage("living"));
    awaitClock(dying.getJMSExpiration());
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    assertThat(Jms.receiveText(consumer)).isEqualTo("living");
    consumer.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(
      section = "7.9",
      text = "No message is delivered before its delivery time, and then it is")
  void delay(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageConsumer consumer = session.createConsumer(queue);
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryDelay(200);
    Message sent = session.createTextMessage("m");
    producer.send(sent);
    assertThat(consumer.receiveNoWait()).isNull();
    Message received = Jms.receive(consumer);
    assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(sent.getJMSDeliveryTime());
    assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
    assertThat(consumer.receiveNoWait()).isNull();
  }

  @Test
  @Assertion(
      section = "7.9",
      text = "A delayed message lets later ones with an earlier time pass; ties keep their order")
  void delayedMessagesArePassed(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryDelay(300);
    producer.send(session.createTextMessage("late 1"));
    producer.send(session.createTextMessage("late 2"));
    producer.setDeliveryDelay(0);
    producer.send(session.createTextMessage("now"));
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(Jms.receiveTexts(consumer, 3)).containsExactly("now", "late 1", "late 2");
  }

  @Test
  @Assertion(
      section = "7.9",
      text = "A delayed message is added only to subscriptions that exist when it is sent")
  void delayedMessagesAndSubscriptions(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.session();
    MessageConsumer before = session.createConsumer(topic);
    MessageProducer producer = session.createProducer(topic);
    producer.setDeliveryDelay(150);
    producer.send(session.createTextMessage("m"));
    MessageConsumer after = jms.session().createConsumer(topic);
    assertThat(Jms.receiveText(before)).isEqualTo("m");
    assertThat(after.receive(Jms.BRIEFLY)).isNull();
  }

  @Test
  @Assertion(section = "7.9", text = "A delayed message waits for an inactive durable subscription")
  void delayedMessagesAndDurableSubscriptions(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    Session session = jms.started(jms.name("client")).createSession();
    session.createDurableConsumer(topic, "s").close();
    MessageProducer producer = session.createProducer(topic);
    producer.setDeliveryDelay(100);
    producer.send(session.createTextMessage("m"));
    MessageConsumer consumer = session.createDurableConsumer(topic, "s");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
    consumer.close();
    session.unsubscribe("s");
  }

  @Test
  @Assertion(section = "7.9", text = "The delay counts from the send, not from the commit")
  void delayCountsFromTheSend(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryDelay(100);
    Message message = session.createTextMessage("m");
    producer.send(message);
    awaitClock(message.getJMSDeliveryTime());
    session.commit();
    MessageConsumer consumer = jms.session().createConsumer(queue);
    assertThat(consumer.receive(50)).isNotNull();
  }

  @Test
  @Assertion(section = "7.9", text = "A time to live shorter than the delay never delivers")
  @KnownDeviation(provider = "artemis", why = "the message due after an expired one does not come")
  void expiredBeforeDue(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    context.createProducer().setDeliveryDelay(100).setTimeToLive(20).send(queue, "never");
    context.createProducer().setDeliveryDelay(120).send(queue, "fence");
    assertThat(Jms.receive(context.createConsumer(queue)).getText()).isEqualTo("fence");
  }

  @Test
  @Assertion(section = "7.9", text = "A delay of centuries is held")
  void aVeryLongDelay(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryDelay(Duration.ofDays(200_000).toMillis());
    Message sent = session.createTextMessage("m");
    producer.send(sent);
    assertThat(sent.getJMSDeliveryTime())
        .isGreaterThan(System.currentTimeMillis() + Duration.ofDays(199_999).toMillis());
    assertThat(session.createConsumer(queue).receiveNoWait()).isNull();
  }

  private static void awaitClock(long time) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .pollInterval(Duration.ofMillis(5))
        .until(() -> System.currentTimeMillis() > time + 20);
  }
}
