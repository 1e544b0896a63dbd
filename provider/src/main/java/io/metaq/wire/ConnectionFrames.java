package io.metaq.wire;

import java.util.UUID;

/** Login, liveness, results and the end of a connection. */
public final class ConnectionFrames {
  private ConnectionFrames() {}

  /**
   * First frame of a connection. {@code connectionId} names the JMS connection and survives its
   * reconnects; {@code attempt} counts them, so that a broker knows a newer socket from a dead one.
   * {@code clientId}, {@code user} and {@code password} may be null. {@code heartbeatMillis} is the
   * longest silence the client allows itself.
   */
  public record Hello(
      int protocolVersion,
      String client,
      UUID connectionId,
      int attempt,
      String clientId,
      String user,
      String password,
      int heartbeatMillis)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.HELLO;
    }

    @Override
    public void encode(WireWriter out) {
      out.u16(protocolVersion)
          .string(client)
          .uuid(connectionId)
          .i32(attempt)
          .string(clientId)
          .string(user);
      out.string(password).i32(heartbeatMillis);
    }

    static Hello decode(WireReader in) {
      return new Hello(
          in.u16(),
          in.text(),
          in.uuid(),
          in.i32(),
          in.string(),
          in.string(),
          in.string(),
          in.i32());
    }

    @Override
    public String toString() {
      return "Hello["
          + client
          + ", "
          + connectionId
          + ", attempt "
          + attempt
          + ", clientId "
          + clientId
          + "]";
    }
  }

  /**
   * Answer to {@link Hello}. {@code brokerIdentity} names the data directory (not the address);
   * {@code generation} grows with every start of the broker on it; {@code clockMillis} is the
   * broker's clock.
   */
  public record Welcome(
      int protocolVersion,
      UUID brokerIdentity,
      int brokerId,
      long generation,
      long clockMillis,
      int heartbeatMillis,
      int maxInlineBody,
      long maxMessageSize,
      String version)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.WELCOME;
    }

    @Override
    public void encode(WireWriter out) {
      out.u16(protocolVersion).uuid(brokerIdentity).i32(brokerId).i64(generation).i64(clockMillis);
      out.i32(heartbeatMillis).i32(maxInlineBody).i64(maxMessageSize).string(version);
    }

    static Welcome decode(WireReader in) {
      return new Welcome(
          in.u16(), in.uuid(), in.i32(), in.i64(), in.i64(), in.i32(), in.i32(), in.i64(),
          in.text());
    }
  }

  /** The request was carried out. */
  public record Ok() implements Frame {
    public static final Ok INSTANCE = new Ok();

    @Override
    public FrameType type() {
      return FrameType.OK;
    }

    @Override
    public void encode(WireWriter out) {
      // nothing to say
    }
  }

  /**
   * The request was refused; with correlation 0, the connection is about to be closed for this
   * reason. {@code detail} depends on the code: an XA error code for {@link ErrorCode#XA}, a
   * character position for {@link ErrorCode#INVALID_SELECTOR}.
   */
  public record Failure(ErrorCode code, String message, int detail) implements Frame {
    public Failure(ErrorCode code, String message) {
      this(code, message, 0);
    }

    @Override
    public FrameType type() {
      return FrameType.FAILURE;
    }

    @Override
    public void encode(WireWriter out) {
      out.u16(code.code()).string(message).i32(detail);
    }

    static Failure decode(WireReader in) {
      return new Failure(ErrorCode.of(in.u16()), in.text(), in.i32());
    }
  }

  /** Sent when nothing else was within the heart-beat time; answered by the other side's own. */
  public record Heartbeat() implements Frame {
    public static final Heartbeat INSTANCE = new Heartbeat();

    @Override
    public FrameType type() {
      return FrameType.HEARTBEAT;
    }

    @Override
    public void encode(WireWriter out) {
      // nothing to say
    }
  }

  /**
   * Claims a client id after login; answered by {@link Ok} or {@link ErrorCode#INVALID_CLIENT_ID}.
   */
  public record SetClientId(String clientId) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.SET_CLIENT_ID;
    }

    @Override
    public void encode(WireWriter out) {
      out.string(clientId);
    }

    static SetClientId decode(WireReader in) {
      return new SetClientId(in.text());
    }
  }

  /**
   * Ends the connection in order: its sessions, temporary destinations and client id. Ended XA
   * branches stay.
   */
  public record Goodbye() implements Frame {
    @Override
    public FrameType type() {
      return FrameType.GOODBYE;
    }

    @Override
    public void encode(WireWriter out) {
      // nothing to say
    }
  }

  /**
   * Ends a session: its consumers close, what it had received and not acknowledged comes back
   * ({@code handed} ordinals as its consumers last reported), an open local transaction rolls back.
   * Answered by {@link Ok}.
   */
  public record CloseSession(int sessionId) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.CLOSE_SESSION;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(sessionId);
    }

    static CloseSession decode(WireReader in) {
      return new CloseSession(in.i32());
    }
  }
}
