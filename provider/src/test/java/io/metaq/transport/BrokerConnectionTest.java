package io.metaq.transport;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Goodbye;
import io.metaq.wire.ConnectionFrames.Heartbeat;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.SetClientId;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Handed;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BrokerConnectionTest {
  private ScriptedBroker broker;
  private BrokerConnection connection;
  private final Recorder events = new Recorder();

  @BeforeEach
  void listen() throws IOException {
    broker = new ScriptedBroker();
  }

  @AfterEach
  void end() throws IOException {
    if (connection != null) {
      connection.close(1000);
    }
    broker.close();
  }

  private void connect(String options) throws Exception {
    connection = open(options);
  }

  private BrokerConnection open(String options) throws IOException, RequestRefusedException {
    MetaqUri uri = MetaqUri.parse(broker.url() + options);
    ConnectionSettings settings =
        new ConnectionSettings(uri, "u", "p", null, UUID.randomUUID(), SocketConnector.plain());
    return BrokerConnection.open(settings, events);
  }

  /** Writes down what the transport tells. */
  private static final class Recorder implements ConnectionEvents {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private volatile Frame inResumption;

    @Override
    public void received(Frame frame) {
      heard.add("received " + frame);
    }

    @Override
    public void lost(IOException cause) {
      heard.add("lost");
    }

    @Override
    public void resume(Resumption resumption) throws IOException {
      heard.add("resume");
      if (inResumption != null) {
        try {
          resumption.request(inResumption);
        } catch (RequestRefusedException e) {
          throw new IOException(e);
        }
      }
    }

    @Override
    public void resumed() {
      heard.add("resumed");
    }

    @Override
    public void failed(IOException cause) {
      heard.add("failed");
    }
  }

  private static Resolve resolve(String name) {
    return new Resolve(DestinationKind.QUEUE, name);
  }

  @Test
  void aRequestThatWaitsGoesOutAgainOnTheNextSocketBehindTheResumption() throws Exception {
    connect("?reconnectDelay=1");
    UUID id = broker.await(Hello.class, 1).connectionId();
    broker.answer(Resolve.class, ScriptedBroker.SILENCE);
    CompletableFuture<Frame> answer = CompletableFuture.supplyAsync(() -> request(resolve("q")));
    broker.await(Resolve.class, 1);
    broker.answer(Resolve.class, new io.metaq.wire.DestinationFrames.Resolved(5));
    events.inResumption = new SetClientId("first");

    broker.cut();

    assertThat(answer.get(20, SECONDS)).isEqualTo(new io.metaq.wire.DestinationFrames.Resolved(5));
    List<Frame> frames = broker.received();
    assertThat(frames.indexOf(new SetClientId("first")))
        .isLessThan(frames.lastIndexOf(resolve("q")));
    Hello again = broker.await(Hello.class, 2);
    assertThat(again.connectionId()).isEqualTo(id);
    assertThat(again.attempt()).isPositive();
    await()
        .untilAsserted(
            () -> assertThat(events.heard).containsSubsequence("lost", "resume", "resumed"));
  }

  private Frame request(Frame frame) {
    try {
      return connection.request(frame);
    } catch (IOException | RequestRefusedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aRequestThatGoesOutOnceFailsWithTheSocket() throws Exception {
    connect("?reconnectDelay=1");
    broker.answer(Delete.class, ScriptedBroker.SILENCE);
    CompletableFuture<Throwable> failure =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                connection.requestOnce(
                    new Delete(DestinationKind.QUEUE, "q"), BrokerConnection.ANY_EPOCH);
                return null;
              } catch (IOException | RequestRefusedException e) {
                return e;
              }
            });
    broker.await(Delete.class, 1);

    broker.cut();

    assertThat(failure.get(20, SECONDS)).isInstanceOf(ConnectionLostException.class);
    broker.await(Hello.class, 2);
    assertThat(broker.received(Delete.class)).hasSize(1);
  }

  @Test
  void aFrameOfAFormerEpochIsVoid() throws Exception {
    connect("?reconnectDelay=1");
    long before = connection.epoch();
    broker.cut();
    await().until(() -> events.heard.contains("resumed"));

    assertThat(connection.post(new Handed(1, 1), before)).isFalse();
    assertThat(connection.postNow(new Handed(1, 2), connection.epoch())).isTrue();

    assertThat(broker.await(Handed.class, 1)).isEqualTo(new Handed(1, 2));
  }

  @Test
  void aFrameThatNobodyWaitsForLeavesSoonByItself() throws Exception {
    connect("");

    connection.post(new Handed(1, 1), BrokerConnection.ANY_EPOCH);

    assertThat(broker.await(Handed.class, 1)).isEqualTo(new Handed(1, 1));
  }

  @Test
  void aSilentBrokerCountsAsLost() throws Exception {
    broker.heartbeat(100);
    connect("?heartbeat=100&reconnectDelay=1");

    broker.fallSilent();

    await().until(() -> events.heard.contains("lost"));
  }

  @Test
  void heartbeatsAreSentWhenNothingElseIs() throws Exception {
    connect("?heartbeat=100");

    broker.await(Heartbeat.class, 3);
  }

  @Test
  void aRefusedLoginIsNotTriedAgain() {
    broker.answer(Hello.class, new Failure(ErrorCode.SECURITY, "who are you?"));

    assertThatThrownBy(() -> open("?startupTimeout=60000"))
        .isInstanceOfSatisfying(
            RequestRefusedException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.SECURITY));
    assertThat(broker.received(Hello.class)).hasSize(1);
  }

  @Test
  void reconnectingIsGivenUpOnceAndReportedOnce() throws Exception {
    connect("?reconnectDelay=1&reconnectTimeout=100");
    broker.refuse(true);

    broker.cut();

    await().until(() -> events.heard.contains("failed"));
    assertThatThrownBy(() -> connection.request(resolve("q")))
        .isInstanceOfSatisfying(
            ConnectionLostException.class, lost -> assertThat(lost.isFinal()).isTrue());
    assertThat(events.heard).containsOnlyOnce("failed");
  }

  @Test
  void withoutReconnectTheFirstLossIsFinal() throws Exception {
    connect("?reconnect=false");

    broker.cut();

    await().until(() -> events.heard.contains("failed"));
    assertThat(broker.received(Hello.class)).hasSize(1);
  }

  @Test
  void anOrderlyCloseEndsWaitingRequestsAndIsNoFailure() throws Exception {
    connect("");
    broker.answer(Resolve.class, ScriptedBroker.SILENCE);
    CompletableFuture<Throwable> failure =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new AssertionError(connection.request(resolve("q")).toString());
              } catch (IOException | RequestRefusedException e) {
                return e;
              }
            });
    broker.await(Resolve.class, 1);

    connection.close(1000);

    assertThat(failure.get(20, SECONDS)).isInstanceOf(ConnectionLostException.class);
    broker.await(Goodbye.class, 1);
    assertThat(events.heard).doesNotContain("failed", "lost");
  }
}
