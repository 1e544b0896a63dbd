package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.4: who sets which header, when, and what the receiver sees. */
@Conformance
class MessageHeaderTest {

  /** The ways a message leaves a synchronous send. */
  enum Sending {
    PERSISTENT(DeliveryMode.PERSISTENT, false),
    NON_PERSISTENT(DeliveryMode.NON_PERSISTENT, false),
    TRANSACTED(DeliveryMode.PERSISTENT, true),
    TRANSACTED_NON_PERSISTENT(DeliveryMode.NON_PERSISTENT, true);

    final int deliveryMode;
    final boolean transacted;

    Sending(int deliveryMode, boolean transacted) {
      this.deliveryMode = deliveryMode;
      this.transacted = transacted;
    }

    Session session(Jms jms) throws JMSException {
      return jms.session(transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
    }
  }

  @Test
  @Assertion(
      section = "3.4.1",
      text = "JMSDestination of a received message equals the one sent to")
  void destinationIsThatOfTheSend(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    TextMessage sent = jms.text("m");
    jms.send(queue, sent);
    assertThat(sent.getJMSDestination()).isEqualTo(queue);
    MessageConsumer consumer = jms.session().createConsumer(queue);
    assertThat(Jms.receive(consumer).getJMSDestination()).isEqualTo(queue);
  }

  @Test
  @Assertion(section = "3.4.1", text = "JMSDestination set by the client is ignored by send")
  void destinationSetByTheClientIsOverwritten(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    TextMessage sent = jms.text("m");
    sent.setJMSDestination(jms.queue());
    jms.send(queue, sent);
    assertThat(sent.getJMSDestination()).isEqualTo(queue);
    assertThat(Jms.receive(jms.session().createConsumer(queue)).getJMSDestination())
        .isEqualTo(queue);
  }

  @Test
  @Assertion(section = "3.4.1", text = "JMSDestination of a message from a topic is a Topic")
  void destinationOfATopicMessageIsTheTopic(Jms jms) throws JMSException {
    Topic topic = jms.topic();
    MessageConsumer consumer = jms.session().createConsumer(topic);
    jms.send(topic, "m");
    Destination destination = Jms.receive(consumer).getJMSDestination();
    assertThat(destination).isInstanceOf(Topic.class).isEqualTo(topic);
    assertThat(((Topic) destination).getTopicName()).isEqualTo(topic.getTopicName());
  }

  @Test
  @Assertion(section = "3.4.2", text = "JMSDeliveryMode set on the message is ignored by send")
  void deliveryModeComesFromTheSendOnly(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    TextMessage sent = jms.text("m");
    sent.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
    jms.send(queue, sent);
    assertThat(sent.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    assertThat(Jms.receive(jms.session().createConsumer(queue)).getJMSDeliveryMode())
        .isEqualTo(DeliveryMode.PERSISTENT);
  }

  @ParameterizedTest
  @ValueSource(ints = {DeliveryMode.PERSISTENT, DeliveryMode.NON_PERSISTENT})
  @Assertion(
      section = "3.4.2",
      text = "JMSDeliveryMode holds the mode given to the send, on both sides")
  void deliveryModeReachesTheReceiver(int mode, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    TextMessage sent = session.createTextMessage("m");
    session.createProducer(queue).send(sent, mode, 4, 0);
    assertThat(sent.getJMSDeliveryMode()).isEqualTo(mode);
    assertThat(Jms.receive(session.createConsumer(queue)).getJMSDeliveryMode()).isEqualTo(mode);
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "3.4.3",
      text = "When send returns the message has a JMSMessageID that starts with ID:")
  void messageIdStandsWhenSendReturns(Sending sending, Jms jms) throws JMSException {
    Session session = sending.session(jms);
    TextMessage sent = session.createTextMessage("m");
    session.createProducer(jms.queue()).send(sent, sending.deliveryMode, 4, 0);
    assertThat(sent.getJMSMessageID()).startsWith("ID:");
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(section = "3.4.3", text = "The receiver sees the JMSMessageID the sender saw")
  void messageIdIsTheSameOnBothSides(Sending sending, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = sending.session(jms);
    TextMessage sent = session.createTextMessage("m");
    session.createProducer(queue).send(sent, sending.deliveryMode, 4, 0);
    if (sending.transacted) {
      session.commit();
    }
    assertThat(Jms.receive(jms.session().createConsumer(queue)).getJMSMessageID())
        .isEqualTo(sent.getJMSMessageID());
  }

  @Test
  @Assertion(section = "3.4.3", text = "Each message sent has a JMSMessageID of its own")
  void messageIdsAreUnique(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < 2; i++) {
      Session session = jms.session();
      for (int j = 0; j < 2; j++) {
        MessageProducer producer = session.createProducer(queue);
        TextMessage message = session.createTextMessage("m");
        for (int k = 0; k < 3; k++) {
          producer.send(message);
          ids.add(message.getJMSMessageID());
        }
      }
    }
    assertThat(ids).hasSize(12);
  }

  @Test
  @Assertion(section = "3.4.3", text = "A JMSMessageID set by the client is ignored by send")
  void messageIdSetByTheClientIsOverwritten(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSMessageID("ID:mine");
    assertThat(jms.roundTrip(sent).getJMSMessageID()).isNotEqualTo("ID:mine").startsWith("ID:");
    assertThat(sent.getJMSMessageID()).isNotEqualTo("ID:mine");
  }

  @Test
  @Assertion(
      section = "3.4.3",
      text = "With message ids disabled the id is null, or the normal unique one")
  void disabledMessageIdIsNullOrNormal(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDisableMessageID(true);
    assertThat(producer.getDisableMessageID()).isTrue();
    producer.send(session.createTextMessage("m"));
    String id = Jms.receive(session.createConsumer(queue)).getJMSMessageID();
    if (id != null) {
      assertThat(id).startsWith("ID:");
    }
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(section = "3.4.4", text = "JMSTimestamp lies between the call of send and its return")
  void timestampLiesWithinTheSend(Sending sending, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = sending.session(jms);
    MessageProducer producer = session.createProducer(queue);
    TextMessage sent = session.createTextMessage("m");
    long before = System.currentTimeMillis();
    producer.send(sent, sending.deliveryMode, 4, 0);
    long after = System.currentTimeMillis();
    assertThat(sent.getJMSTimestamp()).isBetween(before, after);
    if (sending.transacted) {
      session.commit();
    }
    assertThat(Jms.receive(jms.session().createConsumer(queue)).getJMSTimestamp())
        .isEqualTo(sent.getJMSTimestamp());
  }

  @Test
  @Assertion(
      section = "3.4.4",
      text = "With timestamps disabled JMSTimestamp is zero, or the normal value")
  void disabledTimestampIsZeroOrNormal(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    producer.setDisableMessageTimestamp(true);
    assertThat(producer.getDisableMessageTimestamp()).isTrue();
    long before = System.currentTimeMillis();
    producer.send(session.createTextMessage("m"));
    long after = System.currentTimeMillis();
    long timestamp = Jms.receive(session.createConsumer(queue)).getJMSTimestamp();
    if (timestamp != 0) {
      assertThat(timestamp).isBetween(before, after);
    }
  }

  @Test
  @Assertion(section = "3.4.5", text = "JMSCorrelationID reaches the receiver as the client set it")
  void correlationIdReachesTheReceiver(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSCorrelationID("order 4711 \u00e4\u20ac");
    assertThat(jms.roundTrip(sent).getJMSCorrelationID()).isEqualTo("order 4711 \u00e4\u20ac");
  }

  @Test
  @Assertion(section = "3.4.5", text = "JMSCorrelationID may hold the id of another message")
  void correlationIdMayBeAMessageId(Jms jms) throws JMSException {
    TextMessage request = jms.roundTrip(jms.text("request"));
    TextMessage reply = jms.text("reply");
    reply.setJMSCorrelationID(request.getJMSMessageID());
    assertThat(jms.roundTrip(reply).getJMSCorrelationID()).isEqualTo(request.getJMSMessageID());
  }

  @Test
  @Assertion(
      section = "3.4.5",
      text = "A byte[] correlation id reaches the receiver, or the setter is unsupported")
  void correlationIdAsBytes(Jms jms) throws JMSException {
    byte[] id = {1, 2, 3, (byte) 0xff};
    TextMessage sent = jms.text("m");
    try {
      sent.setJMSCorrelationIDAsBytes(id);
    } catch (UnsupportedOperationException allowed) {
      return;
    }
    assertThat(jms.roundTrip(sent).getJMSCorrelationIDAsBytes()).isEqualTo(id);
  }

  @Test
  @Assertion(section = "3.4.5", text = "A message without JMSCorrelationID arrives without one")
  void correlationIdIsNullByDefault(Jms jms) throws JMSException {
    assertThat(jms.roundTrip(jms.text("m")).getJMSCorrelationID()).isNull();
  }

  @Test
  @Assertion(section = "3.4.5", text = "JMSCorrelationID may be set back to null")
  void correlationIdMayBeCleared(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSCorrelationID("x");
    sent.setJMSCorrelationID(null);
    assertThat(jms.roundTrip(sent).getJMSCorrelationID()).isNull();
  }

  @Test
  @Assertion(
      section = "3.4.6",
      text = "JMSReplyTo reaches the receiver, of its kind, and can be sent to")
  void replyToIsADestinationOfTheSameKind(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    TextMessage toQueue = jms.text("m");
    toQueue.setJMSReplyTo(queue);
    Destination queueReply = jms.roundTrip(toQueue).getJMSReplyTo();
    assertThat(queueReply).isInstanceOf(Queue.class).isEqualTo(queue);

    Topic topic = jms.topic();
    TextMessage toTopic = jms.text("m");
    toTopic.setJMSReplyTo(topic);
    Destination topicReply = jms.roundTrip(toTopic).getJMSReplyTo();
    assertThat(topicReply).isInstanceOf(Topic.class).isEqualTo(topic);

    jms.send(queueReply, "reply");
    assertThat(jms.drain(queue)).containsExactly("reply");
  }

  @Test
  @Assertion(
      section = "3.4.6",
      text = "A temporary destination in JMSReplyTo can be sent to by the receiver")
  void replyToATemporaryQueueWorks(Jms jms) throws JMSException {
    Queue requests = jms.queue();
    Session client = jms.session();
    Queue replies = client.createTemporaryQueue();
    TextMessage request = client.createTextMessage("request");
    request.setJMSReplyTo(replies);
    client.createProducer(requests).send(request);

    Session server = jms.session();
    Message received = Jms.receive(server.createConsumer(requests));
    server.createProducer(null).send(received.getJMSReplyTo(), server.createTextMessage("reply"));

    assertThat(Jms.receiveText(client.createConsumer(replies))).isEqualTo("reply");
  }

  @Test
  @Assertion(section = "3.4.6", text = "A message without JMSReplyTo arrives without one")
  void replyToIsNullByDefault(Jms jms) throws JMSException {
    assertThat(jms.roundTrip(jms.text("m")).getJMSReplyTo()).isNull();
  }

  @Test
  @Assertion(
      section = "3.4.7",
      text = "A message delivered for the first time has JMSRedelivered false")
  void firstDeliveryIsNotRedelivered(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSRedelivered(true);
    assertThat(jms.roundTrip(sent).getJMSRedelivered()).isFalse();
  }

  @Test
  @Assertion(
      section = "3.4.8",
      text = "JMSType reaches the receiver; a message without one has null")
  void typeReachesTheReceiver(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSType("invoice");
    assertThat(jms.roundTrip(sent).getJMSType()).isEqualTo("invoice");
    assertThat(jms.roundTrip(jms.text("m")).getJMSType()).isNull();
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "3.4.9",
      text = "JMSExpiration is the time of the send plus the time to live, on both sides")
  void expirationIsSendTimePlusTimeToLive(Sending sending, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = sending.session(jms);
    MessageProducer producer = session.createProducer(queue);
    TextMessage sent = session.createTextMessage("m");
    long before = System.currentTimeMillis();
    producer.send(sent, sending.deliveryMode, 4, 60_000);
    long after = System.currentTimeMillis();
    assertThat(sent.getJMSExpiration()).isBetween(before + 60_000, after + 60_000);
    if (sending.transacted) {
      session.commit();
    }
    assertThat(Jms.receive(jms.session().createConsumer(queue)).getJMSExpiration())
        .isEqualTo(sent.getJMSExpiration());
  }

  @Test
  @Assertion(
      section = "3.4.9",
      text = "Without a time to live JMSExpiration is zero, whatever the message held")
  void expirationIsZeroWithoutTimeToLive(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSExpiration(1234);
    assertThat(jms.roundTrip(sent).getJMSExpiration()).isZero();
    assertThat(sent.getJMSExpiration()).isZero();
  }

  @Test
  @Assertion(
      section = "3.4.9",
      text = "A time to live beyond the range of time never expires the message")
  @KnownDeviation(provider = "artemis", why = "lets the sum overflow into a negative time")
  void anOverflowingTimeToLiveNeverExpires(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    session
        .createProducer(queue)
        .send(session.createTextMessage("m"), DeliveryMode.PERSISTENT, 4, Long.MAX_VALUE);
    Message received = Jms.receive(session.createConsumer(queue));
    assertThat(received.getJMSExpiration()).isNotNegative();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 5, 9})
  @Assertion(
      section = "3.4.10",
      text = "JMSPriority holds the priority given to the send, on both sides")
  void priorityReachesTheReceiver(int priority, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    TextMessage sent = session.createTextMessage("m");
    sent.setJMSPriority(3);
    session.createProducer(queue).send(sent, DeliveryMode.PERSISTENT, priority, 0);
    assertThat(sent.getJMSPriority()).isEqualTo(priority);
    assertThat(Jms.receive(session.createConsumer(queue)).getJMSPriority()).isEqualTo(priority);
  }

  @Test
  @Assertion(section = "3.4.10", text = "Expedited messages are delivered ahead of normal ones")
  void higherPriorityComesFirst(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer producer = session.createProducer(queue);
    for (int priority : new int[] {0, 4, 9, 4, 5, 9, 1}) {
      producer.send(
          session.createTextMessage("p" + priority), DeliveryMode.PERSISTENT, priority, 0);
    }
    assertThat(jms.drain(queue)).containsExactly("p9", "p9", "p5", "p4", "p4", "p1", "p0");
  }

  @Test
  @Assertion(section = "3.4.10", text = "A message without a priority given has priority 4")
  void defaultPriorityIsFour(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSPriority(9);
    assertThat(jms.roundTrip(sent).getJMSPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
  }

  @ParameterizedTest
  @EnumSource
  @Assertion(
      section = "3.4.13",
      text = "JMSDeliveryTime is the time of the send plus the delay, on both sides")
  void deliveryTimeIsSendTimePlusDelay(Sending sending, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = sending.session(jms);
    MessageProducer producer = session.createProducer(queue);
    producer.setDeliveryDelay(50);
    TextMessage sent = session.createTextMessage("m");
    long before = System.currentTimeMillis();
    producer.send(sent, sending.deliveryMode, 4, 0);
    long after = System.currentTimeMillis();
    assertThat(sent.getJMSDeliveryTime()).isBetween(before + 50, after + 50);
    if (sending.transacted) {
      session.commit();
    }
    assertThat(Jms.receive(jms.session().createConsumer(queue)).getJMSDeliveryTime())
        .isEqualTo(sent.getJMSDeliveryTime());
  }

  @Test
  @Assertion(
      section = "3.4.13",
      text = "Without a delay JMSDeliveryTime is the time of the send, whatever the message held")
  @KnownDeviation(provider = "artemis", why = "delays by what the client put into the message")
  void deliveryTimeWithoutDelayIsTheTimeOfTheSend(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSDeliveryTime(System.currentTimeMillis() + 3_600_000);
    long before = System.currentTimeMillis();
    TextMessage received = jms.roundTrip(sent);
    assertThat(sent.getJMSDeliveryTime()).isBetween(before, System.currentTimeMillis());
    assertThat(received.getJMSDeliveryTime()).isEqualTo(sent.getJMSDeliveryTime());
  }

  @Test
  @Assertion(section = "3.4.11", text = "Headers of a received message can be changed")
  void headersOfAReceivedMessageCanBeChanged(Jms jms) throws JMSException {
    TextMessage received = jms.roundTrip(jms.text("m"));
    received.setJMSCorrelationID("c");
    received.setJMSReplyTo(jms.queue());
    received.setJMSType("t");
    assertThat(received.getJMSCorrelationID()).isEqualTo("c");
    assertThat(received.getJMSType()).isEqualTo("t");
    assertThat(received.getJMSReplyTo()).isNotNull();
  }

  @Test
  @Assertion(section = "API Message", text = "A new message has no headers but their defaults")
  void aNewMessageHasNoHeaders(Jms jms) throws JMSException {
    Message message = jms.own().createMessage();
    assertThat(message.getJMSMessageID()).isNull();
    assertThat(message.getJMSCorrelationID()).isNull();
    assertThat(message.getJMSReplyTo()).isNull();
    assertThat(message.getJMSDestination()).isNull();
    assertThat(message.getJMSType()).isNull();
    assertThat(message.getJMSRedelivered()).isFalse();
    assertThat(message.getJMSExpiration()).isZero();
  }

  @Test
  @Assertion(
      section = "API Message",
      text = "clearProperties and clearBody leave the headers alone")
  void clearingLeavesTheHeaders(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setJMSCorrelationID("c");
    sent.setJMSType("t");
    sent.clearBody();
    sent.clearProperties();
    assertThat(sent.getJMSCorrelationID()).isEqualTo("c");
    assertThat(sent.getJMSType()).isEqualTo("t");
  }

  @Test
  @Assertion(
      section = "API Message",
      text = "An invalid JMSDeliveryMode or JMSPriority is refused by the send")
  void invalidSendOptionsAreRefused(Jms jms) throws JMSException {
    Session session = jms.session();
    MessageProducer producer = session.createProducer(jms.queue());
    Message message = session.createTextMessage("m");
    List<String> accepted = new ArrayList<>();
    for (int priority : new int[] {-1, 10}) {
      try {
        producer.send(message, DeliveryMode.PERSISTENT, priority, 0);
        accepted.add("priority " + priority);
      } catch (JMSException expected) {
        assertThat(expected.getMessage()).isNotBlank();
      }
    }
    for (int mode : new int[] {0, 3, -1}) {
      try {
        producer.send(message, mode, 4, 0);
        accepted.add("delivery mode " + mode);
      } catch (JMSException expected) {
        assertThat(expected.getMessage()).isNotBlank();
      }
    }
    if (!accepted.isEmpty()) {
      fail("accepted " + accepted);
    }
  }

  @Test
  @Assertion(
      section = "API Message",
      text = "Setting a JMSDeliveryMode that does not exist is refused")
  void invalidDeliveryModeOfAProducerIsRefused(Jms jms) throws JMSException {
    MessageProducer producer = jms.session().createProducer(jms.queue());
    assertThrows(JMSException.class, () -> producer.setDeliveryMode(3));
    assertThrows(JMSException.class, () -> producer.setPriority(10));
    assertThrows(JMSException.class, () -> producer.setPriority(-1));
  }
}
