package io.metaq.broker.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.metaq.broker.engine.Inbound;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Heartbeat;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.MessageFrames.BodyChunk;
import io.metaq.wire.WireWriter;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ServerTest {
  private static final int MEGABYTE = 1 << 20;

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger frames = new AtomicInteger();
  private final AtomicInteger unwritable = new AtomicInteger();
  private Server server;
  private int port;

  /**
   * Accepts every login, answers every other request with Ok, or with a megabyte where one is asked
   * for.
   */
  private final class Scripted implements Inbound {
    @Override
    public void connected(int connection, String peer) {
      open.incrementAndGet();
    }

    @Override
    public void frame(int connection, int correlation, Frame frame) {
      frames.incrementAndGet();
      if (frame instanceof Hello hello) {
        int beat = hello.heartbeatMillis();
        UUID broker = new UUID(1, 2);
        Frame welcome = new Welcome(1, broker, 0, 1, 0, beat, MEGABYTE, MEGABYTE, "test");
        server.network().send(connection, correlation, welcome);
      } else if (frame instanceof Resolve resolve && resolve.name().equals("bulk")) {
        ByteBuffer bulk = ByteBuffer.allocate(MEGABYTE);
        server.network().send(connection, correlation, new BodyChunk(bulk));
      } else if (frame instanceof Resolve resolve && resolve.name().equals("fault")) {
        throw new IllegalStateException("a fault");
      } else if (correlation != 0) {
        server.network().send(connection, correlation, Ok.INSTANCE);
      }
      server.network().flush();
    }

    @Override
    public void disconnected(int connection) {
      open.decrementAndGet();
    }

    @Override
    public void writable(int connection, boolean writable) {
      unwritable.addAndGet(writable ? -1 : 1);
    }

    @Override
    public List<String> statistics(String item) {
      return List.of("item " + item);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server =
        new Server(
            new ServerSettings(
                "127.0.0.1",
                0,
                false,
                Duration.ofSeconds(1),
                2 * MEGABYTE,
                8 * MEGABYTE,
                Duration.ofSeconds(2),
                "9.9"));
    port = server.listen(new Scripted());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(10_000);
    return socket;
  }

  private Socket login(int heartbeat) throws IOException {
    Socket socket = connect();
    socket.getOutputStream().write(FrameCodec.PREFACE);
    write(
        socket,
        1,
        new Hello(
            FrameCodec.PROTOCOL_VERSION, "test", new UUID(3, 4), 0, null, null, null, heartbeat));
    assertThat(read(socket)).isInstanceOf(Welcome.class);
    return socket;
  }

  private static void write(Socket socket, int correlation, Frame frame) throws IOException {
    WireWriter out = new WireWriter();
    FrameCodec.encode(correlation, frame, out);
    socket.getOutputStream().write(out.toByteArray());
  }

  private static Frame read(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] frame = new byte[in.readInt()];
    in.readFully(frame);
    return FrameCodec.decode(ByteBuffer.wrap(frame)).frame();
  }

  private static String readAll(Socket socket) throws IOException {
    try {
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    } catch (SocketException e) {
      return "reset";
    }
  }

  private static Resolve resolve(String name) {
    return new Resolve(DestinationKind.QUEUE, name);
  }

  private void everyoneElseIsServed() throws IOException {
    try (Socket socket = login(30_000)) {
      write(socket, 7, resolve("q"));
      assertThat(read(socket)).isInstanceOf(Ok.class);
    }
  }

  @Test
  void aFrameIsServedWhicheverWayItIsCut() throws IOException {
    try (Socket socket = login(30_000)) {
      WireWriter out = new WireWriter();
      FrameCodec.encode(2, resolve("q"), out);
      for (byte b : out.toByteArray()) {
        socket.getOutputStream().write(b);
      }
      assertThat(read(socket)).isInstanceOf(Ok.class);
    }
  }

  @Test
  void manyFramesInOneReadAreServedInOrder() throws IOException {
    try (Socket socket = login(30_000)) {
      WireWriter out = new WireWriter();
      for (int i = 1; i <= 1000; i++) {
        FrameCodec.encode(i, resolve("q"), out);
      }
      socket.getOutputStream().write(out.toByteArray());
      DataInputStream in = new DataInputStream(socket.getInputStream());
      for (int i = 1; i <= 1000; i++) {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        assertThat(FrameCodec.decode(ByteBuffer.wrap(frame)).correlation()).isEqualTo(i);
      }
    }
  }

  @Test // Y2
  void twoGigabytesAnnouncedBeforeLoginEndTheConnectionAndCostNoMemory() throws IOException {
    for (int i = 0; i < 50; i++) {
      try (Socket socket = connect()) {
        socket.getOutputStream().write(FrameCodec.PREFACE);
        socket.getOutputStream().write(new byte[] {0x7f, -1, -1, -1, 1, 2, 3});
        Frame answer = read(socket);
        assertThat(answer).isInstanceOf(Failure.class);
        assertThat(((Failure) answer).code()).isEqualTo(ErrorCode.PROTOCOL);
        assertThat(readAll(socket)).isIn("", "reset");
      }
    }
    await().until(() -> open.get() == 0);
    everyoneElseIsServed();
  }

  @Test
  void aFrameThatIsFineAfterLoginIsTooLargeBeforeIt() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write(FrameCodec.PREFACE);
      write(socket, 1, resolve("x".repeat(FrameCodec.MAX_FRAME_BEFORE_LOGIN)));
      assertThat(read(socket)).isInstanceOf(Failure.class);
    }
    try (Socket socket = login(30_000)) {
      write(socket, 1, resolve("x".repeat(FrameCodec.MAX_FRAME_BEFORE_LOGIN)));
      assertThat(read(socket)).isInstanceOf(Ok.class);
    }
  }

  @Test // Y1
  void randomBytesEndTheirConnectionOnly() throws IOException {
    Random random = new Random(20261129);
    for (int i = 0; i < 200; i++) {
      try (Socket socket = connect()) {
        byte[] bytes = new byte[random.nextInt(2000) + 1];
        random.nextBytes(bytes);
        if (i % 2 == 0) {
          socket.getOutputStream().write(FrameCodec.PREFACE);
        }
        socket.getOutputStream().write(bytes);
        socket.shutdownOutput();
        readAll(socket);
      }
    }
    await().until(() -> open.get() == 0);
    everyoneElseIsServed();
  }

  @Test
  void whoDoesNotLogInIsCutOff() throws IOException {
    try (Socket silent = connect();
        Socket prefaceOnly = connect();
        Socket halfPreface = connect()) {
      prefaceOnly.getOutputStream().write(FrameCodec.PREFACE);
      halfPreface.getOutputStream().write(FrameCodec.PREFACE, 0, 3);
      assertThat(silent.getInputStream().read()).isEqualTo(-1);
      assertThat(prefaceOnly.getInputStream().read()).isEqualTo(-1);
      assertThat(halfPreface.getInputStream().read()).isEqualTo(-1);
    }
    await().until(() -> open.get() == 0);
  }

  @Test
  void aClientThatClosesItsHalfIsGone() throws IOException {
    try (Socket socket = login(30_000)) {
      socket.shutdownOutput();
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
      await().until(() -> open.get() == 0);
    }
  }

  @Test
  void aClientThatAsksWithoutReadingIsNotReadFromAndThenCutOff() throws IOException {
    try (Socket socket = login(30_000)) {
      for (int i = 1; i <= 2000; i++) {
        write(socket, i, resolve("bulk"));
      }
      await().until(() -> unwritable.get() == 1);
      everyoneElseIsServed();
      await().until(() -> open.get() == 0);
      assertThat(frames.get()).as("answers made for a client that reads none").isLessThan(200);
    }
  }

  @Test
  void aSlowReaderGetsEverythingInTheEnd() throws IOException {
    try (Socket socket = login(30_000)) {
      for (int i = 1; i <= 40; i++) {
        write(socket, i, resolve("bulk"));
      }
      await().until(() -> unwritable.get() == 1);
      for (int i = 1; i <= 40; i++) {
        assertThat(read(socket)).isInstanceOf(BodyChunk.class);
      }
      await().until(() -> unwritable.get() == 0);
    }
  }

  @Test
  void aSilentClientIsSentHeartbeatsAndCutOff() throws IOException {
    try (Socket socket = login(400)) {
      assertThat(read(socket)).isInstanceOf(Heartbeat.class);
      Frame frame = read(socket);
      while (frame instanceof Heartbeat) {
        frame = read(socket);
      }
      assertThat(((Failure) frame).message()).contains("nothing was heard");
    }
  }

  @Test
  void aFaultInTheBrokerEndsTheConnectionThatFoundItWithAnError() throws IOException {
    try (Socket socket = login(30_000)) {
      write(socket, 5, resolve("fault"));
      assertThat(((Failure) read(socket)).code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(readAll(socket)).isIn("", "reset");
    }
    everyoneElseIsServed();
  }

  @Test
  void pausedClientsAreServedWhenReadingResumes() throws IOException {
    try (Socket socket = login(30_000)) {
      server.loop().execute(() -> server.network().pauseReading(true));
      int before = frames.get();
      server.loop().execute(() -> assertThat(frames.get()).isEqualTo(before));
      write(socket, 3, resolve("q"));
      server.loop().execute(() -> server.network().pauseReading(false));
      assertThat(read(socket)).isInstanceOf(Ok.class);
    }
  }

  @Test
  void theLineProtocolAnswersAsMetaqDoes() throws IOException {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write("version 12\r\nstats  21\r\nstats orders\r\nhelp\nquit\r\n".getBytes(US_ASCII));
      String answers = readAll(socket);
      assertThat(answers)
          .startsWith("result 200 3 12\r\n9.9result 200 19 21\r\nSTATS\r\nitem \r\nEND\r\n")
          .contains("result 200 25 2147483647\r\nSTATS\r\nitem orders\r\nEND\r\n")
          .contains("closes the connection");
    }
  }

  @Test
  void unknownWordsAndEndlessLinesAreRefusedWithAnError() throws IOException {
    try (Socket socket = connect()) {
      socket.getOutputStream().write("steal everything\r\n".getBytes(US_ASCII));
      assertThat(readAll(socket)).startsWith("result 400 ").contains("unknown command");
    }
    try (Socket socket = connect()) {
      socket.getOutputStream().write("x".repeat(5000).getBytes(US_ASCII));
      assertThat(readAll(socket)).startsWith("result 400 ").contains("longer than 4096");
    }
  }
}
