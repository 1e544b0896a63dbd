package io.metaq.tck.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;

/** Sections 7.5, 7.6 and 7.10: the producer of the simplified API. */
@Conformance
class JmsProducerTest {

  @Test
  @Assertion(section = "7.2", text = "Each kind of body makes the kind of message it stands for")
  void bodies(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    Map<String, Object> map = new HashMap<>();
    map.put("a", 1);
    map.put("b", "x");
    map.put("c", new byte[] {1});
    map.put("n", null);
    context
        .createProducer()
        .send(queue, "text")
        .send(queue, map)
        .send(queue, new byte[] {1, 2})
        .send(queue, (Serializable) new Date(5))
        .send(queue, context.createTextMessage("message"));
    MessageConsumer consumer = jms.session().createConsumer(queue);
    assertThat(((TextMessage) consumer.receive(Jms.SOON)).getText()).isEqualTo("text");
    MapMessage received = (MapMessage) consumer.receive(Jms.SOON);
    assertThat(received.getInt("a")).isEqualTo(1);
    assertThat(received.getString("b")).isEqualTo("x");
    assertThat(received.getBytes("c")).containsExactly(1);
    assertThat(received.itemExists("n")).isTrue();
    assertThat(received.getObject("n")).isNull();
    BytesMessage bytes = (BytesMessage) consumer.receive(Jms.SOON);
    assertThat(bytes.getBody(byte[].class)).containsExactly(1, 2);
    assertThat(((ObjectMessage) consumer.receive(Jms.SOON)).getObject()).isEqualTo(new Date(5));
    assertThat(((TextMessage) consumer.receive(Jms.SOON)).getText()).isEqualTo("message");
  }

  @Test
  @Assertion(
      section = "API JMSProducer",
      text = "A null body makes a message of that kind without a body")
  @KnownDeviation(provider = "artemis", why = "makes a BytesMessage of four bytes")
  void nullBodies(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    context
        .createProducer()
        .send(queue, (String) null)
        .send(queue, (Map<String, Object>) null)
        .send(queue, (byte[]) null)
        .send(queue, (Serializable) null);
    MessageConsumer consumer = jms.session().createConsumer(queue);
    assertThat(((TextMessage) consumer.receive(Jms.SOON)).getText()).isNull();
    assertThat(((MapMessage) consumer.receive(Jms.SOON)).getMapNames().hasMoreElements()).isFalse();
    assertThat(((BytesMessage) consumer.receive(Jms.SOON)).getBodyLength()).isZero();
    assertThat(((ObjectMessage) consumer.receive(Jms.SOON)).getObject()).isNull();
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "A Map body with a value of another class is a MessageFormatRuntimeException")
  void foreignMapValues(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSProducer producer = jms.context().createProducer();
    Map<String, Object> map = new HashMap<>();
    map.put("date", new Date());
    assertThrows(MessageFormatRuntimeException.class, () -> producer.send(queue, map));
    assertThat(jms.drain(queue)).isEmpty();
  }

  @Test
  @Assertion(
      section = "7.10",
      text = "Every setter returns the producer; every getter what was set")
  void chaining(Jms jms) throws JMSException {
    Queue replies = jms.queue();
    JMSProducer p = jms.context().createProducer();
    assertThat(
            p.setDeliveryMode(DeliveryMode.NON_PERSISTENT)
                .setPriority(9)
                .setTimeToLive(1000)
                .setDeliveryDelay(1)
                .setDisableMessageID(true)
                .setDisableMessageTimestamp(true)
                .setJMSCorrelationID("c")
                .setJMSType("t")
                .setJMSReplyTo(replies)
                .setAsync(null)
                .setProperty("bool", true)
                .setProperty("byte", (byte) 1)
                .setProperty("short", (short) 2)
                .setProperty("int", 3)
                .setProperty("long", 4L)
                .setProperty("float", 5f)
                .setProperty("double", 6d)
                .setProperty("string", "s")
                .setProperty("object", (Object) 7))
        .isSameAs(p);
    assertThat(p.getDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    assertThat(p.getPriority()).isEqualTo(9);
    assertThat(p.getTimeToLive()).isEqualTo(1000);
    assertThat(p.getDeliveryDelay()).isEqualTo(1);
    assertThat(p.getDisableMessageID()).isTrue();
    assertThat(p.getDisableMessageTimestamp()).isTrue();
    assertThat(p.getJMSCorrelationID()).isEqualTo("c");
    assertThat(p.getJMSType()).isEqualTo("t");
    assertThat(p.getJMSReplyTo()).isEqualTo(replies);
    assertThat(p.getAsync()).isNull();
    assertThat(p.getBooleanProperty("bool")).isTrue();
    assertThat(p.getByteProperty("byte")).isEqualTo((byte) 1);
    assertThat(p.getShortProperty("short")).isEqualTo((short) 2);
    assertThat(p.getIntProperty("int")).isEqualTo(3);
    assertThat(p.getLongProperty("long")).isEqualTo(4);
    assertThat(p.getFloatProperty("float")).isEqualTo(5);
    assertThat(p.getDoubleProperty("double")).isEqualTo(6);
    assertThat(p.getStringProperty("string")).isEqualTo("s");
    assertThat(p.getObjectProperty("object")).isEqualTo(7);
    assertThat(p.getPropertyNames())
        .containsExactlyInAnyOrder(
            "bool", "byte", "short", "int", "long", "float", "double", "string", "object");
    assertThat(p.propertyExists("int")).isTrue();
    assertThat(p.propertyExists("none")).isFalse();
    assertThat(p.clearProperties()).isSameAs(p);
    assertThat(p.getPropertyNames()).isEmpty();
    p.setJMSCorrelationIDAsBytes(new byte[] {1, 2});
    assertThat(p.getJMSCorrelationIDAsBytes()).containsExactly(1, 2);
  }

  @Test
  @Assertion(section = "7.4", text = "A new producer has the defaults of Message")
  void defaults(Jms jms) throws JMSException {
    JMSProducer p = jms.context().createProducer();
    assertThat(p.getDeliveryMode()).isEqualTo(Message.DEFAULT_DELIVERY_MODE);
    assertThat(p.getPriority()).isEqualTo(Message.DEFAULT_PRIORITY);
    assertThat(p.getTimeToLive()).isZero();
    assertThat(p.getDeliveryDelay()).isZero();
    assertThat(p.getJMSCorrelationID()).isNull();
    assertThat(p.getJMSReplyTo()).isNull();
    assertThat(p.getJMSType()).isNull();
    assertThat(p.getStringProperty("none")).isNull();
    assertThat(p.getObjectProperty("none")).isNull();
  }

  @Test
  @Assertion(
      section = "7.5",
      text = "Properties and headers of the producer win over those of the message")
  void producerWinsOverMessage(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    Message message = context.createTextMessage("m");
    message.setIntProperty("both", 1);
    message.setIntProperty("message", 2);
    message.setJMSCorrelationID("message");
    message.setJMSType("message");
    context
        .createProducer()
        .setProperty("both", 3)
        .setProperty("producer", 4)
        .setJMSCorrelationID("producer")
        .setJMSReplyTo(queue)
        .setPriority(8)
        .send(queue, message);
    Message received = Jms.receive(context.createConsumer(queue));
    assertThat(received.getIntProperty("both")).isEqualTo(3);
    assertThat(received.getIntProperty("message")).isEqualTo(2);
    assertThat(received.getIntProperty("producer")).isEqualTo(4);
    assertThat(received.getJMSCorrelationID()).isEqualTo("producer");
    assertThat(received.getJMSType()).isEqualTo("message");
    assertThat(received.getJMSReplyTo()).isEqualTo(queue);
    assertThat(received.getJMSPriority()).isEqualTo(8);
  }

  @Test
  @Assertion(
      section = "7.5",
      text = "The producer's properties and headers go with every body it sends")
  void propertiesGoWithBodies(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    JMSContext context = jms.context();
    JMSProducer producer =
        context.createProducer().setProperty("p", "v").setJMSType("t").setJMSCorrelationID("c");
    producer.send(queue, "m").send(queue, new byte[1]).send(queue, Map.of("k", 1));
    var consumer = context.createConsumer(queue);
    for (int i = 0; i < 3; i++) {
      Message received = consumer.receive(Jms.SOON);
      assertThat(received.getStringProperty("p")).isEqualTo("v");
      assertThat(received.getJMSType()).isEqualTo("t");
      assertThat(received.getJMSCorrelationID()).isEqualTo("c");
    }
  }

  @Test
  @Assertion(
      section = "3.9",
      text =
          "Producer properties over a received, read-only message are a MessageNotWriteableRuntimeException")
  void propertiesOverAReadOnlyMessage(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Message received = jms.roundTrip(jms.text("m"));
    JMSContext context = jms.context();
    assertThrows(
        MessageNotWriteableRuntimeException.class,
        () -> context.createProducer().setProperty("p", 1).send(queue, received));
    context.createProducer().send(queue, received);
    assertThat(jms.drain(queue)).containsExactly("m");
  }

  @ParameterizedTest
  @NullAndEmptySource
  @Assertion(
      section = "API JMSProducer",
      text = "A null or empty property name is an IllegalArgumentException")
  void emptyNames(String name, Jms jms) throws JMSException {
    JMSProducer p = jms.context().createProducer();
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, true));
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, (byte) 1));
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, (short) 1));
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, 1));
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, 1L));
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, 1f));
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, 1d));
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, "v"));
    assertThrows(IllegalArgumentException.class, () -> p.setProperty(name, (Object) 1));
  }

  @Test
  @Assertion(
      section = "3.5.5",
      text = "setProperty with an object of another class is a MessageFormatRuntimeException")
  void foreignProperties(Jms jms) throws JMSException {
    JMSProducer p = jms.context().createProducer();
    assertThrows(
        MessageFormatRuntimeException.class, () -> p.setProperty("p", (Object) new Date()));
    assertThat(p.propertyExists("p")).isFalse();
  }

  @Test
  @Assertion(
      section = "3.5.4",
      text =
          "Getting a property of the producer converts like Message, or throws MessageFormatRuntimeException")
  void conversions(Jms jms) throws JMSException {
    JMSProducer p = jms.context().createProducer().setProperty("i", 12).setProperty("s", "x");
    assertThat(p.getLongProperty("i")).isEqualTo(12);
    assertThat(p.getStringProperty("i")).isEqualTo("12");
    assertThrows(MessageFormatRuntimeException.class, () -> p.getBooleanProperty("i"));
    assertThrows(MessageFormatRuntimeException.class, () -> p.getShortProperty("i"));
    assertThrows(NumberFormatException.class, () -> p.getIntProperty("s"));
    assertThrows(NumberFormatException.class, () -> p.getIntProperty("none"));
  }

  @Test
  @Assertion(
      section = "API JMSProducer",
      text = "A bad delivery mode or priority is refused by its setter")
  void badOptions(Jms jms) throws JMSException {
    JMSProducer p = jms.context().createProducer();
    assertThrows(JMSRuntimeException.class, () -> p.setDeliveryMode(0));
    assertThrows(JMSRuntimeException.class, () -> p.setPriority(10));
    assertThrows(JMSRuntimeException.class, () -> p.setPriority(-1));
  }

  @Test
  @Assertion(
      section = "API JMSProducer",
      text = "getPropertyNames is a view that cannot be changed")
  @KnownDeviation(provider = "artemis", why = "returns a set that can be changed")
  void propertyNamesAreUnmodifiable(Jms jms) throws JMSException {
    JMSProducer p = jms.context().createProducer().setProperty("a", 1);
    assertThrows(UnsupportedOperationException.class, () -> p.getPropertyNames().add("b"));
    assertThat(List.copyOf(p.getPropertyNames())).containsExactly("a");
  }
}
