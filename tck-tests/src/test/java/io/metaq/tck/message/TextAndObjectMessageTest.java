package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** TextMessage, ObjectMessage and the message without a body. */
@Conformance
class TextAndObjectMessageTest {

  static Stream<String> texts() {
    return Stream.of(
        "",
        "plain",
        "\u00e4\u00f6\u00fc \u20ac \ud83d\ude00",
        "\u0000\u0001\uffff",
        "line\r\nline\n",
        "x".repeat(65_536),
        "\u20ac".repeat(400_000));
  }

  @ParameterizedTest
  @MethodSource("texts")
  @Assertion(section = "3.11", text = "Any text arrives in a TextMessage")
  void anyTextArrives(String text, Jms jms) throws JMSException {
    assertThat(jms.roundTrip(jms.text(text)).getText()).isEqualTo(text);
  }

  @Test
  @Assertion(section = "3.12", text = "A null text arrives as null, an empty one as empty")
  void nullText(Jms jms) throws JMSException {
    assertThat(jms.own().createTextMessage().getText()).isNull();
    assertThat(jms.roundTrip(jms.own().createTextMessage()).getText()).isNull();
    assertThat(jms.roundTrip(jms.text(null)).getText()).isNull();
    TextMessage set = jms.text("x");
    set.setText(null);
    assertThat(jms.roundTrip(set).getText()).isNull();
    assertThat(jms.roundTrip(jms.text("")).getText()).isEmpty();
  }

  @Test
  @Assertion(section = "3.11", text = "A serializable object arrives in an ObjectMessage")
  void anObjectArrives(Jms jms) throws JMSException {
    Map<String, List<Integer>> value = new HashMap<>();
    value.put("a", new ArrayList<>(List.of(1, 2)));
    ObjectMessage sent = jms.own().createObjectMessage((java.io.Serializable) value);
    assertThat(jms.roundTrip(sent).getObject()).isEqualTo(value);
  }

  @Test
  @Assertion(section = "3.12", text = "An object is copied when it is set and whenever it is read")
  void objectsAreCopied(Jms jms) throws JMSException {
    ArrayList<String> value = new ArrayList<>(List.of("a"));
    ObjectMessage sent = jms.own().createObjectMessage();
    sent.setObject(value);
    value.add("b");
    ObjectMessage received = jms.roundTrip(sent);
    assertThat(received.getObject()).isEqualTo(List.of("a"));
    @SuppressWarnings("unchecked")
    List<String> read = (List<String>) received.getObject();
    read.add("c");
    assertThat(received.getObject()).isEqualTo(List.of("a"));
  }

  @Test
  @Assertion(section = "3.12", text = "A null object arrives as null")
  void nullObject(Jms jms) throws JMSException {
    assertThat(jms.own().createObjectMessage().getObject()).isNull();
    assertThat(jms.roundTrip(jms.own().createObjectMessage()).getObject()).isNull();
    assertThat(jms.roundTrip(jms.own().createObjectMessage(null)).getObject()).isNull();
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "An object that cannot be serialized is a MessageFormatException")
  @KnownDeviation(provider = "artemis", why = "throws a plain JMSException")
  void notSerializable(Jms jms) throws JMSException {
    ObjectMessage message = jms.own().createObjectMessage();
    ArrayList<Object> value = new ArrayList<>();
    value.add(new Object());
    org.junit.jupiter.api.Assertions.assertThrows(
        jakarta.jms.MessageFormatException.class, () -> message.setObject(value));
  }

  @Test
  @Assertion(section = "3.11.4", text = "Every message type arrives as the type it was sent as")
  void typesAreKept(Jms jms) throws JMSException {
    Session s = jms.own();
    assertThat(jms.roundTrip((Message) s.createTextMessage("t"))).isInstanceOf(TextMessage.class);
    assertThat(jms.roundTrip((Message) s.createBytesMessage()))
        .isInstanceOf(jakarta.jms.BytesMessage.class);
    assertThat(jms.roundTrip((Message) s.createMapMessage()))
        .isInstanceOf(jakarta.jms.MapMessage.class);
    assertThat(jms.roundTrip((Message) s.createStreamMessage()))
        .isInstanceOf(jakarta.jms.StreamMessage.class);
    assertThat(jms.roundTrip((Message) s.createObjectMessage("o")))
        .isInstanceOf(ObjectMessage.class);
    assertThat(jms.roundTrip(s.createMessage()))
        .isNotInstanceOfAny(
            TextMessage.class,
            jakarta.jms.BytesMessage.class,
            jakarta.jms.MapMessage.class,
            jakarta.jms.StreamMessage.class,
            ObjectMessage.class);
  }

  @Test
  @Assertion(section = "3.11", text = "A message without a body carries its properties")
  void messageWithoutBody(Jms jms) throws JMSException {
    Message sent = jms.own().createMessage();
    sent.setIntProperty("p", 1);
    assertThat(jms.roundTrip(sent).getIntProperty("p")).isEqualTo(1);
  }
}
