package io.metaq.broker.benchmark;

import io.metaq.wire.Content;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it costs to turn the most frequent frame, a send, into bytes and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class FrameCodecBenchmark {

  @Param({"100", "1024", "65536"})
  public int size;

  private Send send;
  private ByteBuffer frame;

  @Setup
  public void prepare() {
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_BYTES,
            MessageBlock.FLAG_PERSISTENT,
            4,
            1,
            2,
            3,
            0,
            0,
            0,
            new UUID(1, 2),
            "",
            "",
            0,
            "",
            "",
            DestinationKind.QUEUE,
            "orders",
            DestinationKind.QUEUE,
            "",
            "",
            Map.of("region", "north", "amount", 42));
    send = new Send(1, 2, 3, 0, 0, 0, 0, Content.build(block, ByteBuffer.allocate(size)));
    WireWriter out = new WireWriter();
    FrameCodec.encode(1, send, out);
    frame = ByteBuffer.wrap(out.toByteArray());
    frame.position(4);
  }

  @Benchmark
  public int encode() {
    WireWriter out = new WireWriter();
    FrameCodec.encode(1, send, out);
    return out.position();
  }

  @Benchmark
  public FrameCodec.Envelope decode() {
    return FrameCodec.decode(frame.duplicate());
  }
}
