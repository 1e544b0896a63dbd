package io.metaq.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.store.SimulatedDisk;
import io.metaq.broker.store.SimulatedDisk.Call;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaRecover;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaStarted;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commits over real sockets while the disk takes its time. */
@Timeout(60)
class StalledCommitTest {
  private static final WireXid XID = new WireXid(1, new byte[] {1}, new byte[] {2});
  private static final int SUCCESS = 0x4000000;
  private static final int NOTA = -4;

  @TempDir Path directory;

  private EmbeddedBroker start(SimulatedDisk disk) throws IOException {
    return EmbeddedBroker.builder().port(0).dataDirectory(directory).disk(disk).start();
  }

  private static void prepare(WireClient client, int port) throws IOException {
    long queue = client.queue("q");
    long handle = ((XaStarted) client.ask(new XaStart(1, XID, 0, 0))).handle();
    Send send = client.message("q", queue, 10);
    client.write(new Send(1, send.sequence(), queue, handle, 0, 0, 0, send.content()), false);
    client.write(new XaEnd(1, XID, handle, SUCCESS, List.of()), false);
    assertThat(client.ask(new XaComplete(XaVerb.PREPARE, XID, 0)))
        .as("prepare, port " + port)
        .isEqualTo(new XaDone(0));
  }

  /** X14. */
  @Test
  void aCommitRetriedOnAnotherConnectionHearsNothingWhileTheFirstOnesForceIsRunning()
      throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch stalled = new CountDownLatch(1);
    SimulatedDisk left;
    EmbeddedBroker broker = start(disk);
    try (WireClient retrying = new WireClient(broker.port())) {
      WireClient first = new WireClient(broker.port());
      prepare(first, broker.port());
      disk.before(
          (call, path) -> {
            if (call == Call.FORCE && path.startsWith("journal")) {
              running.countDown();
              hold(stalled);
            }
          });
      first.write(new XaComplete(XaVerb.COMMIT, XID, 0), true);
      assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
      first.close();
      int retried = retrying.write(new XaComplete(XaVerb.COMMIT, XID, 0), true);
      CompletableFuture<Frame> heard =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return retrying.answer(retried);
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      await().during(Duration.ofMillis(500)).until(() -> !heard.isDone());
      stalled.countDown();
      assertThat(heard.get(10, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(Failure.class, nota -> assertThat(nota.detail()).isEqualTo(NOTA));
      left = disk.afterPowerCut();
    } finally {
      stalled.countDown();
      broker.kill();
    }
    try (EmbeddedBroker after = start(left);
        WireClient client = new WireClient(after.port())) {
      assertThat(((XaInDoubt) client.ask(new XaRecover())).xids()).isEmpty();
      client.consume(1, "q", 10);
      assertThat(client.receive().deliveryCount()).isEqualTo(1);
    }
  }

  /** X14, and the power goes before the force ends: then the branch is still in doubt. */
  @Test
  void aCommitWhoseForceNeverEndedLeavesTheBranchInDoubtOrCommittedAndNothingBetween()
      throws Exception {
    SimulatedDisk disk = new SimulatedDisk(2);
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch stalled = new CountDownLatch(1);
    SimulatedDisk left;
    EmbeddedBroker broker = start(disk);
    try (WireClient client = new WireClient(broker.port())) {
      prepare(client, broker.port());
      disk.before(
          (call, path) -> {
            if (call == Call.FORCE && path.startsWith("journal")) {
              running.countDown();
              hold(stalled);
            }
          });
      client.write(new XaComplete(XaVerb.COMMIT, XID, 0), true);
      assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
      left = disk.afterPowerCut();
    } finally {
      stalled.countDown();
      broker.kill();
    }
    try (EmbeddedBroker after = start(left);
        WireClient client = new WireClient(after.port())) {
      boolean inDoubt = ((XaInDoubt) client.ask(new XaRecover())).xids().contains(XID);
      if (inDoubt) {
        assertThat(client.ask(new XaComplete(XaVerb.COMMIT, XID, 0))).isEqualTo(new XaDone(0));
      }
      client.consume(1, "q", 10);
      assertThat(client.receive().deliveryCount()).isEqualTo(1);
    }
  }

  private static void hold(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
