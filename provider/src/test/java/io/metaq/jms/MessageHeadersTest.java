package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.Topic;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MessageHeadersTest {

  private final MetaqMessage message = Wire.factory().createMessage();

  @Test
  void aNewMessageHasTheDefaultsOfTheSpecification() {
    assertThat(message.getJMSMessageID()).isNull();
    assertThat(message.getJMSDeliveryMode()).isEqualTo(Message.DEFAULT_DELIVERY_MODE);
    assertThat(message.getJMSPriority()).isEqualTo(4);
    assertThat(message.getJMSExpiration()).isZero();
    assertThat(message.getJMSDestination()).isNull();
    assertThat(message.getJMSReplyTo()).isNull();
    assertThat(message.getJMSCorrelationIDAsBytes()).isNull();
  }

  @Test
  void everyHeaderFieldTravels() throws JMSException {
    message.setJMSMessageID("ID:1");
    message.setJMSTimestamp(1);
    message.setJMSCorrelationID("c");
    message.setJMSReplyTo(new MetaqTopic("replies"));
    message.setJMSDestination(new MetaqTopic("prices"));
    message.setJMSDeliveryMode(DeliveryMode.NON_PERSISTENT);
    message.setJMSType("t");
    message.setJMSExpiration(2);
    message.setJMSDeliveryTime(3);
    message.setJMSPriority(9);
    OutgoingMessage sent = Wire.send(message);
    assertThat(sent.block().publisher()).isEqualTo(Wire.PUBLISHER);
    assertThat(sent.block().publisherClientId()).isEqualTo("client");
    MetaqMessage received = Wire.receive(sent, 1);
    assertThat(received.getJMSMessageID()).isEqualTo("ID:1");
    assertThat(received.getJMSTimestamp()).isEqualTo(1);
    assertThat(received.getJMSCorrelationID()).isEqualTo("c");
    assertThat(received.getJMSReplyTo()).isEqualTo(new MetaqTopic("replies"));
    assertThat(received.getJMSDestination()).isEqualTo(new MetaqTopic("prices"));
    assertThat(received.getJMSDeliveryMode()).isEqualTo(DeliveryMode.NON_PERSISTENT);
    assertThat(received.getJMSRedelivered()).isFalse();
    assertThat(received.getJMSType()).isEqualTo("t");
    assertThat(received.getJMSExpiration()).isEqualTo(2);
    assertThat(received.getJMSDeliveryTime()).isEqualTo(3);
    assertThat(received.getJMSPriority()).isEqualTo(9);
  }

  @Test
  void aCorrelationIdOfBytesComesBackAsTheSameBytes() throws JMSException {
    byte[] bytes = {0, (byte) 0xff, (byte) 0x80, 'a'};
    message.setJMSCorrelationIDAsBytes(bytes);
    assertThat(Wire.roundTrip(message).getJMSCorrelationIDAsBytes()).isEqualTo(bytes);
    message.setJMSCorrelationID("é");
    assertThat(Wire.roundTrip(message).getJMSCorrelationIDAsBytes())
        .isEqualTo("é".getBytes(StandardCharsets.UTF_8));
    message.setJMSCorrelationIDAsBytes(null);
    assertThat(Wire.roundTrip(message).getJMSCorrelationID()).isNull();
  }

  @Test
  void aSentMessageCanBeChangedAndSentAgain() throws JMSException {
    MetaqTextMessage text = Wire.factory().createTextMessage("one");
    text.setIntProperty("n", 1);
    OutgoingMessage first = Wire.send(text);
    text.setText("two");
    text.setIntProperty("n", 2);
    text.setJMSType("later");
    OutgoingMessage second = Wire.send(text);
    MetaqTextMessage one = Wire.receive(first, 1);
    MetaqTextMessage two = Wire.receive(second, 1);
    assertThat(one.getText() + one.getIntProperty("n") + one.getJMSType()).isEqualTo("one1null");
    assertThat(two.getText() + two.getIntProperty("n") + two.getJMSType()).isEqualTo("two2later");
  }

  @Test
  void acknowledgeDoesWhatTheSessionSetAndNothingOnANewMessage() throws JMSException {
    message.acknowledge();
    AtomicInteger calls = new AtomicInteger();
    MetaqMessage received = Wire.roundTrip(message);
    received.setAcknowledgeAction(calls::incrementAndGet);
    received.acknowledge();
    assertThat(calls).hasValue(1);
    received.setAcknowledgeAction(
        () -> {
          throw new jakarta.jms.IllegalStateException("The session is closed");
        });
    assertThatThrownBy(received::acknowledge).isInstanceOf(jakarta.jms.IllegalStateException.class);
    assertThat(received.getJMSPriority()).isEqualTo(4);
  }

  @Test
  void aForeignReplyAddressIsMappedByKindAndName() throws JMSException {
    message.setJMSReplyTo((Queue) () -> "answers");
    assertThat(Wire.roundTrip(message).getJMSReplyTo()).isEqualTo(new MetaqQueue("answers"));
    message.setJMSReplyTo((Topic) () -> "answers");
    assertThat(Wire.roundTrip(message).getJMSReplyTo()).isEqualTo(new MetaqTopic("answers"));
    message.setJMSReplyTo(new Destination() {});
    assertThatThrownBy(() -> Wire.send(message)).isInstanceOf(InvalidDestinationException.class);
  }

  @Test
  void aTemporaryReplyAddressArrivesAsOneThatOnlyItsCreatorCanDelete() throws JMSException {
    AtomicInteger deletions = new AtomicInteger();
    MetaqTemporaryQueue own =
        new MetaqTemporaryQueue("tmp", destination -> deletions.incrementAndGet());
    message.setJMSReplyTo(own);
    Destination received = Wire.roundTrip(message).getJMSReplyTo();
    assertThat(received).isInstanceOf(TemporaryQueue.class).isEqualTo(own);
    assertThatThrownBy(((TemporaryQueue) received)::delete).isInstanceOf(JMSException.class);
    own.delete();
    assertThat(deletions).hasValue(1);
  }

  @Test
  void theTextFormShowsNoContent() throws JMSException {
    MetaqTextMessage text = Wire.factory().createTextMessage("secret");
    text.setStringProperty("key", "secret");
    assertThat(Wire.roundTrip(text).toString()).contains("orders").doesNotContain("secret");
  }
}
