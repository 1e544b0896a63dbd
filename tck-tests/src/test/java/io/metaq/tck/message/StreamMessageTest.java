package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.StreamMessage;
import java.util.Date;
import org.junit.jupiter.api.Test;

/** StreamMessage, sections 3.11 and 3.12 and its API documentation. */
@Conformance
class StreamMessageTest {

  @Test
  @Assertion(section = "3.11", text = "Every type of element arrives in a StreamMessage, in order")
  void everyTypeArrives(Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeBoolean(true);
    sent.writeByte(Byte.MAX_VALUE);
    sent.writeShort(Short.MAX_VALUE);
    sent.writeChar('\u20ac');
    sent.writeInt(Integer.MAX_VALUE);
    sent.writeLong(Long.MAX_VALUE);
    sent.writeFloat(Float.MIN_VALUE);
    sent.writeDouble(Double.MAX_VALUE);
    sent.writeString("\ud83d\ude00");
    sent.writeBytes(new byte[] {1, 2, 3});
    sent.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
    sent.writeString("");
    StreamMessage stream = jms.roundTrip(sent);
    assertThat(stream.readBoolean()).isTrue();
    assertThat(stream.readByte()).isEqualTo(Byte.MAX_VALUE);
    assertThat(stream.readShort()).isEqualTo(Short.MAX_VALUE);
    assertThat(stream.readChar()).isEqualTo('\u20ac');
    assertThat(stream.readInt()).isEqualTo(Integer.MAX_VALUE);
    assertThat(stream.readLong()).isEqualTo(Long.MAX_VALUE);
    assertThat(stream.readFloat()).isEqualTo(Float.MIN_VALUE);
    assertThat(stream.readDouble()).isEqualTo(Double.MAX_VALUE);
    assertThat(stream.readString()).isEqualTo("\ud83d\ude00");
    byte[] buffer = new byte[10];
    assertThat(stream.readBytes(buffer)).isEqualTo(3);
    assertThat(buffer).startsWith(1, 2, 3);
    assertThat((byte[]) stream.readObject()).containsExactly(2, 3);
    assertThat(stream.readString()).isEmpty();
    assertThrows(MessageEOFException.class, stream::readString);
  }

  @Test
  @Assertion(
      section = "API StreamMessage",
      text = "A byte array longer than the buffer is read in pieces, then -1")
  void bytesInPieces(Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeBytes(new byte[] {1, 2, 3, 4});
    sent.writeInt(5);
    StreamMessage stream = jms.roundTrip(sent);
    byte[] buffer = new byte[2];
    assertThat(stream.readBytes(buffer)).isEqualTo(2);
    assertThat(buffer).containsExactly(1, 2);
    assertThat(stream.readBytes(buffer)).isEqualTo(2);
    assertThat(buffer).containsExactly(3, 4);
    assertThat(stream.readBytes(buffer)).isEqualTo(-1);
    assertThat(stream.readInt()).isEqualTo(5);
  }

  @Test
  @Assertion(
      section = "API StreamMessage",
      text = "Between two pieces of a byte array no other read is allowed")
  @KnownDeviation(provider = "artemis", why = "reads across a half-read array")
  void noOtherReadBetweenPieces(Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeBytes(new byte[] {1, 2, 3, 4});
    sent.writeInt(5);
    StreamMessage stream = jms.roundTrip(sent);
    stream.readBytes(new byte[2]);
    assertThrows(MessageFormatException.class, stream::readInt);
    assertThrows(MessageFormatException.class, stream::readObject);
    byte[] rest = new byte[3];
    assertThat(stream.readBytes(rest)).isEqualTo(2);
    assertThat(rest).startsWith(3, 4);
    assertThat(stream.readInt()).isEqualTo(5);
  }

  @Test
  @Assertion(
      section = "API StreamMessage",
      text = "An empty byte array reads as 0 bytes, a null one as -1")
  @KnownDeviation(provider = "artemis", why = "cannot read a null as an array")
  void emptyAndNullBytes(Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeBytes(new byte[0]);
    sent.writeObject(null);
    sent.writeInt(1);
    StreamMessage stream = jms.roundTrip(sent);
    assertThat(stream.readBytes(new byte[4])).isZero();
    assertThat(stream.readBytes(new byte[4])).isEqualTo(-1);
    assertThat(stream.readInt()).isEqualTo(1);
  }

  @Test
  @Assertion(
      section = "API StreamMessage",
      text = "A new message is write-only until reset, which makes it readable from the start")
  void writeOnlyUntilReset(Jms jms) throws JMSException {
    StreamMessage stream = jms.own().createStreamMessage();
    stream.writeInt(1);
    assertThrows(MessageNotReadableException.class, stream::readInt);
    stream.reset();
    assertThat(stream.readInt()).isEqualTo(1);
    assertThrows(MessageNotWriteableException.class, () -> stream.writeInt(2));
    stream.reset();
    assertThat(stream.readInt()).isEqualTo(1);
  }

  @Test
  @Assertion(section = "API StreamMessage", text = "reset lets a received message be read again")
  void resetAfterReceipt(Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeInt(1);
    sent.writeInt(2);
    StreamMessage stream = jms.roundTrip(sent);
    assertThat(stream.readInt()).isEqualTo(1);
    stream.reset();
    assertThat(stream.readInt()).isEqualTo(1);
    assertThat(stream.readInt()).isEqualTo(2);
  }

  @Test
  @Assertion(section = "3.11.1", text = "clearBody makes it empty and write-only")
  void clearBody(Jms jms) throws JMSException {
    StreamMessage sent = jms.own().createStreamMessage();
    sent.writeInt(1);
    StreamMessage stream = jms.roundTrip(sent);
    stream.clearBody();
    assertThrows(MessageNotReadableException.class, stream::readInt);
    stream.writeString("new");
    stream.reset();
    assertThat(stream.readString()).isEqualTo("new");
    assertThrows(MessageEOFException.class, stream::readInt);
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "writeObject with an unsupported class throws MessageFormatException")
  void unsupportedClasses(Jms jms) throws JMSException {
    StreamMessage stream = jms.own().createStreamMessage();
    assertThrows(MessageFormatException.class, () -> stream.writeObject(new Date()));
    assertThrows(MessageFormatException.class, () -> stream.writeObject(new Object()));
    stream.reset();
    assertThrows(MessageEOFException.class, stream::readObject);
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "Reading past the end is a MessageEOFException for every method")
  void endOfStream(Jms jms) throws JMSException {
    StreamMessage stream = jms.roundTrip(jms.own().createStreamMessage());
    assertThrows(MessageEOFException.class, stream::readBoolean);
    assertThrows(MessageEOFException.class, stream::readByte);
    assertThrows(MessageEOFException.class, stream::readShort);
    assertThrows(MessageEOFException.class, stream::readChar);
    assertThrows(MessageEOFException.class, stream::readInt);
    assertThrows(MessageEOFException.class, stream::readLong);
    assertThrows(MessageEOFException.class, stream::readFloat);
    assertThrows(MessageEOFException.class, stream::readDouble);
    assertThrows(MessageEOFException.class, stream::readString);
    assertThrows(MessageEOFException.class, stream::readObject);
    assertThrows(MessageEOFException.class, () -> stream.readBytes(new byte[1]));
  }

  @Test
  @Assertion(section = "3.12", text = "Bytes are copied into the message")
  void bytesAreCopied(Jms jms) throws JMSException {
    byte[] bytes = {1, 2};
    StreamMessage stream = jms.own().createStreamMessage();
    stream.writeBytes(bytes);
    stream.writeObject(bytes);
    bytes[0] = 9;
    stream.reset();
    assertThat((byte[]) stream.readObject()).containsExactly(1, 2);
    assertThat((byte[]) stream.readObject()).containsExactly(1, 2);
  }
}
