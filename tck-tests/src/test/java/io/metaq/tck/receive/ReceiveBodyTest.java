package io.metaq.tck.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import java.io.Serializable;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 8.6: receiving bodies. */
@Conformance
class ReceiveBodyTest {

  @Test
  @Assertion(
      section = "8.6",
      text = "receiveBody gives the body of every type of message that has one")
  void everyType(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    JMSConsumer consumer = context.createConsumer(queue);
    var producer = context.createProducer();
    producer.send(queue, "text");
    assertThat(consumer.receiveBody(String.class)).isEqualTo("text");
    producer.send(queue, Map.of("a", 1));
    Map<?, ?> map = consumer.receiveBody(Map.class, Jms.SOON);
    assertThat(map).isEqualTo(Map.of("a", 1));
    producer.send(queue, new byte[] {1, 2});
    assertThat(consumer.receiveBodyNoWait(byte[].class)).containsExactly(1, 2);
    producer.send(queue, (Serializable) new Date(5));
    assertThat(consumer.receiveBody(Date.class)).isEqualTo(new Date(5));
    producer.send(queue, (Serializable) new Date(6));
    assertThat(consumer.receiveBody(Serializable.class)).isEqualTo(new Date(6));
    producer.send(queue, "object");
    assertThat(consumer.receiveBody(Object.class)).isEqualTo("object");
  }

  @Test
  @Assertion(
      section = "8.6",
      text = "Without a message receiveBodyNoWait and a timed receiveBody give null")
  void nothing(Jms jms) throws JMSException {
    JMSConsumer consumer = jms.context().createConsumer(jms.queue());
    assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
    assertThat(consumer.receiveBody(String.class, 1)).isNull();
  }

  @Test
  @Assertion(
      section = "8.6",
      text =
          "A StreamMessage, a message without body and an empty body throw MessageFormatRuntimeException")
  @KnownDeviation(provider = "artemis", why = "returns null for a message without body")
  void messagesWithoutSuchABody(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    StreamMessage stream = jms.own().createStreamMessage();
    stream.writeInt(1);
    for (Message message :
        new Message[] {stream, jms.own().createMessage(), jms.own().createTextMessage()}) {
      jms.send(queue, message);
      try (JMSContext context = jms.factory().createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
        JMSConsumer consumer = context.createConsumer(queue);
        assertThrows(
            MessageFormatRuntimeException.class,
            () -> consumer.receiveBody(String.class, Jms.SOON));
        context.acknowledge();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE})
  @Assertion(
      section = "8.6",
      text =
          "AUTO and DUPS_OK: after a wrong type the same message is next, not counted, not flagged")
  @KnownDeviation(provider = "artemis", why = "receiveBodyNoWait loses sight of the message")
  void wrongTypeInAutomaticModes(int mode, Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    JMSContext context = jms.context(mode);
    JMSConsumer consumer = context.createConsumer(queue);
    for (int i = 0; i < 2; i++) {
      assertThrows(
          MessageFormatRuntimeException.class, () -> consumer.receiveBody(Integer.class, Jms.SOON));
      assertThrows(
          MessageFormatRuntimeException.class, () -> consumer.receiveBodyNoWait(Map.class));
    }
    Message again = Jms.receive(consumer);
    assertThat(Jms.textOf(again)).isEqualTo("a");
    assertThat(again.getJMSRedelivered()).isFalse();
    assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("b");
  }

  @Test
  @Assertion(
      section = "8.6",
      text =
          "CLIENT_ACKNOWLEDGE: after a wrong type the next message is next; recover brings it again, counted")
  void wrongTypeInClientAcknowledge(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
    JMSConsumer consumer = context.createConsumer(queue);
    assertThrows(
        MessageFormatRuntimeException.class, () -> consumer.receiveBody(Integer.class, Jms.SOON));
    assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("b");
    context.recover();
    Message again = Jms.receive(consumer);
    assertThat(Jms.textOf(again)).isEqualTo("a");
    assertThat(again.getJMSRedelivered()).isTrue();
    assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    context.acknowledge();
  }

  @Test
  @Assertion(
      section = "8.6",
      text =
          "Transacted: after a wrong type the next message is next; rollback brings it again, counted")
  void wrongTypeInATransaction(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "a", "b");
    JMSContext context = jms.context(JMSContext.SESSION_TRANSACTED);
    JMSConsumer consumer = context.createConsumer(queue);
    assertThrows(
        MessageFormatRuntimeException.class, () -> consumer.receiveBody(Integer.class, Jms.SOON));
    assertThat(consumer.receiveBody(String.class, Jms.SOON)).isEqualTo("b");
    context.rollback();
    Message again = Jms.receive(consumer);
    assertThat(Jms.textOf(again)).isEqualTo("a");
    assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    context.commit();
    context.close();
    assertThat(jms.drain(queue)).containsExactly("b");
  }

  @Test
  @Assertion(section = "8.6", text = "A map body can be taken as Map or Object")
  void mapAsObject(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    MapMessage map = jms.own().createMapMessage();
    map.setString("a", "x");
    jms.send(queue, map);
    assertThat(jms.context().createConsumer(queue).receiveBody(Object.class, Jms.SOON))
        .isEqualTo(Map.of("a", "x"));
  }
}
