package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Date;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 3.5: names, values, life cycle and meaning of message properties. */
@Conformance
class MessagePropertyTest {

  static Stream<Object> values() {
    return Stream.of(
        true,
        false,
        Byte.MIN_VALUE,
        Byte.MAX_VALUE,
        Short.MIN_VALUE,
        Short.MAX_VALUE,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        Float.MIN_VALUE,
        Float.MAX_VALUE,
        Float.NaN,
        Float.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        -0.0d,
        "",
        "text \u00e4 \u20ac \ud83d\ude00 \u0000",
        "x".repeat(70_000));
  }

  @ParameterizedTest
  @MethodSource("values")
  @Assertion(
      section = "3.5.2",
      text = "Every value of every property type arrives with type and value kept")
  void valuesArriveUnchanged(Object value, Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setObjectProperty("p", value);
    assertThat(jms.roundTrip(sent).getObjectProperty("p")).isEqualTo(value);
  }

  @Test
  @Assertion(section = "3.5.5", text = "Typed setters and getObjectProperty agree on the type")
  void typedSettersKeepTheType(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setBooleanProperty("bool", true);
    sent.setByteProperty("byte", (byte) 1);
    sent.setShortProperty("short", (short) 2);
    sent.setIntProperty("int", 3);
    sent.setLongProperty("long", 4L);
    sent.setFloatProperty("float", 5.5f);
    sent.setDoubleProperty("double", 6.5d);
    sent.setStringProperty("string", "seven");
    Message received = jms.roundTrip(sent);
    assertThat(received.getObjectProperty("bool")).isEqualTo(true);
    assertThat(received.getObjectProperty("byte")).isEqualTo((byte) 1);
    assertThat(received.getObjectProperty("short")).isEqualTo((short) 2);
    assertThat(received.getObjectProperty("int")).isEqualTo(3);
    assertThat(received.getObjectProperty("long")).isEqualTo(4L);
    assertThat(received.getObjectProperty("float")).isEqualTo(5.5f);
    assertThat(received.getObjectProperty("double")).isEqualTo(6.5d);
    assertThat(received.getObjectProperty("string")).isEqualTo("seven");
    assertThat(received.getBooleanProperty("bool")).isTrue();
    assertThat(received.getByteProperty("byte")).isEqualTo((byte) 1);
    assertThat(received.getShortProperty("short")).isEqualTo((short) 2);
    assertThat(received.getIntProperty("int")).isEqualTo(3);
    assertThat(received.getLongProperty("long")).isEqualTo(4L);
    assertThat(received.getFloatProperty("float")).isEqualTo(5.5f);
    assertThat(received.getDoubleProperty("double")).isEqualTo(6.5d);
    assertThat(received.getStringProperty("string")).isEqualTo("seven");
  }

  static Stream<Arguments> foreignValues() {
    return Stream.of(
        Arguments.of(new Date(0)),
        Arguments.of(BigDecimal.ONE),
        Arguments.of('c'),
        Arguments.of((Object) new byte[] {1}),
        Arguments.of(List.of("a")),
        Arguments.of(new Object()));
  }

  @ParameterizedTest
  @MethodSource("foreignValues")
  @Assertion(
      section = "3.5.5",
      text = "setObjectProperty with any other class throws MessageFormatException")
  @KnownDeviation(
      provider = "artemis",
      cases = "\\[[34]\\].*",
      why = "takes char and byte[] as property values")
  void otherClassesAreRefused(Object value, Jms jms) throws JMSException {
    Message message = jms.text("m");
    assertThrows(MessageFormatException.class, () -> message.setObjectProperty("p", value));
    assertThat(message.propertyExists("p")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "_a", "$a", "a1", "\u00e4rger", "aVeryLongName_$123", "JMSXGroupID"})
  @Assertion(section = "3.5.1", text = "Every selector identifier is a property name")
  void identifiersAreNames(String name, Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setStringProperty(name, "v");
    assertThat(jms.roundTrip(sent).getStringProperty(name)).isEqualTo("v");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1a", "a-b", "a b", "a.b", "a'b", "(a)", "a=b", "\"a\"", " a", "a\t"})
  @Assertion(section = "3.5.1", text = "A property name that is no selector identifier is refused")
  void otherNamesAreRefused(String name, Jms jms) throws JMSException {
    Message message = jms.text("m");
    try {
      message.setStringProperty(name, "v");
    } catch (JMSException | JMSRuntimeException | IllegalArgumentException expected) {
      assertThat(message.propertyExists(name)).isFalse();
      return;
    }
    throw new AssertionError("accepted the name '" + name + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NULL", "TRUE", "FALSE", "NOT", "AND", "OR", "BETWEEN", "LIKE", "IN", "IS", "ESCAPE"
      })
  @Assertion(section = "3.5.1", text = "A word of the selector language is no property name")
  void reservedWordsAreRefused(String name, Jms jms) throws JMSException {
    Message message = jms.text("m");
    try {
      message.setIntProperty(name, 1);
    } catch (JMSException | JMSRuntimeException | IllegalArgumentException expected) {
      assertThat(message.propertyExists(name)).isFalse();
      return;
    }
    throw new AssertionError("accepted the name '" + name + "'");
  }

  @Test
  @Assertion(
      section = "API Message",
      text = "A null or empty property name is an IllegalArgumentException")
  void emptyNamesAreIllegalArguments(Jms jms) throws JMSException {
    Message message = jms.text("m");
    for (String name : new String[] {null, ""}) {
      assertThrows(IllegalArgumentException.class, () -> message.setBooleanProperty(name, true));
      assertThrows(IllegalArgumentException.class, () -> message.setByteProperty(name, (byte) 1));
      assertThrows(IllegalArgumentException.class, () -> message.setShortProperty(name, (short) 1));
      assertThrows(IllegalArgumentException.class, () -> message.setIntProperty(name, 1));
      assertThrows(IllegalArgumentException.class, () -> message.setLongProperty(name, 1));
      assertThrows(IllegalArgumentException.class, () -> message.setFloatProperty(name, 1));
      assertThrows(IllegalArgumentException.class, () -> message.setDoubleProperty(name, 1));
      assertThrows(IllegalArgumentException.class, () -> message.setStringProperty(name, "v"));
      assertThrows(IllegalArgumentException.class, () -> message.setObjectProperty(name, 1));
    }
  }

  @Test
  @Assertion(section = "3.5.1", text = "Property names differ by case")
  void namesAreCaseSensitive(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setIntProperty("a", 1);
    sent.setIntProperty("A", 2);
    Message received = jms.roundTrip(sent);
    assertThat(received.getIntProperty("a")).isEqualTo(1);
    assertThat(received.getIntProperty("A")).isEqualTo(2);
  }

  @Test
  @Assertion(
      section = "3.5.3",
      text = "Properties of a received message are read-only, by every setter")
  void receivedPropertiesAreReadOnly(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setIntProperty("p", 1);
    Message m = jms.roundTrip(sent);
    assertThrows(MessageNotWriteableException.class, () -> m.setBooleanProperty("p", true));
    assertThrows(MessageNotWriteableException.class, () -> m.setByteProperty("p", (byte) 1));
    assertThrows(MessageNotWriteableException.class, () -> m.setShortProperty("p", (short) 1));
    assertThrows(MessageNotWriteableException.class, () -> m.setIntProperty("p", 2));
    assertThrows(MessageNotWriteableException.class, () -> m.setLongProperty("p", 1));
    assertThrows(MessageNotWriteableException.class, () -> m.setFloatProperty("p", 1));
    assertThrows(MessageNotWriteableException.class, () -> m.setDoubleProperty("p", 1));
    assertThrows(MessageNotWriteableException.class, () -> m.setStringProperty("p", "v"));
    assertThrows(MessageNotWriteableException.class, () -> m.setObjectProperty("q", "v"));
    assertThat(m.getIntProperty("p")).isEqualTo(1);
    assertThat(m.propertyExists("q")).isFalse();
  }

  @Test
  @Assertion(
      section = "3.5.7",
      text = "clearProperties empties them, makes them writable, keeps the body")
  void clearPropertiesOfAReceivedMessage(Jms jms) throws JMSException {
    TextMessage sent = jms.text("body");
    sent.setIntProperty("p", 1);
    TextMessage received = jms.roundTrip(sent);
    received.clearProperties();
    assertThat(received.propertyExists("p")).isFalse();
    assertThat(received.getObjectProperty("p")).isNull();
    received.setStringProperty("q", "new");
    assertThat(received.getStringProperty("q")).isEqualTo("new");
    assertThat(received.getText()).isEqualTo("body");
    assertThrows(MessageNotWriteableException.class, () -> received.setText("x"));
  }

  @Test
  @Assertion(
      section = "3.5.6",
      text = "getPropertyNames has the properties set and no standard header")
  void propertyNamesHaveNoHeaders(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setIntProperty("a", 1);
    sent.setStringProperty("b", "v");
    sent.setJMSType("t");
    sent.setJMSCorrelationID("c");
    for (Message m : List.of(sent, jms.roundTrip(sent))) {
      assertThat(names(m))
          .contains("a", "b")
          .allMatch(
              name -> name.length() == 1 || name.startsWith("JMSX") || name.startsWith("JMS_"));
    }
  }

  @Test
  @Assertion(section = "3.5.8", text = "A property that was not set is read as a null value")
  void missingPropertiesReadAsNull(Jms jms) throws JMSException {
    for (Message m : List.of(jms.text("m"), jms.roundTrip(jms.text("m")))) {
      assertThat(m.propertyExists("none")).isFalse();
      assertThat(m.getStringProperty("none")).isNull();
      assertThat(m.getObjectProperty("none")).isNull();
      assertThat(m.getBooleanProperty("none")).isFalse();
      assertThrows(NumberFormatException.class, () -> m.getByteProperty("none"));
      assertThrows(NumberFormatException.class, () -> m.getShortProperty("none"));
      assertThrows(NumberFormatException.class, () -> m.getIntProperty("none"));
      assertThrows(NumberFormatException.class, () -> m.getLongProperty("none"));
      assertThrows(NullPointerException.class, () -> m.getFloatProperty("none"));
      assertThrows(NullPointerException.class, () -> m.getDoubleProperty("none"));
    }
  }

  @Test
  @Assertion(
      section = "3.5.4",
      text = "A null property value reads as the primitive's valueOf(null)")
  void nullValuesReadAsValueOfNull(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setStringProperty("n", null);
    sent.setObjectProperty("o", null);
    Message m = jms.roundTrip(sent);
    for (String name : List.of("n", "o")) {
      assertThat(m.getStringProperty(name)).isNull();
      assertThat(m.getObjectProperty(name)).isNull();
      assertThat(m.getBooleanProperty(name)).isFalse();
      assertThrows(NumberFormatException.class, () -> m.getIntProperty(name));
      assertThrows(NullPointerException.class, () -> m.getDoubleProperty(name));
    }
  }

  @Test
  @Assertion(section = "3.5.9", text = "JMSXGroupID and JMSXGroupSeq are carried to the receiver")
  void groupPropertiesAreCarried(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setStringProperty("JMSXGroupID", "g");
    sent.setIntProperty("JMSXGroupSeq", 7);
    Message received = jms.roundTrip(sent);
    assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
    assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(7);
  }

  @Test
  @Assertion(section = "3.5.9", text = "A selector may refer to a JMSX property that is not there")
  void absentJmsxPropertiesAreNullInSelectors(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    MessageConsumer consumer =
        jms.session().createConsumer(queue, "JMSXAppID IS NULL AND JMSXGroupID IS NULL");
    jms.send(queue, "m");
    assertThat(Jms.receiveText(consumer)).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "3.5.11",
      text = "JMSXDeliveryCount is 1 at the first delivery, and listed among the names")
  void deliveryCountIsOneAtFirst(Jms jms) throws JMSException {
    Message received = jms.roundTrip(jms.text("m"));
    assertThat(received.propertyExists("JMSXDeliveryCount")).isTrue();
    assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    assertThat(received.getLongProperty("JMSXDeliveryCount")).isEqualTo(1);
    assertThat(received.getStringProperty("JMSXDeliveryCount")).isEqualTo("1");
    assertThat(received.getObjectProperty("JMSXDeliveryCount")).isEqualTo(1);
    assertThat(names(received)).contains("JMSXDeliveryCount");
  }

  @Test
  @Assertion(
      section = "3.5.11",
      text = "JMSXDeliveryCount counts redeliveries, and JMSRedelivered goes with it")
  void deliveryCountGrowsWithRedelivery(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    jms.send(queue, "m");
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    for (int count = 1; count <= 5; count++) {
      Message received = Jms.receive(consumer);
      assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(count);
      assertThat(received.getJMSRedelivered()).isEqualTo(count > 1);
      session.rollback();
    }
  }

  @Test
  @Assertion(
      section = "3.9",
      text = "A received message can be sent on; delivery count and redelivered flag start anew")
  void deliveryCountDoesNotTravelOn(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Queue next = jms.queue();
    jms.send(queue, "m");
    Session session = jms.session(Session.SESSION_TRANSACTED);
    MessageConsumer consumer = session.createConsumer(queue);
    Jms.receive(consumer);
    session.rollback();
    Message second = Jms.receive(consumer);
    assertThat(second.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
    session.createProducer(next).send(second);
    session.commit();
    TextMessage received = Jms.receive(jms.session().createConsumer(next));
    assertThat(received.getText()).isEqualTo("m");
    assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    assertThat(received.getJMSRedelivered()).isFalse();
    assertThat(received.getJMSDestination()).isEqualTo(next);
  }

  @Test
  @Assertion(
      section = "3.9",
      text = "A received message sent on keeps the properties its first sender set")
  void propertiesTravelOn(Jms jms) throws JMSException {
    TextMessage sent = jms.text("m");
    sent.setIntProperty("p", 42);
    sent.setStringProperty("JMSXGroupID", "g");
    TextMessage received = jms.roundTrip(jms.roundTrip(sent));
    assertThat(received.getIntProperty("p")).isEqualTo(42);
    assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
    assertThat(received.getText()).isEqualTo("m");
  }

  @Test
  @Assertion(
      section = "3.9",
      text = "Sending a received message on gives it a new id and its own send options")
  void headersOfAMessageSentOnAreNew(Jms jms) throws JMSException {
    Queue queue = jms.queue();
    Session session = jms.session();
    MessageProducer first = session.createProducer(queue);
    first.send(session.createTextMessage("m"), DeliveryMode.NON_PERSISTENT, 9, 60_000);
    TextMessage received = Jms.receive(session.createConsumer(queue));
    String firstId = received.getJMSMessageID();
    TextMessage again = jms.roundTrip(received);
    assertThat(again.getJMSMessageID()).isNotEqualTo(firstId).startsWith("ID:");
    assertThat(again.getJMSPriority()).isEqualTo(4);
    assertThat(again.getJMSDeliveryMode()).isEqualTo(DeliveryMode.PERSISTENT);
    assertThat(again.getJMSExpiration()).isZero();
  }

  private static List<String> names(Message message) throws JMSException {
    List<String> names = new ArrayList<>();
    for (Enumeration<?> all = message.getPropertyNames(); all.hasMoreElements(); ) {
      names.add((String) all.nextElement());
    }
    return names;
  }
}
