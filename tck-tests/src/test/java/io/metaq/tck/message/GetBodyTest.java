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
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Message.getBody and isBodyAssignableTo, from the API documentation of Message. */
@Conformance
class GetBodyTest {

  @Test
  @Assertion(
      section = "API Message",
      text = "getBody of a TextMessage is its text, as String or any supertype")
  void text(Jms jms) throws JMSException {
    TextMessage sent = jms.text("t");
    for (Message m : List.of(sent, jms.roundTrip(sent))) {
      assertThat(m.getBody(String.class)).isEqualTo("t");
      assertThat(m.getBody(CharSequence.class)).isEqualTo("t");
      assertThat(m.getBody(Object.class)).isEqualTo("t");
      assertThat(m.isBodyAssignableTo(String.class)).isTrue();
      assertThat(m.isBodyAssignableTo(Object.class)).isTrue();
      assertThat(m.isBodyAssignableTo(Integer.class)).isFalse();
      assertThat(m.isBodyAssignableTo(Map.class)).isFalse();
      assertThrows(MessageFormatException.class, () -> m.getBody(Integer.class));
      assertThrows(MessageFormatException.class, () -> m.getBody(byte[].class));
    }
  }

  @Test
  @Assertion(section = "API Message", text = "getBody of a MapMessage is a Map of its entries")
  void map(Jms jms) throws JMSException {
    MapMessage sent = jms.own().createMapMessage();
    sent.setInt("a", 1);
    sent.setString("b", "x");
    for (Message m : List.of(sent, jms.roundTrip(sent))) {
      Map<?, ?> body = m.getBody(Map.class);
      assertThat(body).isEqualTo(Map.of("a", 1, "b", "x"));
      assertThat(m.getBody(Object.class)).isInstanceOf(Map.class);
      assertThat(m.isBodyAssignableTo(Map.class)).isTrue();
      assertThat(m.isBodyAssignableTo(String.class)).isFalse();
      assertThrows(MessageFormatException.class, () -> m.getBody(String.class));
    }
  }

  @Test
  @Assertion(
      section = "API Message",
      text = "getBody of a BytesMessage is a byte[]; the message is reset before")
  void bytes(Jms jms) throws JMSException {
    BytesMessage sent = jms.own().createBytesMessage();
    sent.writeBytes(new byte[] {1, 2, 3});
    BytesMessage m = jms.roundTrip(sent);
    m.readByte();
    assertThat(m.getBody(byte[].class)).containsExactly(1, 2, 3);
    assertThat((byte[]) m.getBody(Object.class)).containsExactly(1, 2, 3);
    assertThat(m.isBodyAssignableTo(byte[].class)).isTrue();
    assertThat(m.isBodyAssignableTo(Object.class)).isTrue();
    assertThat(m.isBodyAssignableTo(String.class)).isFalse();
    assertThrows(MessageFormatException.class, () -> m.getBody(String.class));
    m.reset();
    assertThat(m.readByte()).isEqualTo((byte) 1);
  }

  @Test
  @Assertion(
      section = "API Message",
      text = "getBody of an ObjectMessage is the object, as its class or a supertype")
  void object(Jms jms) throws JMSException {
    ObjectMessage sent = jms.own().createObjectMessage(new Date(5));
    for (Message m : List.of(sent, jms.roundTrip(sent))) {
      assertThat(m.getBody(Date.class)).isEqualTo(new Date(5));
      assertThat(m.getBody(Serializable.class)).isEqualTo(new Date(5));
      assertThat(m.getBody(Object.class)).isEqualTo(new Date(5));
      assertThat(m.isBodyAssignableTo(Date.class)).isTrue();
      assertThat(m.isBodyAssignableTo(String.class)).isFalse();
      assertThrows(MessageFormatException.class, () -> m.getBody(String.class));
    }
  }

  @Test
  @Assertion(
      section = "API Message",
      text = "getBody of a StreamMessage is a MessageFormatException")
  void stream(Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeInt(1);
    for (Message m : List.of(sent, jms.roundTrip(sent))) {
      assertThrows(MessageFormatException.class, () -> m.getBody(Object.class));
      assertThat(m.isBodyAssignableTo(Object.class)).isFalse();
    }
  }

  @Test
  @Assertion(
      section = "API Message",
      text = "A message without a body gives null for any type and is assignable to any")
  @KnownDeviation(provider = "artemis", why = "fails on an ObjectMessage without an object")
  void noBody(Jms jms) throws JMSException {
    Message plain = jms.own().createMessage();
    for (Message m :
        List.of(
            plain,
            jms.roundTrip(plain),
            jms.roundTrip(jms.own().createTextMessage()),
            jms.roundTrip(jms.own().createObjectMessage()))) {
      assertThat(m.getBody(String.class)).isNull();
      assertThat(m.getBody(Object.class)).isNull();
      assertThat(m.isBodyAssignableTo(Integer.class)).isTrue();
    }
  }
}
