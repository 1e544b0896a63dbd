package io.metaq.transport;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.MessageFrames.BodyChunk;
import io.metaq.wire.WireWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinkReaderTest {
  private static final long PATIENCE = SECONDS.toNanos(20);

  /** A frame, or the end, and the thread that had it. */
  private record Seen(Object what, Thread on) {}

  private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
  private final Waiters waiters = new Waiters();
  private ServerSocket server;
  private Socket peer;
  private LinkReader reader;
  private Link link;
  private volatile boolean busy;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
    peer = server.accept();
    link = new Link(socket, new BrokerAddress("localhost", server.getLocalPort()));
    link.loggedIn();
    reader = new LinkReader(link, waiters, new Recorder());
    waiters.reader(reader);
    reader.start();
  }

  @AfterEach
  void close() throws IOException {
    link.kill();
    peer.close();
    server.close();
  }

  private final class Recorder implements LinkReader.Sink {
    @Override
    public void frame(Envelope envelope) {
      seen.add(new Seen(envelope.frame(), Thread.currentThread()));
    }

    @Override
    public void drained() {
      // nothing to write
    }

    @Override
    public boolean isBusy() {
      return busy;
    }

    @Override
    public void ended(IOException cause) {
      seen.add(new Seen(cause, Thread.currentThread()));
    }
  }

  private void write(Frame frame) throws IOException {
    peer.getOutputStream().write(bytes(frame));
  }

  private static byte[] bytes(Frame frame) {
    WireWriter out = new WireWriter();
    FrameCodec.encode(0, frame, out);
    return out.toByteArray();
  }

  /** Waits in turns until this thread is the one that reads. */
  private void becomeReader() throws Exception {
    long deadline = System.nanoTime() + PATIENCE;
    Seen last = null;
    while (last == null || last.on() != Thread.currentThread()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      last = roundTrip();
    }
  }

  /** Has one frame sent and waits for it. */
  private Seen roundTrip() throws Exception {
    waiters.enter();
    try {
      CompletableFuture<Void> sent =
          CompletableFuture.runAsync(
              () -> {
                try {
                  write(Ok.INSTANCE);
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              },
              CompletableFuture.delayedExecutor(1, MILLISECONDS));
      waiters.readUntil(() -> !seen.isEmpty(), SECONDS.toNanos(1));
      Seen came = next();
      sent.get(20, SECONDS);
      return came;
    } finally {
      waiters.leave();
    }
  }

  private Seen next() throws InterruptedException {
    Seen next = seen.poll(20, SECONDS);
    assertThat(next).isNotNull();
    return next;
  }

  @Test
  void theOnlyThreadThatWaitsReadsItself() throws Exception {
    becomeReader();
  }

  @Test
  void whatComesWhileNobodyWaitsIsReadByTheReadersOwnThread() throws Exception {
    becomeReader();
    write(Ok.INSTANCE);
    assertThat(next().on()).isNotSameAs(Thread.currentThread());
  }

  @Test
  void whereSeveralWaitNoneOfThemReads() throws Exception {
    waiters.enter(); // somebody else, for all of the test
    for (int i = 0; i < 50; i++) {
      assertThat(roundTrip().on()).isNotSameAs(Thread.currentThread());
    }
  }

  @Test
  void nothingIsLentWhileSomethingIsDueThatNoThreadWaitsFor() throws Exception {
    busy = true;
    for (int i = 0; i < 50; i++) {
      assertThat(roundTrip().on()).isNotSameAs(Thread.currentThread());
    }
  }

  @Test
  void aReaderThatOthersWaitBehindLeavesThemToTheOwnThread() throws Exception {
    becomeReader();
    becomeReader();
    CompletableFuture<Seen> other =
        CompletableFuture.supplyAsync(
            () -> {
              waiters.enter();
              try {
                waiters.readUntil(() -> false, SECONDS.toNanos(1));
                write(Ok.INSTANCE);
                return next();
              } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
              } finally {
                waiters.leave();
              }
            });
    assertThat(other.get(20, SECONDS).on().getName()).startsWith("metaq-reader");
  }

  @Test
  void aFrameThatComesInPiecesIsReadByWhoeverHasTheTurn() throws Exception {
    becomeReader();
    byte[] large = bytes(new BodyChunk(ByteBuffer.allocate(200_000)));
    OutputStream out = peer.getOutputStream();
    for (int from = 0; from < large.length; from += 50_000) {
      out.write(large, from, Math.min(50_000, large.length - from));
      waiters.enter();
      waiters.readUntil(() -> !seen.isEmpty(), MILLISECONDS.toNanos(1));
      waiters.leave();
    }
    write(Ok.INSTANCE);
    assertThat(next().what()).isInstanceOf(BodyChunk.class);
    assertThat(next().what()).isEqualTo(Ok.INSTANCE);
  }

  @Test
  void aLinkThatBreaksUnderABorrowerIsEndedByTheOwnThread() throws Exception {
    becomeReader();
    peer.close();
    waiters.enter();
    waiters.readUntil(() -> false, SECONDS.toNanos(1));
    waiters.leave();
    Seen end = next();
    assertThat(end.what()).isInstanceOf(IOException.class);
    assertThat(end.on()).isNotSameAs(Thread.currentThread());
    assertThatThrownBy(() -> link.read(1)).isInstanceOf(IOException.class);
  }

  @Test
  void allThatHasComeIsHandedOverBeforeTheTurnIsGivenBack() throws Exception {
    becomeReader();
    byte[] one = bytes(new Failure(ErrorCode.CLOSING, "x"));
    byte[] many = new byte[one.length * 100];
    for (int i = 0; i < 100; i++) {
      System.arraycopy(one, 0, many, i * one.length, one.length);
    }
    peer.getOutputStream().write(many);
    waiters.enter();
    boolean came = waiters.readUntil(() -> !seen.isEmpty(), SECONDS.toNanos(1));
    waiters.leave();
    if (came) { // else the own thread was faster
      assertThat(seen).hasSize(100);
    }
  }
}
