package io.metaq.wire;

/** Consumers, browsers and the subscriptions behind them. */
public final class SubscriptionFrames {
  private SubscriptionFrames() {}

  /** What stands behind a consumer. */
  public enum SubscriptionKind {
    QUEUE,
    BROWSER,
    NON_DURABLE,
    SHARED_NON_DURABLE,
    DURABLE,
    SHARED_DURABLE;

    private static final SubscriptionKind[] VALUES = values();

    public boolean isDurable() {
      return this == DURABLE || this == SHARED_DURABLE;
    }

    public boolean isShared() {
      return this == SHARED_NON_DURABLE || this == SHARED_DURABLE;
    }

    static SubscriptionKind of(int code) {
      if (code < 0 || code >= VALUES.length) {
        throw new WireException("unknown subscription kind " + code);
      }
      return VALUES[code];
    }
  }

  /**
   * Creates a consumer under an id that the client chooses, unique within the connection. {@code
   * subscriptionName} is null for queues, browsers and plain non-durable consumers; the client id
   * that belongs to the name is the connection's. {@code selector} is null for none. {@code
   * priority} orders the consumers of a queue, higher first, default 0. A topic name with {@code *}
   * (one level) or {@code >} (all below) subscribes to all matching topics, also future ones.
   * Begins without credit. Answered by {@link Consuming}; a browser's end is what the queue holds
   * now.
   */
  public record Consume(
      int consumerId,
      int sessionId,
      SubscriptionKind kind,
      DestinationKind destinationKind,
      String destination,
      String subscriptionName,
      String selector,
      boolean noLocal,
      boolean exclusive,
      int priority)
      implements Frame {
    @Override
    public FrameType type() {
      return FrameType.CONSUME;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(consumerId)
          .i32(sessionId)
          .u8(kind.ordinal())
          .u8(destinationKind.ordinal())
          .string(destination);
      out.string(subscriptionName).string(selector).bool(noLocal).bool(exclusive).i32(priority);
    }

    static Consume decode(WireReader in) {
      return new Consume(
          in.i32(),
          in.i32(),
          SubscriptionKind.of(in.u8()),
          DestinationKind.of(in.u8()),
          in.text(),
          in.string(),
          in.string(),
          in.bool(),
          in.bool(),
          in.i32());
    }
  }

  /**
   * The consumer stands. {@code subscriptionId} names this incarnation of its subscription (0 for a
   * wildcard).
   */
  public record Consuming(long subscriptionId) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.CONSUMING;
    }

    @Override
    public void encode(WireWriter out) {
      out.i64(subscriptionId);
    }

    static Consuming decode(WireReader in) {
      return new Consuming(in.i64());
    }
  }

  /**
   * Closes a consumer. Deliveries after {@code handedOrdinal} go back unseen; earlier
   * un-acknowledged ones stay with the session. A delivery that reaches the client before the
   * answer, {@link ConnectionFrames.Ok}, is void.
   */
  public record CloseConsumer(int consumerId, long handedOrdinal) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.CLOSE_CONSUMER;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(consumerId).i64(handedOrdinal);
    }

    static CloseConsumer decode(WireReader in) {
      return new CloseConsumer(in.i32(), in.i64());
    }
  }

  /**
   * Stops a consumer: like {@link CloseConsumer}, but the consumer stays, without credit
   * (connection stop). Answered by {@link ConnectionFrames.Ok}.
   */
  public record StopConsumer(int consumerId, long handedOrdinal) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.STOP_CONSUMER;
    }

    @Override
    public void encode(WireWriter out) {
      out.i32(consumerId).i64(handedOrdinal);
    }

    static StopConsumer decode(WireReader in) {
      return new StopConsumer(in.i32(), in.i64());
    }
  }

  /** Deletes a durable subscription of this connection's client id (or of none). */
  public record Unsubscribe(String subscriptionName) implements Frame {
    @Override
    public FrameType type() {
      return FrameType.UNSUBSCRIBE;
    }

    @Override
    public void encode(WireWriter out) {
      out.string(subscriptionName);
    }

    static Unsubscribe decode(WireReader in) {
      return new Unsubscribe(in.text());
    }
  }
}
