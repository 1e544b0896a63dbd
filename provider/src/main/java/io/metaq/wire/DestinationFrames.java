package io.metaq.wire;

/** Looking up, creating and deleting destinations. */
public final class DestinationFrames {
  private DestinationFrames() {}

  /**
   * Finds a destination, creating it where the configuration allows; for a temporary kind, creates
   * it as owned by this connection (again after a reconnect, under the same name). Answered by
   * {@link Resolved} or {@link ErrorCode#INVALID_DESTINATION}.
   */
  public record Resolve(DestinationKind kind, String name) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.RESOLVE;
    }

    @Override
    public void encode(WireWriter out) {
      out.u8(kind.ordinal()).string(name);
    }

    static Resolve decode(WireReader in) {
      return new Resolve(DestinationKind.of(in.u8()), in.text());
    }
  }

  /**
   * {@code destinationId} names this incarnation: a destination deleted and created again has
   * another.
   */
  public record Resolved(long destinationId) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.RESOLVED;
    }

    @Override
    public void encode(WireWriter out) {
      out.i64(destinationId);
    }

    static Resolved decode(WireReader in) {
      return new Resolved(in.i64());
    }
  }

  /**
   * Deletes a destination by name: by its owner for a temporary one, else an administrative act.
   */
  public record Delete(DestinationKind kind, String name) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.DELETE;
    }

    @Override
    public void encode(WireWriter out) {
      out.u8(kind.ordinal()).string(name);
    }

    static Delete decode(WireReader in) {
      return new Delete(DestinationKind.of(in.u8()), in.text());
    }
  }
}
