package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.engine.EngineSettings;
import io.metaq.broker.store.SimulatedDisk;
import io.metaq.broker.store.SimulatedDisk.Call;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.Content;
import io.metaq.wire.MessageFrames.Deliver;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

  /** S12, across a kill. */
  @Test
  void aQueueDeletedUnderADeliveryAndCreatedAgainTakesNoLateAcknowledgement() throws IOException {
    EmbeddedBroker killed = start();
    long behind = 0;
    Deliver late = null;
    try (WireClient client = new WireClient(killed.port())) {
      for (int i = 0; i < 3; i++) {
        client.send("orders", 100);
      }
      client.consume(1, "orders", 1);
      late = client.receive();
      killed.checkpoint();
      behind = firstSegment() + Files.size(segment(firstSegment()));
      killed.emptyBroker();
      client.send("orders", 200);
      client.acknowledge(late);
      client.acknowledgeUntilConfirmed(late);
    } finally {
      killed.kill();
    }
    try (EmbeddedBroker broker = start();
        WireClient client = new WireClient(broker.port())) {
      assertThat(firstSegment()).as("no offset is used twice").isEqualTo(behind);
      client.acknowledgeUntilConfirmed(late);
      client.consume(1, "orders", 10);
      Deliver next = client.receive();
      assertThat(next.sequence()).isEqualTo(3);
      assertThat(Content.of(next.content()).block().bodyLength()).isEqualTo(200);
      assertThat(next.subscriptionId()).isNotEqualTo(late.subscriptionId());
    }
  }

  private Path segment(long offset) {
    return directory.resolve("partitions/orders-0").resolve(String.format("%020d.meta", offset));
  }

  private long firstSegment() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("partitions/orders-0"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".meta"))
          .mapToLong(name -> Long.parseLong(name.substring(0, 20)))
          .min()
          .orElseThrow();
    }
  }

  @Test
  void heartbeatsGoOnWhileTheDiskStalls() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    CountDownLatch stalled = new CountDownLatch(1);
    try (EmbeddedBroker broker =
        EmbeddedBroker.builder()
            .port(0)
            .dataDirectory(directory)
            .disk(disk)
            .tuning(EmbeddedBrokerTest::withoutInlineForce)
            .start()) {
      try (WireClient sender = new WireClient(broker.port());
          WireClient other = new WireClient(broker.port())) {
        long queue = sender.queue("q");
        disk.before(
            (call, path) -> {
              if (call == Call.FORCE && path.startsWith("journal")) {
                awaitQuietly(stalled);
              }
            });
        int number = sender.write(sender.message("q", queue, 10), true);
        other.awaitHeartbeats(2);
        stalled.countDown();
        assertThat(sender.answer(number)).isInstanceOf(Ok.class);
      } finally {
        stalled.countDown();
      }
    }
  }

  private static EngineSettings withoutInlineForce(EngineSettings settings) {
    return new EngineSettings(
        settings.brokerId(),
        settings.version(),
        1_000,
        settings.maxMessageSize(),
        settings.cacheBytes(),
        settings.autoCreate(),
        settings.defaults(),
        settings.declarations(),
        settings.journal().withInlineForce(false),
        settings.recovery(),
        settings.maxUnwrittenBytes(),
        settings.checkpointMillis(),
        settings.checkpointBytes(),
        settings.reservedDiskBytes(),
        settings.maxOpenFiles());
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test // S6
  void aLargeBodyIsStoredOnceReadInPiecesAndGoesWithItsMessage() throws IOException {
    byte[] body = new byte[3 << 20];
    new Random(5).nextBytes(body);
    EmbeddedBroker killed = start();
    try (WireClient client = new WireClient(killed.port())) {
      client.sendLarge("big", body, 1 << 20);
    } finally {
      killed.kill();
    }
    Path bodies = directory.resolve("bodies");
    try (EmbeddedBroker broker = start();
        WireClient client = new WireClient(broker.port())) {
      client.consume(1, "big", 1);
      Deliver deliver = client.receive();
      assertThat(deliver.largeBody()).isEqualTo(body.length);
      assertThat(client.readBody(deliver, 700_000)).isEqualTo(body);
      assertThat(client.acknowledge(deliver)).isInstanceOf(Ok.class);
      await().until(() -> bodies.toFile().list().length == 0);
    }
  }

  @Test // S6
  void anUploadThatWasNeverSentLeavesNoFile() throws IOException {
    EmbeddedBroker killed = start();
    Path bodies = directory.resolve("bodies");
    try (WireClient client = new WireClient(killed.port())) {
      client.upload(1, new byte[2 << 20], 1 << 20);
      assertThat(bodies.toFile().list()).hasSize(1);
    } finally {
      killed.kill();
    }
    try (EmbeddedBroker broker = start()) {
      try (WireClient client = new WireClient(broker.port())) {
        assertThat(bodies.toFile().list()).isEmpty();
        client.upload(1, new byte[2 << 20], 1 << 20);
      }
      await().until(() -> bodies.toFile().list().length == 0);
      assertThat(broker.stats()).isNotEmpty();
    }
  }

  @Test
  void aKilledBrokerLeavesNoSocketOpenAsAKilledProcessDoesNot() throws Exception {
    for (int i = 0; i < 8; i++) {
      EmbeddedBroker killed = EmbeddedBroker.builder().start();
      try (Socket client = new Socket("127.0.0.1", killed.port())) {
        client.setSoTimeout(10_000);
        client.getOutputStream().write("version\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.getInputStream().read()).isNotEqualTo(-1);
        killed.kill();
        while (client.getInputStream().read() != -1) {
          // what was on its way
        }
      }
    }
  }
}
