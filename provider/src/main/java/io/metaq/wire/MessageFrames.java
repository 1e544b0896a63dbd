package io.metaq.wire;

import java.nio.ByteBuffer;
import java.util.List;

/** Sending, delivering, credit and acknowledgement. */
public final class MessageFrames {
  /** Names the in-memory lane of a destination where a partition number is asked for. */
  public static final int MEMORY_LANE = -1;

  private MessageFrames() {}

  /**
   * One message for one destination. {@code content} is what the partition log stores behind its
   * record header: {@code i32 attributeLength, attribute (see MessageBlock), payload}; with {@code
   * uploadId} not 0 the payload is empty and stands in the body that was uploaded under that id.
   * {@code sequence} grows by one with every send of a session, resends keep theirs. {@code
   * transaction} is 0 or the transaction it belongs to. {@code timeToLiveMillis} and {@code
   * delayMillis} are relative, 0 = none. Answered, when it has a correlation, by {@link
   * ConnectionFrames.Ok} once it is as durable as its delivery mode and the destination's settings
   * promise.
   */
  public record Send(
      int sessionId,
      long sequence,
      long destinationId,
      long transaction,
      long timeToLiveMillis,
      long delayMillis,
      long uploadId,
      ByteBuffer content)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.SEND;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(sessionId)
          .i64(sequence)
          .i64(destinationId)
          .i64(transaction)
          .i64(timeToLiveMillis)
          .i64(delayMillis);
      out.i64(uploadId).raw(content);
    }

    static Send decode(WireReader in) {
      return new Send(
          in.i32(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.i64(), in.rest());
    }
  }

  /**
   * A piece of a body larger than {@link FrameCodec#MAX_INLINE_BODY}, in order, {@code last} on the
   * final one. The client chooses the id, unique within its connection. Answered by {@link
   * ConnectionFrames.Ok} when written (not forced): a client keeps a few pieces under way.
   */
  public record UploadChunk(long uploadId, long offset, boolean last, ByteBuffer bytes)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.UPLOAD_CHUNK;
    }

    @Override
    public void encode(WireWriter out) {
      out.i64(uploadId).i64(offset).bool(last).raw(bytes);
    }

    static UploadChunk decode(WireReader in) {
      return new UploadChunk(in.i64(), in.i64(), in.bool(), in.rest());
    }
  }

  /**
   * Asks for a piece of a large body that this connection has been delivered. Answered by {@link
   * BodyChunk}.
   */
  public record ReadBody(long subscriptionId, int lane, long sequence, long offset, int length)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.READ_BODY;
    }

    @Override
    public void encode(WireWriter out) {
      out.i64(subscriptionId).i32(lane).i64(sequence).i64(offset).i32(length);
    }

    static ReadBody decode(WireReader in) {
      return new ReadBody(in.i64(), in.i32(), in.i64(), in.i64(), in.i32());
    }
  }

  /** Answer to {@link ReadBody}. */
  public record BodyChunk(ByteBuffer bytes) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.BODY_CHUNK;
    }

    @Override
    public void encode(WireWriter out) {
      out.raw(bytes);
    }

    static BodyChunk decode(WireReader in) {
      return new BodyChunk(in.rest());
    }
  }

  /**
   * Gives a consumer the right to {@code messages} more messages and {@code bytes} more bytes (a
   * last message may exceed them; the contents of deliveries count). With {@code drain}, the broker
   * delivers what it has at once and then answers {@link Drained}, which also takes the unused
   * credit back.
   */
  public record Credit(int consumerId, int messages, int bytes, boolean drain) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.CREDIT;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(consumerId).i32(messages).i32(bytes).bool(drain);
    }

    static Credit decode(WireReader in) {
      return new Credit(in.i32(), in.i32(), in.i32(), in.bool());
    }
  }

  /**
   * One-way: everything there was is delivered and all credit is taken back. For a browser without
   * a delivery since its last credit: its end is reached. A stop, recovery or close ends a drain
   * without it.
   */
  public record Drained(int consumerId) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.DRAINED;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(consumerId);
    }

    static Drained decode(WireReader in) {
      return new Drained(in.i32());
    }
  }

  /**
   * A message for a consumer. ({@code lane}, {@code sequence}) is its place within the subscription
   * and stays the same when it comes again; {@code ordinal} counts the deliveries of this consumer
   * from 1. {@code deliveryCount} is 1 the first time. {@code largeBody} is the length of a body to
   * fetch with {@link ReadBody}, or -1 when {@code content} holds it. {@code subscriptionId}
   * matters to wildcard consumers, whose messages come from several.
   */
  public record Deliver(
      int consumerId,
      long subscriptionId,
      int lane,
      long sequence,
      long ordinal,
      int deliveryCount,
      long largeBody,
      ByteBuffer content)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.DELIVER;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(consumerId)
          .i64(subscriptionId)
          .i32(lane)
          .i64(sequence)
          .i64(ordinal)
          .i32(deliveryCount)
          .i64(largeBody);
      out.raw(content);
    }

    static Deliver decode(WireReader in) {
      return new Deliver(
          in.i32(), in.i64(), in.i32(), in.i64(), in.i64(), in.i32(), in.i64(), in.rest());
    }
  }

  /**
   * One-way report that the application was handed this consumer's deliveries up to {@code
   * ordinal}. Not needed for a message that is next in line: the broker counts that one as begun by
   * itself.
   */
  public record Handed(int consumerId, long ordinal) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.HANDED;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(consumerId).i64(ordinal);
    }

    static Handed decode(WireReader in) {
      return new Handed(in.i32(), in.i64());
    }
  }

  /**
   * A run of sequences of one subscription and lane, both ends included, and the consumer that they
   * were delivered to: what has come to another one meanwhile is not meant.
   */
  public record Range(int consumerId, long subscriptionId, int lane, long first, long last) {
    static final int SIZE = 32;

    /** The one message. */
    public static Range of(Deliver delivery) {
      return new Range(
          delivery.consumerId(),
          delivery.subscriptionId(),
          delivery.lane(),
          delivery.sequence(),
          delivery.sequence());
    }

    void write(WireWriter out) {
      out.i32(consumerId).i64(subscriptionId).i32(lane).i64(first).i64(last);
    }

    static Range read(WireReader in) {
      return new Range(in.i32(), in.i64(), in.i32(), in.i64(), in.i64());
    }
  }

  private static void write(WireWriter out, List<Range> ranges) {
    out.i32(ranges.size());
    ranges.forEach(range -> range.write(out));
  }

  /**
   * Acknowledges messages. With a correlation it is answered when durable. One-way, it is confirmed
   * some time later by {@link AckConfirmed} for its {@code ackSequence}, which grows by one per
   * acknowledgement of the connection; until then the client repeats it after a reconnect. Unknown
   * or already acknowledged messages are passed over in silence, and one-way also those that
   * another consumer of the connection has. A request that names messages which another consumer
   * has, of whichever connection, leaves those alone and is answered by {@link ErrorCode#IN_USE};
   * so does, without an answer, its repetition as a one-way frame of sequence 0, by which a client
   * settles after a reconnect what it still waits for, before it makes its consumers again.
   */
  public record Ack(long ackSequence, long transaction, List<Range> ranges) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.ACK;
    }

    @Override
    public void encode(WireWriter out) {
      out.i64(ackSequence).i64(transaction);
      write(out, ranges);
    }

    static Ack decode(WireReader in) {
      return new Ack(in.i64(), in.i64(), in.list(Range.SIZE, Range::read));
    }
  }

  /** All one-way acknowledgements of this connection up to {@code ackSequence} are durable. */
  public record AckConfirmed(long ackSequence) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.ACK_CONFIRMED;
    }

    @Override
    public void encode(WireWriter out) {
      out.i64(ackSequence);
    }

    static AckConfirmed decode(WireReader in) {
      return new AckConfirmed(in.i64());
    }
  }

  /**
   * Gives messages back, to come again in their place. {@code counted} ones were handed to the
   * application (a listener that failed); the others were never seen. Answered by {@link
   * ConnectionFrames.Ok} when it has a correlation.
   */
  public record Release(boolean counted, List<Range> ranges) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.RELEASE;
    }

    @Override
    public void encode(WireWriter out) {
      out.bool(counted);
      write(out, ranges);
    }

    static Release decode(WireReader in) {
      return new Release(in.bool(), in.list(Range.SIZE, Range::read));
    }
  }

  /**
   * Session recovery: everything delivered to the session and not acknowledged comes back; {@code
   * handed} were seen by the application and count. All credit of the session's consumers is taken
   * back; a delivery that reaches the client before the answer is void. Answered by {@link
   * ConnectionFrames.Ok}.
   */
  public record Recover(int sessionId, List<Range> handed) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.RECOVER;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(sessionId);
      write(out, handed);
    }

    static Recover decode(WireReader in) {
      return new Recover(in.i32(), in.list(Range.SIZE, Range::read));
    }
  }
}
