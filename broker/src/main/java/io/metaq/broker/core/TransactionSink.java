package io.metaq.broker.core;

import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Send;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the core hands over to transactions: every frame and entry of theirs, and the ends of
 * sessions and connections. What they need back, they find in {@link TransactionWork}.
 */
interface TransactionSink {

  /** Without transactions: everything of theirs is refused. */
  TransactionSink NONE = new TransactionSink() {};

  /** A send that names a transaction; false if it must wait for room in its destination. */
  default boolean send(Session session, int correlation, Send send) {
    throw new CoreException(io.metaq.wire.ErrorCode.UNSUPPORTED, "transactions are not available");
  }

  /**
   * An acknowledgement that names a transaction. {@code ackSequence} 0 and a correlation, or
   * one-way.
   */
  default void acknowledge(
      Connection connection,
      int correlation,
      long ackSequence,
      long transaction,
      List<Range> ranges) {
    throw new CoreException(io.metaq.wire.ErrorCode.UNSUPPORTED, "transactions are not available");
  }

  /** A frame of {@link io.metaq.wire.TransactionFrames}. */
  default void frame(Connection connection, int correlation, Frame frame) {
    throw new CoreException(io.metaq.wire.ErrorCode.UNSUPPORTED, "transactions are not available");
  }

  /** An operation {@code tx.*} of an operator. */
  default void admin(
      Connection connection, int correlation, String operation, List<String> arguments) {
    throw new CoreException(io.metaq.wire.ErrorCode.UNSUPPORTED, "transactions are not available");
  }

  /** The same asked by this process itself. */
  default void administer(String operation, List<String> arguments, Consumer<AdminResult> then) {
    then.accept(new AdminResult(List.of()));
  }

  /** A session ends, before its deliveries come back: its open local transaction rolls back. */
  default void sessionEnds(Session session) {}

  /** A session was closed in order. */
  default void sessionClosed(Session session) {}

  /**
   * A send that had to wait could not be accepted; one-way, its client hears of it at the commit.
   */
  default void sendFailed(Session session, int correlation, long transaction, String why) {}

  /** A connection has logged in, perhaps again. */
  default void connectionBegins(Connection connection) {}

  /** Called about once a second. */
  default void housekeeping() {}

  /** Bytes on disk that what is prepared or committed will still need. */
  default long promisedBytes() {
    return 0;
  }

  default TransactionFigures figures() {
    return new TransactionFigures(0, 0, 0, 0, 0);
  }

  /**
   * A connection ends, before its sessions do.
   *
   * @param lost the socket is gone, as opposed to an orderly close: un-prepared branches it took
   *     part in roll back
   */
  default void connectionEnds(Connection connection, boolean lost) {}

  /** Applies an entry of transactions; {@code parts} applies what it contains. */
  default void apply(long index, Entry entry, Consumer<Entry> parts) {}

  /** Everything is given up: open and prepared work rolls back, outcomes are forgotten. */
  default void empty() {}

  /** The replay is over. */
  default void recovered() {}

  default Iterator<SnapshotUnit> snapshot(long index) {
    return List.<SnapshotUnit>of().iterator();
  }

  /** A unit of kind BRANCH or OUTCOMES. Destinations are restored before. */
  default void restore(SnapshotUnit unit) {}
}
