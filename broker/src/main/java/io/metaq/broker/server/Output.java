package io.metaq.broker.server;

import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.WireWriter;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Encodes frames into Netty's buffers. Apart from the connection because it holds the scratch space
 * that all connections of the loop share, and the short cut for deliveries: their content goes from
 * the record to the socket's buffer in one copy.
 */
final class Output {
  private final WireWriter scratch = new WireWriter(4096);

  void encode(int correlation, Frame frame, ByteBuf out) {
    scratch.reset();
    if (frame instanceof Deliver deliver) {
      FrameCodec.encode(correlation, withoutContent(deliver), scratch);
      ByteBuffer content = deliver.content();
      scratch.patchI32(0, scratch.position() - 4 + content.remaining());
      out.writeBytes(scratch.written());
      out.writeBytes(content.duplicate());
    } else {
      FrameCodec.encode(correlation, frame, scratch);
      out.writeBytes(scratch.written());
    }
  }

  private static Deliver withoutContent(Deliver deliver) {
    return new Deliver(
        deliver.consumerId(),
        deliver.subscriptionId(),
        deliver.lane(),
        deliver.sequence(),
        deliver.ordinal(),
        deliver.deliveryCount(),
        deliver.largeBody(),
        ByteBuffer.allocate(0));
  }
}
