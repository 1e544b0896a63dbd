package io.metaq.broker.benchmark;

import io.metaq.broker.core.Core;
import io.metaq.broker.core.CoreSettings;
import io.metaq.broker.core.Effects;
import io.metaq.broker.core.Entry;
import io.metaq.broker.core.ReadRequest;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationFrames.Resolve;
import io.metaq.wire.DestinationFrames.Resolved;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The state machine alone on one thread, everything it asks for granted at once: commands a second,
 * a command being a send (whose message is delivered) or an acknowledgement.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 3, time = 2)
public class CoreBenchmark implements Effects {

  private static final int CONNECTION = 1;
  private static final int CONSUMER = 1;
  private static final int WINDOW = 1000;
  private static final int MOST_BYTES = 4096;
  private static final long NOW = 1_800_000_000_000L;

  @Param({"100", "1024"})
  public int size;

  private final List<Frame> answers = new ArrayList<>();
  private Core core;
  private ByteBuffer content;
  private Deliver delivered;
  private Entry.Appended stored;
  private long queue;
  private long index;
  private long sends;
  private long acks;

  @Setup(Level.Iteration)
  public void connect() {
    index = 0;
    sends = 0;
    acks = 0;
    core = new Core(CoreSettings.defaults(new UUID(1, 1), 0, 1, "benchmark"), this);
    core.recovered(NOW);
    core.connected(CONNECTION, "benchmark", NOW);
    UUID id = new UUID(7, 1);
    frame(new Hello(FrameCodec.PROTOCOL_VERSION, "benchmark", id, 0, null, null, null, 10_000));
    frame(new Resolve(DestinationKind.QUEUE, "q"));
    queue = ((Resolved) answers.get(answers.size() - 1)).destinationId();
    frame(
        new Consume(
            CONSUMER,
            1,
            SubscriptionKind.QUEUE,
            DestinationKind.QUEUE,
            "q",
            null,
            null,
            false,
            false,
            0));
    frame(new Credit(CONSUMER, WINDOW, WINDOW * MOST_BYTES, false));
    content = content();
    answers.clear();
  }

  private ByteBuffer content() {
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_BYTES,
            MessageBlock.FLAG_PERSISTENT,
            4,
            0,
            0,
            0,
            0,
            0,
            size,
            new UUID(7, 1),
            null,
            null,
            0,
            null,
            "ID:1",
            DestinationKind.QUEUE,
            "q",
            null,
            null,
            null,
            Map.of());
    ByteBuffer built = Content.build(block, ByteBuffer.allocate(size));
    return ByteBuffer.allocate(built.remaining()).put(built).flip();
  }

  @Benchmark
  @OperationsPerInvocation(2)
  public long commands() {
    delivered = null;
    frame(new Send(1, ++sends, queue, 0, 0, 0, 0, content.duplicate()));
    core.written(stored.destinationId(), stored.partition(), stored.sequence());
    while (core.work(64, NOW)) {
      // until the message is delivered
    }
    Range range = Range.of(delivered);
    frame(new Ack(++acks, 0, List.of(range)));
    if (sends % WINDOW == 0) {
      frame(new Credit(CONSUMER, WINDOW, WINDOW * MOST_BYTES, false));
    }
    answers.clear();
    return index;
  }

  private void frame(Frame frame) {
    core.frame(CONNECTION, 1, frame, NOW);
  }

  @Override
  public long append(Entry entry, boolean force) {
    if (entry instanceof Entry.Appended appended) {
      stored = appended;
    }
    return index++;
  }

  @Override
  public void send(int connection, int correlation, Frame frame) {
    if (frame instanceof Deliver deliver) {
      delivered = deliver;
    } else {
      answers.add(frame);
    }
  }

  @Override
  public void sendNow(int connection, int correlation, Frame frame) {
    send(connection, correlation, frame);
  }

  @Override
  public void awaitAppended() {
    // entries count as committed when they are appended
  }

  @Override
  public void confirmAck(int connection, long ackSequence) {}

  @Override
  public void close(int connection, ErrorCode code, String why) {
    throw new IllegalStateException("the core closed the connection: " + why);
  }

  @Override
  public void read(ReadRequest request) {
    throw new IllegalStateException("a message at the tail was read from the log: " + request);
  }

  @Override
  public void pauseReading(int connection, boolean pause) {}

  @Override
  public void upload(int connection, int correlation, MessageFrames.UploadChunk chunk) {}

  @Override
  public void sealBody(int connection, long uploadId, long token) {}

  @Override
  public void dropUploads(int connection) {}

  @Override
  public void readBody(int connection, int correlation, long fileId, long offset, int length) {}

  @Override
  public void readExtent(long fileId, long offset, int length) {}

  @Override
  public void report(String what, Throwable fault) {
    throw new IllegalStateException(what, fault);
  }

  @Override
  public void note(String what) {}

  @Override
  public void releaseBody(long fileId) {}
}
