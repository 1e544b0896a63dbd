package io.metaq.tck.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed bodies through a broker, which passes them on as they are. */
class CompressedBodiesTest {
  @TempDir Path data;

  @ParameterizedTest
  @ValueSource(strings = {"deflate", "lz4", "zstd"})
  void aReceiverThatChoseNothingReadsWhatASenderCompressed(String codec) throws Exception {
    byte[] large = new byte[8 << 20]; // more than 1 MiB also when it is compressed
    Random random = new Random(1);
    for (int i = 0; i < large.length; i++) {
      large[i] = (byte) (i % 4 == 0 ? random.nextInt(256) : 0);
    }
    try (EmbeddedBroker broker = EmbeddedBroker.builder().dataDirectory(data).start();
        Connection sending =
            new MetaqConnectionFactory(broker.url() + "?compressAbove=100&compression=" + codec)
                .createConnection();
        Connection receiving = new MetaqConnectionFactory(broker.url()).createConnection()) {
      Session sender = sending.createSession();
      BytesMessage bytes = sender.createBytesMessage();
      bytes.writeBytes(large);
      sender.createProducer(sender.createQueue("q")).send(bytes);
      sender
          .createProducer(sender.createQueue("q"))
          .send(sender.createTextMessage("again ".repeat(1_000)));
      receiving.start();
      Session receiver = receiving.createSession();
      var consumer = receiver.createConsumer(receiver.createQueue("q"));
      Message first = consumer.receive(20_000);
      assertThat(first.getBody(byte[].class)).isEqualTo(large);
      assertThat(consumer.receive(20_000).getBody(String.class)).isEqualTo("again ".repeat(1_000));
    }
  }
}
