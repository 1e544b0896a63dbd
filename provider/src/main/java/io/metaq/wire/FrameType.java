package io.metaq.wire;

import java.util.function.Function;

/** All frames of protocol version 1 with their numbers. */
public enum FrameType {
  HELLO(1, ConnectionFrames.Hello::decode),
  WELCOME(2, ConnectionFrames.Welcome::decode),
  OK(3, in -> ConnectionFrames.Ok.INSTANCE),
  FAILURE(4, ConnectionFrames.Failure::decode),
  HEARTBEAT(5, in -> ConnectionFrames.Heartbeat.INSTANCE),
  SET_CLIENT_ID(6, ConnectionFrames.SetClientId::decode),
  GOODBYE(7, in -> new ConnectionFrames.Goodbye()),
  CLOSE_SESSION(8, ConnectionFrames.CloseSession::decode),
  RESOLVE(16, DestinationFrames.Resolve::decode),
  RESOLVED(17, DestinationFrames.Resolved::decode),
  DELETE(18, DestinationFrames.Delete::decode),
  SEND(32, MessageFrames.Send::decode),
  UPLOAD_CHUNK(33, MessageFrames.UploadChunk::decode),
  READ_BODY(34, MessageFrames.ReadBody::decode),
  BODY_CHUNK(35, MessageFrames.BodyChunk::decode),
  CREDIT(36, MessageFrames.Credit::decode),
  DRAINED(37, MessageFrames.Drained::decode),
  DELIVER(38, MessageFrames.Deliver::decode),
  HANDED(39, MessageFrames.Handed::decode),
  ACK(40, MessageFrames.Ack::decode),
  ACK_CONFIRMED(41, MessageFrames.AckConfirmed::decode),
  RELEASE(42, MessageFrames.Release::decode),
  RECOVER(43, MessageFrames.Recover::decode),
  CONSUME(48, SubscriptionFrames.Consume::decode),
  CONSUMING(49, SubscriptionFrames.Consuming::decode),
  CLOSE_CONSUMER(50, SubscriptionFrames.CloseConsumer::decode),
  STOP_CONSUMER(51, SubscriptionFrames.StopConsumer::decode),
  UNSUBSCRIBE(52, SubscriptionFrames.Unsubscribe::decode),
  COMMIT(64, TransactionFrames.Commit::decode),
  ROLLBACK(65, TransactionFrames.Rollback::decode),
  QUERY_OUTCOME(66, TransactionFrames.QueryOutcome::decode),
  OUTCOME(67, TransactionFrames.Outcome::decode),
  XA_START(72, TransactionFrames.XaStart::decode),
  XA_STARTED(73, TransactionFrames.XaStarted::decode),
  XA_END(74, TransactionFrames.XaEnd::decode),
  XA_COMPLETE(75, TransactionFrames.XaComplete::decode),
  XA_DONE(76, TransactionFrames.XaDone::decode),
  XA_RECOVER(77, in -> new TransactionFrames.XaRecover()),
  XA_IN_DOUBT(78, TransactionFrames.XaInDoubt::decode),
  ADMIN(96, AdminFrames.Admin::decode),
  ADMIN_RESULT(97, AdminFrames.AdminResult::decode);

  private static final FrameType[] BY_CODE = new FrameType[256];

  static {
    for (FrameType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;
  private final Function<WireReader, Frame> reader;

  FrameType(int code, Function<WireReader, Frame> reader) {
    this.code = code;
    this.reader = reader;
  }

  public int code() {
    return code;
  }

  Frame read(WireReader in) {
    return reader.apply(in);
  }

  static FrameType of(int code) {
    FrameType type = BY_CODE[code];
    if (type == null) {
      throw new WireException("unknown frame type " + code);
    }
    return type;
  }
}
