package io.metaq.wire;

import io.metaq.wire.MessageFrames.Range;
import java.util.List;
import java.util.UUID;

/**
 * Local transactions and XA branches. A local transaction begins with the first frame that names
 * it: the client chooses its number, positive and unique within the connection id. A branch is
 * named by the negative handle that {@link XaStarted} gave, so that a late frame cannot touch a
 * younger branch of the same Xid.
 */
public final class TransactionFrames {
  private TransactionFrames() {}

  /** An Xid, byte-exact. */
  public record WireXid(int formatId, byte[] globalId, byte[] branchQualifier) {
    void write(WireWriter out) {
      out.i32(formatId).bytes(globalId).bytes(branchQualifier);
    }

    static WireXid read(WireReader in) {
      int formatId = in.i32();
      byte[] globalId = in.bytes();
      byte[] branchQualifier = in.bytes();
      if (globalId == null
          || branchQualifier == null
          || globalId.length > 64
          || branchQualifier.length > 64) {
        throw new WireException("an Xid part is missing or longer than 64 bytes");
      }
      return new WireXid(formatId, globalId, branchQualifier);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof WireXid xid
          && formatId == xid.formatId
          && java.util.Arrays.equals(globalId, xid.globalId)
          && java.util.Arrays.equals(branchQualifier, xid.branchQualifier);
    }

    @Override
    public int hashCode() {
      return 31 * (31 * formatId + java.util.Arrays.hashCode(globalId))
          + java.util.Arrays.hashCode(branchQualifier);
    }

    @Override
    public String toString() {
      java.util.HexFormat hex = java.util.HexFormat.of();
      return formatId + ":" + hex.formatHex(globalId) + ":" + hex.formatHex(branchQualifier);
    }
  }

  /** Commits a local transaction, acknowledging {@code acks} in it first. */
  public record Commit(int sessionId, long transaction, List<Range> acks) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.COMMIT;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(sessionId).i64(transaction).i32(acks.size());
      acks.forEach(range -> range.write(out));
    }

    static Commit decode(WireReader in) {
      return new Commit(in.i32(), in.i64(), in.list(Range.SIZE, Range::read));
    }
  }

  /**
   * Rolls a local transaction back and recovers the session as {@link MessageFrames.Recover} does:
   * {@code handed} are the messages the application saw, acknowledged in the transaction or not.
   * Answered by {@link ConnectionFrames.Ok}.
   */
  public record Rollback(int sessionId, long transaction, List<Range> handed) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.ROLLBACK;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(sessionId).i64(transaction).i32(handed.size());
      handed.forEach(range -> range.write(out));
    }

    static Rollback decode(WireReader in) {
      return new Rollback(in.i32(), in.i64(), in.list(Range.SIZE, Range::read));
    }
  }

  /** Asks what became of a local transaction. Answered by {@link Outcome}. */
  public record QueryOutcome(UUID connectionId, long transaction) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.QUERY_OUTCOME;
    }

    @Override
    public void encode(WireWriter out) {
      out.uuid(connectionId).i64(transaction);
    }

    static QueryOutcome decode(WireReader in) {
      return new QueryOutcome(in.uuid(), in.i64());
    }
  }

  /**
   * {@code committed} false means rolled back, or never heard of, which is the same to its client.
   */
  public record Outcome(boolean committed) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.OUTCOME;
    }

    @Override
    public void encode(WireWriter out) {
      out.bool(committed);
    }

    static Outcome decode(WireReader in) {
      return new Outcome(in.bool());
    }
  }

  /**
   * {@code XAResource.start}: associates the session. {@code flags} are those of XAResource, {@code
   * timeoutSeconds} 0 = the broker's default. Answered by {@link XaStarted} or {@link ErrorCode#XA}
   * with the code.
   */
  public record XaStart(int sessionId, WireXid xid, int flags, int timeoutSeconds)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.XA_START;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(sessionId);
      xid.write(out);
      out.i32(flags).i32(timeoutSeconds);
    }

    static XaStart decode(WireReader in) {
      return new XaStart(in.i32(), WireXid.read(in), in.i32(), in.i32());
    }
  }

  /** {@code handle} is negative and unique for the life of the broker's data. */
  public record XaStarted(long handle) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.XA_STARTED;
    }

    @Override
    public void encode(WireWriter out) {
      out.i64(handle);
    }

    static XaStarted decode(WireReader in) {
      return new XaStarted(in.i64());
    }
  }

  /**
   * {@code XAResource.end}, acknowledging {@code acks} in the branch first. One-way where the
   * client knows that it must succeed: a failure then shows at prepare.
   */
  public record XaEnd(int sessionId, WireXid xid, long handle, int flags, List<Range> acks)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.XA_END;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(sessionId);
      xid.write(out);
      out.i64(handle).i32(flags).i32(acks.size());
      acks.forEach(range -> range.write(out));
    }

    static XaEnd decode(WireReader in) {
      return new XaEnd(
          in.i32(), WireXid.read(in), in.i64(), in.i32(), in.list(Range.SIZE, Range::read));
    }
  }

  /** The second half of a branch's life. */
  public enum XaVerb {
    PREPARE,
    COMMIT_ONE_PHASE,
    COMMIT,
    ROLLBACK,
    FORGET;

    private static final XaVerb[] VALUES = values();

    static XaVerb of(int code) {
      if (code < 0 || code >= VALUES.length) {
        throw new WireException("unknown XA verb " + code);
      }
      return VALUES[code];
    }
  }

  /**
   * Prepare, commit, rollback or forget. {@code handle} is 0 where the client doesn't know it
   * (recovery). Answered by {@link XaDone} or {@link ErrorCode#XA}.
   */
  public record XaComplete(XaVerb verb, WireXid xid, long handle) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.XA_COMPLETE;
    }

    @Override
    public void encode(WireWriter out) {
      out.u8(verb.ordinal());
      xid.write(out);
      out.i64(handle);
    }

    static XaComplete decode(WireReader in) {
      return new XaComplete(XaVerb.of(in.u8()), WireXid.read(in), in.i64());
    }
  }

  /** {@code vote} is XA_OK (0) or XA_RDONLY (3) for prepare, else 0. */
  public record XaDone(int vote) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.XA_DONE;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(vote);
    }

    static XaDone decode(WireReader in) {
      return new XaDone(in.i32());
    }
  }

  /** Asks for all prepared and heuristically completed branches of all clients. */
  public record XaRecover() implements Frame {
    @Override
    public FrameType type() {
      return FrameType.XA_RECOVER;
    }

    @Override
    public void encode(WireWriter out) {
      // nothing to say
    }
  }

  /** Answer to {@link XaRecover}. */
  public record XaInDoubt(List<WireXid> xids) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.XA_IN_DOUBT;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(xids.size());
      xids.forEach(xid -> xid.write(out));
    }

    static XaInDoubt decode(WireReader in) {
      return new XaInDoubt(in.list(12, WireXid::read));
    }
  }
}
