package io.metaq.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameCodecTest {

  static Stream<Frame> frames() {
    return Samples.frames().stream();
  }

  private static ByteBuffer encoded(Frame frame) {
    WireWriter out = new WireWriter(1);
    FrameCodec.encode(42, frame, out);
    ByteBuffer bytes = ByteBuffer.wrap(out.toByteArray());
    assertThat(bytes.getInt()).isEqualTo(bytes.remaining());
    return bytes.slice();
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameComesBackAsItWasWritten(Frame frame) {
    FrameCodec.Envelope envelope = FrameCodec.decode(encoded(frame));

    assertThat(envelope.correlation()).isEqualTo(42);
    assertThat(envelope.frame()).isEqualTo(frame);
  }

  @Test
  void everyFrameTypeHasASample() {
    assertThat(Samples.frames())
        .extracting(Frame::type)
        .containsExactlyInAnyOrder(FrameType.values());
  }

  @ParameterizedTest
  @MethodSource("frames")
  void aFrameCutAnywhereIsAnErrorOrAShorterFrameOfRawBytes(Frame frame) {
    ByteBuffer whole = encoded(frame);
    for (int length = 0; length < whole.limit(); length++) {
      decodeLeniently(whole.slice(0, length));
    }
  }

  @ParameterizedTest
  @MethodSource("frames")
  void bytesTooManyAreRefusedUnlessTheFrameEndsInRawBytes(Frame frame) {
    ByteBuffer whole = encoded(frame);
    ByteBuffer longer = ByteBuffer.allocate(whole.limit() + 1).put(whole).put((byte) 0).flip();
    boolean raw =
        frame instanceof MessageFrames.Send
            || frame instanceof MessageFrames.Deliver
            || frame instanceof MessageFrames.UploadChunk
            || frame instanceof MessageFrames.BodyChunk;
    if (raw) {
      FrameCodec.decode(longer);
    } else {
      assertThatThrownBy(() -> FrameCodec.decode(longer)).isInstanceOf(WireException.class);
    }
  }

  /**
   * Case Y1: whatever the bytes, the only outcome besides a frame is a WireException, and lengths
   * that lie allocate nothing.
   */
  @Test
  void mutatedFramesNeverFailOtherwiseThanWithAWireException() {
    Random random = new Random(20261129);
    for (Frame frame : Samples.frames()) {
      byte[] original = new byte[encoded(frame).remaining()];
      encoded(frame).get(original);
      for (int round = 0; round < 2_000; round++) {
        byte[] bytes = original.clone();
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
          bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        decodeLeniently(ByteBuffer.wrap(bytes));
      }
    }
  }

  @Test
  void lengthsOutsideTheBoundAreRefusedBeforeAnythingIsAllocated() {
    assertThatThrownBy(
            () -> FrameCodec.checkLength(Integer.MAX_VALUE, FrameCodec.MAX_FRAME_BEFORE_LOGIN))
        .isInstanceOf(WireException.class);
    assertThatThrownBy(() -> FrameCodec.checkLength(-1, FrameCodec.MAX_FRAME))
        .isInstanceOf(WireException.class);
    assertThatThrownBy(() -> FrameCodec.checkLength(4, FrameCodec.MAX_FRAME))
        .isInstanceOf(WireException.class);
    assertThat(FrameCodec.checkLength(5, FrameCodec.MAX_FRAME)).isEqualTo(5);
  }

  @Test
  void aPasswordIsNotInTheStringForm() {
    assertThat(Samples.frames().get(0).toString()).doesNotContain("secret");
  }

  private static void decodeLeniently(ByteBuffer bytes) {
    try {
      Frame frame = FrameCodec.decode(bytes).frame();
      if (frame instanceof MessageFrames.Send send) {
        Content.of(send.content()).block();
      }
    } catch (WireException e) {
      assertThat(e).hasMessageMatching("(?s).+");
    }
  }
}
