package io.metaq.tck.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.metaq.tck.harness.Assertion;
import io.metaq.tck.harness.Conformance;
import io.metaq.tck.harness.Jms;
import io.metaq.tck.harness.KnownDeviation;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** BytesMessage, sections 3.11 and 3.12 and its API documentation. */
@Conformance
class BytesMessageTest {

  @Test
  @Assertion(section = "3.11", text = "Every primitive written is read back from a BytesMessage")
  void everyTypeArrives(Jms jms) throws JMSException {
    BytesMessage sent = jms.own().createBytesMessage();
    sent.writeBoolean(true);
    sent.writeByte((byte) -1);
    sent.writeByte((byte) 0xfe);
    sent.writeShort((short) -2);
    sent.writeShort((short) 0xfffd);
    sent.writeChar('\u20ac');
    sent.writeInt(Integer.MIN_VALUE);
    sent.writeLong(Long.MIN_VALUE);
    sent.writeFloat(1.5f);
    sent.writeDouble(-2.5d);
    sent.writeUTF("\u00e4\u0000\ud83d\ude00");
    sent.writeBytes(new byte[] {1, 2, 3});
    sent.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
    BytesMessage bytes = jms.roundTrip(sent);
    assertThat(bytes.readBoolean()).isTrue();
    assertThat(bytes.readByte()).isEqualTo((byte) -1);
    assertThat(bytes.readUnsignedByte()).isEqualTo(0xfe);
    assertThat(bytes.readShort()).isEqualTo((short) -2);
    assertThat(bytes.readUnsignedShort()).isEqualTo(0xfffd);
    assertThat(bytes.readChar()).isEqualTo('\u20ac');
    assertThat(bytes.readInt()).isEqualTo(Integer.MIN_VALUE);
    assertThat(bytes.readLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(bytes.readFloat()).isEqualTo(1.5f);
    assertThat(bytes.readDouble()).isEqualTo(-2.5d);
    assertThat(bytes.readUTF()).isEqualTo("\u00e4\u0000\ud83d\ude00");
    byte[] buffer = new byte[5];
    assertThat(bytes.readBytes(buffer)).isEqualTo(5);
    assertThat(buffer).containsExactly(1, 2, 3, 2, 3);
    assertThat(bytes.readBytes(buffer)).isEqualTo(-1);
  }

  @Test
  @Assertion(
      section = "API BytesMessage",
      text = "writeObject takes the primitive wrappers, String and byte[]")
  void writeObject(Jms jms) throws JMSException {
    BytesMessage bytes = jms.own().createBytesMessage();
    bytes.writeObject(true);
    bytes.writeObject((byte) 1);
    bytes.writeObject((short) 2);
    bytes.writeObject('c');
    bytes.writeObject(3);
    bytes.writeObject(4L);
    bytes.writeObject(5f);
    bytes.writeObject(6d);
    bytes.writeObject("utf");
    bytes.writeObject(new byte[] {7});
    bytes.reset();
    assertThat(bytes.readBoolean()).isTrue();
    assertThat(bytes.readByte()).isEqualTo((byte) 1);
    assertThat(bytes.readShort()).isEqualTo((short) 2);
    assertThat(bytes.readChar()).isEqualTo('c');
    assertThat(bytes.readInt()).isEqualTo(3);
    assertThat(bytes.readLong()).isEqualTo(4);
    assertThat(bytes.readFloat()).isEqualTo(5);
    assertThat(bytes.readDouble()).isEqualTo(6);
    assertThat(bytes.readUTF()).isEqualTo("utf");
    assertThat(bytes.readByte()).isEqualTo((byte) 7);
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "writeObject with an unsupported class throws MessageFormatException")
  void unsupportedClasses(Jms jms) throws JMSException {
    BytesMessage bytes = jms.own().createBytesMessage();
    assertThrows(MessageFormatException.class, () -> bytes.writeObject(new Object()));
    assertThrows(MessageFormatException.class, () -> bytes.writeObject(new int[1]));
  }

  @Test
  @Assertion(section = "3.12", text = "Writing null into a BytesMessage is a NullPointerException")
  @KnownDeviation(provider = "artemis", why = "throws a JMSException")
  void nullIsRefused(Jms jms) throws JMSException {
    BytesMessage bytes = jms.own().createBytesMessage();
    assertThrows(NullPointerException.class, () -> bytes.writeObject(null));
    assertThrows(NullPointerException.class, () -> bytes.writeBytes(null));
    assertThrows(NullPointerException.class, () -> bytes.writeUTF(null));
  }

  @Test
  @Assertion(
      section = "API BytesMessage",
      text = "readBytes fills the buffer, gives a short count at the end, then -1")
  void readBytes(Jms jms) throws JMSException {
    BytesMessage sent = jms.own().createBytesMessage();
    sent.writeBytes(new byte[] {1, 2, 3, 4, 5});
    BytesMessage bytes = jms.roundTrip(sent);
    byte[] buffer = new byte[2];
    assertThat(bytes.readBytes(buffer)).isEqualTo(2);
    assertThat(bytes.readBytes(buffer)).isEqualTo(2);
    assertThat(buffer).containsExactly(3, 4);
    assertThat(bytes.readBytes(buffer)).isEqualTo(1);
    assertThat(buffer[0]).isEqualTo((byte) 5);
    assertThat(bytes.readBytes(buffer)).isEqualTo(-1);
  }

  @Test
  @Assertion(
      section = "API BytesMessage",
      text =
          "readBytes with a length reads at most that; a bad length is IndexOutOfBoundsException")
  @KnownDeviation(provider = "artemis", why = "throws IllegalArgumentException")
  void readBytesWithLength(Jms jms) throws JMSException {
    BytesMessage sent = jms.own().createBytesMessage();
    sent.writeBytes(new byte[] {1, 2, 3});
    BytesMessage bytes = jms.roundTrip(sent);
    byte[] buffer = new byte[4];
    assertThrows(IndexOutOfBoundsException.class, () -> bytes.readBytes(buffer, -1));
    assertThrows(IndexOutOfBoundsException.class, () -> bytes.readBytes(buffer, 5));
    assertThat(bytes.readBytes(buffer, 2)).isEqualTo(2);
    assertThat(buffer).containsExactly(1, 2, 0, 0);
    assertThat(bytes.readBytes(buffer, 4)).isEqualTo(1);
  }

  @Test
  @Assertion(
      section = "API BytesMessage",
      text = "getBodyLength is the number of bytes, in read mode only")
  void bodyLength(Jms jms) throws JMSException {
    BytesMessage sent = jms.own().createBytesMessage();
    sent.writeBytes(new byte[123]);
    assertThrows(MessageNotReadableException.class, sent::getBodyLength);
    BytesMessage bytes = jms.roundTrip(sent);
    assertThat(bytes.getBodyLength()).isEqualTo(123);
    bytes.readLong();
    assertThat(bytes.getBodyLength()).isEqualTo(123);
  }

  @Test
  @Assertion(
      section = "API BytesMessage",
      text = "A new message is write-only; every read is refused until reset")
  void writeOnlyUntilReset(Jms jms) throws JMSException {
    BytesMessage bytes = jms.own().createBytesMessage();
    bytes.writeInt(1);
    assertThrows(MessageNotReadableException.class, bytes::readBoolean);
    assertThrows(MessageNotReadableException.class, bytes::readByte);
    assertThrows(MessageNotReadableException.class, bytes::readUnsignedByte);
    assertThrows(MessageNotReadableException.class, bytes::readShort);
    assertThrows(MessageNotReadableException.class, bytes::readUnsignedShort);
    assertThrows(MessageNotReadableException.class, bytes::readChar);
    assertThrows(MessageNotReadableException.class, bytes::readInt);
    assertThrows(MessageNotReadableException.class, bytes::readLong);
    assertThrows(MessageNotReadableException.class, bytes::readFloat);
    assertThrows(MessageNotReadableException.class, bytes::readDouble);
    assertThrows(MessageNotReadableException.class, bytes::readUTF);
    assertThrows(MessageNotReadableException.class, () -> bytes.readBytes(new byte[1]));
    assertThrows(MessageNotReadableException.class, () -> bytes.readBytes(new byte[1], 1));
    bytes.reset();
    assertThat(bytes.readInt()).isEqualTo(1);
  }

  @Test
  @Assertion(section = "3.11.2", text = "A received body refuses every write")
  void receivedBodyIsReadOnly(Jms jms) throws JMSException {
    BytesMessage m = jms.roundTrip(jms.own().createBytesMessage());
    assertThrows(MessageNotWriteableException.class, () -> m.writeBoolean(true));
    assertThrows(MessageNotWriteableException.class, () -> m.writeByte((byte) 1));
    assertThrows(MessageNotWriteableException.class, () -> m.writeShort((short) 1));
    assertThrows(MessageNotWriteableException.class, () -> m.writeChar('c'));
    assertThrows(MessageNotWriteableException.class, () -> m.writeInt(1));
    assertThrows(MessageNotWriteableException.class, () -> m.writeLong(1));
    assertThrows(MessageNotWriteableException.class, () -> m.writeFloat(1));
    assertThrows(MessageNotWriteableException.class, () -> m.writeDouble(1));
    assertThrows(MessageNotWriteableException.class, () -> m.writeUTF("s"));
    assertThrows(MessageNotWriteableException.class, () -> m.writeBytes(new byte[1]));
    assertThrows(MessageNotWriteableException.class, () -> m.writeBytes(new byte[1], 0, 1));
    assertThrows(MessageNotWriteableException.class, () -> m.writeObject(1));
  }

  @Test
  @Assertion(
      section = "10.3",
      text = "Reading past the end is a MessageEOFException for every method")
  @KnownDeviation(provider = "artemis", why = "throws no MessageEOFException")
  void endOfStream(Jms jms) throws JMSException {
    BytesMessage bytes = jms.roundTrip(jms.own().createBytesMessage());
    assertThrows(MessageEOFException.class, bytes::readBoolean);
    assertThrows(MessageEOFException.class, bytes::readByte);
    assertThrows(MessageEOFException.class, bytes::readUnsignedByte);
    assertThrows(MessageEOFException.class, bytes::readShort);
    assertThrows(MessageEOFException.class, bytes::readUnsignedShort);
    assertThrows(MessageEOFException.class, bytes::readChar);
    assertThrows(MessageEOFException.class, bytes::readInt);
    assertThrows(MessageEOFException.class, bytes::readLong);
    assertThrows(MessageEOFException.class, bytes::readFloat);
    assertThrows(MessageEOFException.class, bytes::readDouble);
    assertThrows(MessageEOFException.class, bytes::readUTF);
  }

  @Test
  @Assertion(section = "3.12", text = "Bytes are copied into the message")
  void bytesAreCopied(Jms jms) throws JMSException {
    byte[] source = {1, 2};
    BytesMessage bytes = jms.own().createBytesMessage();
    bytes.writeBytes(source);
    source[0] = 9;
    bytes.reset();
    assertThat(bytes.readByte()).isEqualTo((byte) 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 65_535, 65_536, 102_400, 1 << 20, (1 << 20) + 1, 5 << 20})
  @Assertion(section = "3.11", text = "Bodies of any size arrive byte for byte")
  @KnownDeviation(
      provider = "artemis",
      cases = "\\[[678]\\].*",
      why = "a large message needs its consumer to stay open")
  void anySizeArrives(int size, Jms jms) throws JMSException {
    byte[] body = new byte[size];
    new Random(size).nextBytes(body);
    BytesMessage sent = jms.own().createBytesMessage();
    sent.writeBytes(body);
    BytesMessage received = jms.roundTrip(sent);
    assertThat(received.getBodyLength()).isEqualTo(size);
    byte[] read = new byte[size];
    received.readBytes(read);
    assertThat(read).isEqualTo(body);
  }
}
