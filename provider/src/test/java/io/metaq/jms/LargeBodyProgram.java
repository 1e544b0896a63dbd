package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.body.BodyBuffer;
import io.metaq.body.BodyCodec;
import io.metaq.body.BodyStorage;
import java.util.Random;
import java.util.zip.CRC32C;

/** Passes one large BytesMessage from its writer to its reader in a process of its own. */
final class LargeBodyProgram {

  private LargeBodyProgram() {}

  public static void main(String[] arguments) throws Exception {
    long length = Long.parseLong(arguments[0]);
    BodyStorage storage = new BodyStorage();
    MessageFactory factory =
        new MessageFactory(
            new MessageSettings(
                storage,
                DeserializationPolicy.closed(),
                MessageSettings.NEVER_COMPRESS,
                BodyCodec.DEFLATE));

    MetaqBytesMessage written = factory.createBytesMessage();
    byte[] chunk = new byte[10_000];
    Random random = new Random(1);
    CRC32C before = new CRC32C();
    for (long left = length; left > 0; left -= chunk.length) {
      random.nextBytes(chunk);
      int n = (int) Math.min(left, chunk.length);
      written.writeBytes(chunk, 0, n);
      before.update(chunk, 0, n);
    }
    OutgoingMessage sent = Wire.send(written);

    BodyBuffer transfer = storage.newBuffer();
    byte[] piece = new byte[1 << 20];
    Body payload = sent.payload();
    for (long at = 0; at < payload.length(); at += piece.length) {
      transfer.write(piece, 0, payload.read(at, piece, 0, piece.length));
    }

    MetaqBytesMessage received =
        (MetaqBytesMessage) factory.received(sent.block(), transfer.snapshot(), 1);
    CRC32C after = new CRC32C();
    for (int n = received.readBytes(chunk); n > 0; n = received.readBytes(chunk)) {
      after.update(chunk, 0, n);
    }
    if (received.getBodyLength() != length || before.getValue() != after.getValue()) {
      throw new AssertionError("The body arrived different");
    }
  }
}
