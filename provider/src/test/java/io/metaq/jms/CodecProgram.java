package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.body.BodyCodec;
import io.metaq.wire.Content;
import jakarta.jms.JMSException;
import java.nio.ByteBuffer;

/** What {@link MissingLibraryTest} runs where the libraries are not on the class path. */
public final class CodecProgram {

  private CodecProgram() {}

  /** Sends 10,000 zeros and returns what travels. */
  public static byte[] send(String codec) throws Exception {
    MetaqBytesMessage message =
        Wire.factory(1_000, 100, BodyCodec.named(codec)).createBytesMessage();
    message.writeBytes(new byte[10_000]);
    message.setStringProperty("colour", "red");
    OutgoingMessage sent = Wire.send(message);
    ByteBuffer content = Content.build(sent.block(), sent.payload().toBuffer());
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    return bytes;
  }

  /** Receives what travelled; the body's length and a property of the message. */
  public static String receive(byte[] bytes) throws JMSException {
    Content content = Content.of(ByteBuffer.wrap(bytes));
    MetaqBytesMessage received =
        (MetaqBytesMessage) Wire.factory().received(content.block(), Body.of(content.payload()), 1);
    String colour = received.getStringProperty("colour");
    try {
      return colour + " " + received.getBodyLength();
    } catch (JMSException e) {
      return colour + " " + e.getMessage();
    }
  }
}
