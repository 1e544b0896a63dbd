package io.metaq.tck.kills;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.jms.MetaqConnectionFactory;
import io.metaq.tck.transactions.ChildProcess;
import io.metaq.tck.transactions.FrameProxy;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.ReadBody;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.MessageFrames.UploadChunk;
import io.metaq.wire.TransactionFrames.Commit;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * S6: a message of 50 MB; the process that sends it, or takes it, or the broker, is killed at each
 * phase. No file is left over, no message is partial, and the digest is the same.
 */
@Tag("kills")
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class LargeMessageKillTest {
  private static final int SIZE = 50_000_000;
  private static final long DIGEST = JmsClient.digest(SIZE);

  /** When somebody dies: as a request passes to the broker, or as its reply comes back. */
  private enum Phase {
    FIRST_CHUNK(frame -> frame instanceof UploadChunk chunk && chunk.offset() == 0),
    MIDDLE_CHUNK(frame -> frame instanceof UploadChunk chunk && chunk.offset() > SIZE / 2),
    LAST_CHUNK(frame -> frame instanceof UploadChunk chunk && chunk.last()),
    SEND(Send.class::isInstance),
    COMMIT(Commit.class::isInstance),
    FIRST_READ(frame -> frame instanceof ReadBody read && read.offset() == 0),
    MIDDLE_READ(frame -> frame instanceof ReadBody read && read.offset() > SIZE / 2),
    LAST_READ(frame -> frame instanceof ReadBody read && read.offset() + read.length() == SIZE),
    ACKNOWLEDGE(Ack.class::isInstance);

    private final Predicate<Frame> request;

    Phase(Predicate<Frame> request) {
      this.request = request;
    }
  }

  @TempDir Path directory;
  private BrokerProcess broker;
  private volatile ChildProcess client;
  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch dead = new CountDownLatch(1);

  @BeforeEach
  void startBroker() throws Exception {
    broker = new BrokerProcess(directory);
    broker.start();
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  /** Runs the client and kills the victim once in the phase; a broker comes back at once. */
  private void run(String what, Phase phase, boolean atReply, String victim) throws Exception {
    try (FrameProxy proxy = new FrameProxy(0, broker.port(), killing(phase, atReply, victim));
        ChildProcess process =
            ChildProcess.start(JmsClient.class, what, proxy.url(), String.valueOf(SIZE))) {
      client = process;
      started.countDown();
      assertThat(dead.await(60, TimeUnit.SECONDS)).as("%s", process.output()).isTrue();
      if (victim.equals("broker")) {
        broker.start();
        assertThat(process.ends(60_000)).as("the client ends: %s", process.output()).isTrue();
      }
    }
  }

  private FrameProxy.Observer killing(Phase phase, boolean atReply, String victim) {
    AtomicBoolean done = new AtomicBoolean();
    return new FrameProxy.Observer() {
      @Override
      public void request(Frame request) {
        if (!atReply) {
          strike(request);
        }
      }

      @Override
      public void reply(Frame request) {
        if (atReply) {
          strike(request);
        }
      }

      private void strike(Frame frame) {
        if (phase.request.test(frame) && done.compareAndSet(false, true)) {
          try {
            started.await();
            if (victim.equals("broker")) {
              broker.kill();
            } else {
              client.kill();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          dead.countDown();
        }
      }
    };
  }

  /** Digests of what is in the queue, which then is empty. */
  private List<Long> drain() throws JMSException {
    List<Long> digests = new ArrayList<>();
    try (JMSContext context =
        new MetaqConnectionFactory(broker.url() + "?prefetch=1").createContext()) {
      JMSConsumer consumer = context.createConsumer(context.createQueue(JmsClient.QUEUE));
      Message message;
      while ((message = consumer.receive(1_000)) != null) {
        digests.add(JmsClient.digest(message));
      }
    }
    return digests;
  }

  private void awaitNoFiles() {
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(broker.bodies()).isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "send, FIRST_CHUNK, false, 0",
    "send, MIDDLE_CHUNK, false, 0",
    "send, LAST_CHUNK, false, 0",
    "send, LAST_CHUNK, true, 0",
    "send, SEND, false, 1", // the broker has it
    "send, SEND, true, 1",
    "commit, SEND, true, 0",
    "commit, COMMIT, false, 1",
    "commit, COMMIT, true, 1"
  })
  void aSenderIsKilled(String what, Phase phase, boolean atReply, int most) throws Exception {
    run(what, phase, atReply, "client");
    // Between its arrival and its end nobody knows; what is there is whole.
    List<Long> digests = drain();
    assertThat(digests).hasSizeLessThanOrEqualTo(most).allMatch(digest -> digest == DIGEST);
    if (atReply) {
      assertThat(digests).hasSize(most);
    }
    awaitNoFiles();
  }

  @ParameterizedTest
  @CsvSource({
    "send, FIRST_CHUNK, false",
    "send, MIDDLE_CHUNK, true",
    "send, LAST_CHUNK, false",
    "send, SEND, false",
    "send, SEND, true",
    "commit, MIDDLE_CHUNK, false",
    "commit, SEND, true",
    "commit, COMMIT, false",
    "commit, COMMIT, true"
  })
  void theBrokerIsKilledUnderASender(String what, Phase phase, boolean atReply) throws Exception {
    run(what, phase, atReply, "broker");
    List<Long> expected = client.output().contains("SENT") ? List.of(DIGEST) : List.of();
    assertThat(client.output()).containsAnyOf("SENT", "ROLLED BACK");
    if (what.equals("send")) {
      assertThat(expected).hasSize(1);
    }
    assertThat(drain()).isEqualTo(expected);
    awaitNoFiles();
  }

  @ParameterizedTest
  @CsvSource({
    "FIRST_READ, false, client",
    "MIDDLE_READ, false, client",
    "LAST_READ, true, client",
    "ACKNOWLEDGE, true, client",
    "FIRST_READ, false, broker",
    "MIDDLE_READ, true, broker",
    "LAST_READ, false, broker",
    "ACKNOWLEDGE, false, broker",
    "ACKNOWLEDGE, true, broker"
  })
  void aTakerOrItsBrokerIsKilled(Phase phase, boolean atReply, String victim) throws Exception {
    try (ChildProcess sender =
        ChildProcess.start(JmsClient.class, "send", broker.url(), String.valueOf(SIZE))) {
      sender.await("SENT", 60_000);
    }
    assertThat(broker.bodies()).hasSize(1);
    run("take", phase, atReply, victim);
    boolean gone = victim.equals("broker") || phase == Phase.ACKNOWLEDGE;
    assertThat(drain()).isEqualTo(gone ? List.of() : List.of(DIGEST));
    if (victim.equals("broker")) {
      assertThat(client.output()).contains("GOT " + DIGEST, "DONE");
    }
    awaitNoFiles();
  }
}
