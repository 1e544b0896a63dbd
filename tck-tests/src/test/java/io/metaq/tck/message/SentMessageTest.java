package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Sections 3.9 and 3.10: the sender's message after the send, the receiver's message. */
@Conformance
class SentMessageTest {

  @Test
  @Assertion(section = "3.9", text = "Changing a sent message does not affect what was sent")
  void changesAfterTheSendAreNotSeen(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    TextMessage message = session.createTextMessage("one");
    message.setIntProperty("n", 1);
    MessageProducer producer = session.createProducer(queue);
    producer.send(message);
    message.setText("two");
    message.setIntProperty("n", 2);
    producer.send(message);
    MessageConsumer consumer = session.createConsumer(queue);
    TextMessage first = Jms.receive(consumer);
    TextMessage second = Jms.receive(consumer);
    assertThat(first.getText()).isEqualTo("one");
    assertThat(first.getIntProperty("n")).isEqualTo(1);
    assertThat(second.getText()).isEqualTo("two");
    assertThat(second.getIntProperty("n")).isEqualTo(2);
  }

  @Test
  @Assertion(
      section = "3.9",
      text = "The same message can be sent many times, in one transaction too")
  void oneMessageManyTimes(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MapMessage message = session.createMapMessage();
    MessageProducer producer = session.createProducer(queue);
    for (int i = 0; i < 5; i++) {
      message.setInt("i", i);
      producer.send(message);
    }
    session.commit();
    MessageConsumer consumer = jms.session().createConsumer(queue);
    List<Integer> received = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      received.add(((MapMessage) consumer.receive(Jms.SOON)).getInt("i"));
    }
    assertThat(received).containsExactly(0, 1, 2, 3, 4);
  }

  @Test
  @Assertion(
      section = "3.9",
      text = "A sent BytesMessage stays in write mode and can be appended to and sent again")
  @KnownDeviation(provider = "artemis", why = "a sent message becomes readable")
  void aSentBytesMessageCanBeAppendedTo(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    BytesMessage message = session.createBytesMessage();
    MessageProducer producer = session.createProducer(queue);
    message.writeByte((byte) 1);
    producer.send(message);
    assertThrows(MessageNotReadableException.class, message::readByte);
    message.writeByte((byte) 2);
    producer.send(message);
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(((BytesMessage) consumer.receive(Jms.SOON)).getBody(byte[].class))
        .containsExactly(1);
    assertThat(((BytesMessage) consumer.receive(Jms.SOON)).getBody(byte[].class))
        .containsExactly(1, 2);
  }

  @Test
  @Assertion(
      section = "3.9",
      text = "A sent StreamMessage stays in write mode and can be appended to and sent again")
  @KnownDeviation(provider = "artemis", why = "a sent message becomes read-only")
  void aSentStreamMessageCanBeAppendedTo(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    StreamMessage message = session.createStreamMessage();
    MessageProducer producer = session.createProducer(queue);
    message.writeInt(1);
    producer.send(message);
    message.writeInt(2);
    producer.send(message);
    MessageConsumer consumer = session.createConsumer(queue);
    assertThat(((StreamMessage) consumer.receive(Jms.SOON)).readInt()).isEqualTo(1);
    StreamMessage second = (StreamMessage) consumer.receive(Jms.SOON);
    assertThat(second.readInt()).isEqualTo(1);
    assertThat(second.readInt()).isEqualTo(2);
  }

  @Test
  @Assertion(
      section = "3.9",
      text = "A transacted send takes the message as it is at the send, not at the commit")
  void theMessageIsTakenAtTheSend(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session(Session.SESSION_TRANSACTED);
    TextMessage message = session.createTextMessage("at send");
    session.createProducer(queue).send(message);
    message.setText("at commit");
    session.commit();
    assertThat(jms.drain(queue)).containsExactly("at send");
  }

  @Test
  @Assertion(
      section = "3.10",
      text = "A received body of each type is read-only until it is cleared")
  void receivedBodiesAreReadOnly(Jms jms) throws JMSException {
    Session session = jms.session();
    TextMessage text = jms.roundTrip(session.createTextMessage("t"));
    assertThrows(MessageNotWriteableException.class, () -> text.setText("x"));
    BytesMessage bytes = session.createBytesMessage();
    bytes.writeInt(1);
    BytesMessage receivedBytes = jms.roundTrip(bytes);
    assertThrows(MessageNotWriteableException.class, () -> receivedBytes.writeInt(1));
    MapMessage map = session.createMapMessage();
    map.setInt("a", 1);
    MapMessage receivedMap = jms.roundTrip(map);
    assertThrows(MessageNotWriteableException.class, () -> receivedMap.setInt("a", 1));
    StreamMessage stream = session.createStreamMessage();
    stream.writeInt(1);
    StreamMessage receivedStream = jms.roundTrip(stream);
    assertThrows(MessageNotWriteableException.class, () -> receivedStream.writeInt(1));
    ObjectMessage object = jms.roundTrip(session.createObjectMessage("o"));
    assertThrows(MessageNotWriteableException.class, () -> object.setObject("x"));

    text.clearBody();
    assertThat(text.getText()).isNull();
    text.setText("new");
    receivedBytes.clearBody();
    receivedBytes.writeInt(2);
    receivedMap.clearBody();
    assertThat(receivedMap.getMapNames().hasMoreElements()).isFalse();
    receivedMap.setInt("b", 1);
    receivedStream.clearBody();
    receivedStream.writeString("s");
    object.clearBody();
    assertThat(object.getObject()).isNull();
    object.setObject("new");
    assertThat(text.getText()).isEqualTo("new");
    assertThat(object.getObject()).isEqualTo("new");
  }

  @Test
  @Assertion(
      section = "3.11.1",
      text = "clearBody leaves the properties, also their read-only mode")
  void clearBodyLeavesTheProperties(Jms jms) throws JMSException {
    TextMessage sent = jms.text("t");
    sent.setIntProperty("p", 1);
    TextMessage received = jms.roundTrip(sent);
    received.clearBody();
    assertThat(received.getIntProperty("p")).isEqualTo(1);
    assertThrows(MessageNotWriteableException.class, () -> received.setIntProperty("p", 2));
  }

  @Test
  @Assertion(
      section = "3.10",
      text = "What a consumer did to a message is not seen when it comes again")
  void aRedeliveredMessageIsAsSent(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    TextMessage sent = jms.text("original");
    sent.setIntProperty("p", 1);
    sent.setJMSCorrelationID("c");
    jms.send(queue, sent);
    Session session = jms.session(Session.CLIENT_ACKNOWLEDGE);
    MessageConsumer consumer = session.createConsumer(queue);
    TextMessage first = Jms.receive(consumer);
    first.clearBody();
    first.setText("changed");
    first.clearProperties();
    first.setIntProperty("p", 2);
    first.setJMSCorrelationID("changed");
    session.recover();
    TextMessage second = Jms.receive(consumer);
    assertThat(second).isNotSameAs(first);
    assertThat(second.getText()).isEqualTo("original");
    assertThat(second.getIntProperty("p")).isEqualTo(1);
    assertThat(second.getJMSCorrelationID()).isEqualTo("c");
    assertThat(second.getJMSMessageID()).isEqualTo(sent.getJMSMessageID());
    assertThrows(MessageNotWriteableException.class, () -> second.setText("x"));
  }

  @Test
  @Assertion(
      section = "6.1.8",
      text = "A received message stays readable after close of consumer, session and connection")
  void aMessageOutlivesItsConnection(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    BytesMessage bytes = jms.own().createBytesMessage();
    bytes.writeBytes(new byte[300_000]);
    bytes.setIntProperty("p", 1);
    jms.send(queue, bytes);
    var connection = jms.started();
    Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
    BytesMessage received = (BytesMessage) session.createConsumer(queue).receive(Jms.SOON);
    connection.close();
    assertThat(received.getBodyLength()).isEqualTo(300_000);
    assertThat(received.readBytes(new byte[300_000])).isEqualTo(300_000);
    assertThat(received.getIntProperty("p")).isEqualTo(1);
    assertThat(received.getJMSMessageID()).startsWith("ID:");
    assertThrows(jakarta.jms.IllegalStateException.class, received::acknowledge);
  }
}
