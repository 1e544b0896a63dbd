package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.body.BodyCodec;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.Date;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BytesMessageTest {

  private final MetaqBytesMessage message = Wire.factory().createBytesMessage();

  @Test
  void everyTypeComesBackAsWritten() throws JMSException {
    message.writeBoolean(true);
    message.writeByte((byte) -1);
    message.writeByte((byte) -1);
    message.writeShort((short) -2);
    message.writeShort((short) -2);
    message.writeChar('\uFFFF');
    message.writeInt(Integer.MIN_VALUE);
    message.writeLong(Long.MIN_VALUE);
    message.writeFloat(Float.MIN_VALUE);
    message.writeDouble(Double.NaN);
    message.writeUTF("a\u0000é\uD83D\uDE00");
    message.writeBytes(new byte[] {1, 2, 3, 4}, 1, 2);
    MetaqBytesMessage received = Wire.roundTrip(message);
    assertThat(received.readBoolean()).isTrue();
    assertThat(received.readByte()).isEqualTo((byte) -1);
    assertThat(received.readUnsignedByte()).isEqualTo(255);
    assertThat(received.readShort()).isEqualTo((short) -2);
    assertThat(received.readUnsignedShort()).isEqualTo(65_534);
    assertThat(received.readChar()).isEqualTo('\uFFFF');
    assertThat(received.readInt()).isEqualTo(Integer.MIN_VALUE);
    assertThat(received.readLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(received.readFloat()).isEqualTo(Float.MIN_VALUE);
    assertThat(received.readDouble()).isNaN();
    assertThat(received.readUTF()).isEqualTo("a\u0000é\uD83D\uDE00");
    byte[] rest = new byte[5];
    assertThat(received.readBytes(rest)).isEqualTo(2);
    assertThat(rest).startsWith(2, 3);
    assertThat(received.readBytes(rest)).isEqualTo(-1);
    assertThatThrownBy(received::readByte).isInstanceOf(MessageEOFException.class);
  }

  @Test
  void anObjectIsWrittenAsItsPrimitiveIs() throws JMSException {
    Object[] values = {true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d, "seven", new byte[] {8}};
    for (Object value : values) {
      message.writeObject(value);
    }
    message.reset();
    assertThat(message.getBodyLength()).isEqualTo(1 + 1 + 2 + 2 + 4 + 8 + 4 + 8 + 7 + 1);
    message.clearBody();
    assertThatThrownBy(() -> message.writeObject(new Date()))
        .isInstanceOf(MessageFormatException.class);
  }

  @Test
  void thereIsNoNullInABytesMessage() {
    assertThatThrownBy(() -> message.writeObject(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> message.writeUTF(null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> message.writeBytes(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void aReadThatFailsDoesNotMoveThePointer() throws JMSException {
    message.writeShort((short) 0x0003);
    message.writeByte((byte) 0xff);
    message.reset();
    assertThatThrownBy(message::readLong).isInstanceOf(MessageEOFException.class);
    assertThatThrownBy(message::readInt).isInstanceOf(MessageEOFException.class);
    assertThatThrownBy(message::readUTF).isInstanceOf(MessageEOFException.class);
    assertThat(message.readShort()).isEqualTo((short) 3);
    assertThatThrownBy(message::readChar).isInstanceOf(MessageEOFException.class);
    assertThat(message.readUnsignedByte()).isEqualTo(255);
  }

  @Test
  void malformedUtfIsAFormatExceptionAndLeavesThePointer() throws JMSException {
    message.writeBytes(new byte[] {0, 2, (byte) 0xc3, 'a'});
    message.reset();
    assertThatThrownBy(message::readUTF).isInstanceOf(MessageFormatException.class);
    assertThat(message.readShort()).isEqualTo((short) 2);
  }

  @Test
  void anOverlongUtfWritesNothing() throws JMSException {
    assertThatThrownBy(() -> message.writeUTF("x".repeat(65_536)))
        .isInstanceOf(MessageFormatException.class);
    message.writeUTF("x".repeat(65_535));
    message.reset();
    assertThat(message.readUTF()).hasSize(65_535);
  }

  @Test
  void modesAreKeptApart() throws JMSException {
    assertThatThrownBy(message::readByte).isInstanceOf(MessageNotReadableException.class);
    assertThatThrownBy(message::getBodyLength).isInstanceOf(MessageNotReadableException.class);
    assertThatThrownBy(message::getBodyInputStream).isInstanceOf(MessageNotReadableException.class);
    message.writeByte((byte) 1);
    message.reset();
    assertThatThrownBy(() -> message.writeByte((byte) 1))
        .isInstanceOf(MessageNotWriteableException.class);
    assertThatThrownBy(() -> message.setBodyInputStream(new ByteArrayInputStream(new byte[1])))
        .isInstanceOf(MessageNotWriteableException.class);
    assertThat(message.readByte()).isEqualTo((byte) 1);
    message.reset();
    assertThat(message.readByte()).isEqualTo((byte) 1);
    message.clearBody();
    message.writeByte((byte) 2);
    MetaqBytesMessage received = Wire.roundTrip(message);
    message.writeByte((byte) 3);
    assertThatThrownBy(() -> received.writeByte((byte) 1))
        .isInstanceOf(MessageNotWriteableException.class);
    assertThat(received.getBodyLength()).isEqualTo(1);
    received.clearBody();
    assertThatThrownBy(received::readByte).isInstanceOf(MessageNotReadableException.class);
  }

  @Test
  void readBytesKeepsToItsLength() throws JMSException {
    message.writeBytes(new byte[] {1, 2, 3, 4, 5});
    message.reset();
    byte[] target = new byte[4];
    assertThatThrownBy(() -> message.readBytes(target, 5))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> message.readBytes(target, -1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(message.readBytes(target, 2)).isEqualTo(2);
    assertThat(target).containsExactly(1, 2, 0, 0);
    assertThat(message.readBytes(target)).isEqualTo(3);
    assertThat(message.readBytes(target)).isEqualTo(-1);
  }

  @Test
  void aForwardedMessageHasItsWholeBodyHoweverMuchWasRead() throws JMSException {
    message.writeLong(7);
    MetaqBytesMessage received = Wire.roundTrip(message);
    received.readInt();
    assertThat(Wire.roundTrip(received).readLong()).isEqualTo(7);
    assertThat(received.readInt()).isEqualTo(7);
  }

  @Test
  void theBodyIsABytesArrayOrAnObject() throws JMSException {
    assertThat(message.getBody(String.class)).isNull();
    assertThat(message.isBodyAssignableTo(String.class)).isTrue();
    message.clearBody();
    message.writeBytes(new byte[] {1, 2});
    assertThat(message.isBodyAssignableTo(byte[].class)).isTrue();
    assertThat(message.isBodyAssignableTo(Object.class)).isTrue();
    assertThat(message.isBodyAssignableTo(String.class)).isFalse();
    assertThatThrownBy(() -> message.getBody(String.class))
        .isInstanceOf(MessageFormatException.class);
    assertThat(message.getBody(byte[].class)).containsExactly(1, 2);
    assertThat((byte[]) message.getBody(Object.class)).containsExactly(1, 2);
    assertThat(message.readByte()).isEqualTo((byte) 1);
  }

  @Test
  void aBodyBeyondTheMemoryLimitReadsAndSendsAsAnyOther() throws JMSException {
    byte[] bytes = new byte[100_000];
    new Random(1).nextBytes(bytes);
    for (int compressAbove : new int[] {-1, 0}) {
      MetaqBytesMessage large = Wire.factory(1_000, compressAbove).createBytesMessage();
      large.setBodyInputStream(new ByteArrayInputStream(bytes));
      MetaqBytesMessage received = Wire.roundTrip(large);
      large.writeByte((byte) 1);
      assertThat(received.getBodyLength()).isEqualTo(bytes.length);
      ByteArrayOutputStream saved = new ByteArrayOutputStream();
      received.saveBody(saved);
      assertThat(saved.toByteArray()).isEqualTo(bytes);
      assertThat(received.getBody(byte[].class)).isEqualTo(bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(BodyCodec.class)
  void aCompressedBodyArrivesAsItWasAndSaysHowItWasCompressed(BodyCodec codec) throws JMSException {
    MetaqBytesMessage zeros = Wire.factory(1_000, 100, codec).createBytesMessage();
    zeros.writeBytes(new byte[10_000]);
    OutgoingMessage sent = Wire.send(zeros);
    assertThat(sent.payload().length()).isLessThan(1_000);
    assertThat(sent.block().bodyLength()).isEqualTo(10_000);
    assertThat(sent.block().codec()).isEqualTo(codec.number());
    MetaqBytesMessage received = Wire.receive(sent, 1);
    assertThat(Wire.roundTrip(received).getBodyLength()).isEqualTo(10_000);
    assertThat(received.getBody(byte[].class)).isEqualTo(new byte[10_000]);
  }
}
