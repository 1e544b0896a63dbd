package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.Content;
import io.metaq.wire.MessageFrames.Deliver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class EmbeddedBrokerTest {
  @TempDir Path directory;

  private EmbeddedBroker start() throws IOException {
    return EmbeddedBroker.builder().port(0).dataDirectory(directory).start();
  }

  private static String id(Deliver deliver) {
    return Content.of(deliver.content()).block().messageId();
  }

  @Test
  void aMessageThatWasSentIsReceivedAndGoneWhenAcknowledged() throws IOException {
    try (EmbeddedBroker broker = start();
        WireClient client = new WireClient(broker.port())) {
      client.send("orders", 100);
      client.consume(1, "orders", 10);
      Deliver deliver = client.receive();
      assertThat(deliver.deliveryCount()).isEqualTo(1);
      assertThat(client.acknowledge(deliver)).isInstanceOf(Ok.class);
    }
    try (EmbeddedBroker broker = start();
        WireClient client = new WireClient(broker.port())) {
      client.send("orders", 100);
      client.consume(1, "orders", 10);
      Deliver next = client.receive();
      assertThat(next.sequence()).isEqualTo(1);
      assertThat(next.deliveryCount()).isEqualTo(1);
    }
  }

  @Test
  void messagesAndAcknowledgementsSurviveAKill() throws IOException {
    EmbeddedBroker killed = start();
    String second;
    try (WireClient client = new WireClient(killed.port())) {
      for (int i = 0; i < 100; i++) {
        client.send("orders", 1000);
      }
      client.consume(1, "orders", 2);
      Deliver first = client.receive();
      second = id(client.receive());
      assertThat(client.acknowledge(first)).isInstanceOf(Ok.class);
    } finally {
      killed.kill();
    }
    try (EmbeddedBroker broker = start();
        WireClient client = new WireClient(broker.port())) {
      client.consume(1, "orders", 1000);
      assertThat(id(client.receive())).isEqualTo(second);
      for (int i = 2; i < 100; i++) {
        client.receive();
      }
      client.send("orders", 10);
      assertThat(client.receive().sequence()).isEqualTo(100);
    }
  }

  @Test
  void anAcknowledgementThatChangesNothingIsConfirmedToo() throws IOException {
    try (EmbeddedBroker broker = start();
        WireClient client = new WireClient(broker.port())) {
      client.send("orders", 100);
      client.consume(1, "orders", 10);
      Deliver deliver = client.receive();
      client.acknowledgeUntilConfirmed(deliver);
      client.acknowledgeUntilConfirmed(deliver);
    }
  }

  @Test
  void aTemporaryDirectoryGoesWithItsBroker() throws IOException {
    Path data;
    try (EmbeddedBroker broker = EmbeddedBroker.builder().start()) {
      data = broker.dataDirectory();
      assertThat(Files.exists(data)).isTrue();
    }
    assertThat(Files.exists(data)).isFalse();
  }

  @Test
  void twoBrokersDoNotShareADirectory() throws IOException {
    try (EmbeddedBroker broker = start()) {
      assertThat(broker.url()).startsWith("metaq://127.0.0.1:");
      assertThatThrownBy(this::start).hasMessageContaining("in use by another broker");
    }
  }

  @Test
  void anEmptiedBrokerHoldsNothing() throws IOException {
    try (EmbeddedBroker broker = start();
        WireClient client = new WireClient(broker.port())) {
      client.send("orders", 100);
      broker.emptyBroker();
      client.send("orders", 200);
      client.consume(1, "orders", 10);
      assertThat(Content.of(client.receive().content()).block().bodyLength()).isEqualTo(200);
    }
  }
}
