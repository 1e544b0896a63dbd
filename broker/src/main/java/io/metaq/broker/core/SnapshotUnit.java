package io.metaq.broker.core;

import java.nio.ByteBuffer;

/**
 * One object of the core as a checkpoint stores it: taken between two commands, reflecting every
 * entry up to {@code index}. Replay skips, for this object only, what it already reflects.
 *
 * @param changedAt index of the last entry that changed it: equal to that of a former checkpoint's
 *     unit of the same (kind, id), the bytes are the same too
 */
public record SnapshotUnit(Kind kind, long id, long index, long changedAt, ByteBuffer bytes) {

  /** What a unit holds. The ordinals are stored: only append. */
  public enum Kind {
    /** Ids handed out, positions of deleted destinations, durable subscriptions on patterns. */
    DIRECTORY,
    DESTINATION,
    /** Who sent up to where. */
    PRODUCERS,
    /** Outcomes of local transactions. */
    OUTCOMES,
    BRANCH,
    /** Committed messages that have no places yet. */
    EXTENTS
  }
}
