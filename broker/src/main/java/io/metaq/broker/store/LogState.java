package io.metaq.broker.store;

import java.util.List;

/**
 * What the snapshot knows of a partition log: enough to open it without reading it.
 *
 * @param segments oldest first; empty for a log that never held a record
 * @param nextSeq of the next record
 * @param endOffset where it will stand
 * @param forcedSeq records below it are durable in the log's own files
 * @param forcedOffset the same as a byte offset
 * @param dead damaged ranges, in order
 */
public record LogState(
    List<SegmentStart> segments,
    long nextSeq,
    long endOffset,
    long forcedSeq,
    long forcedOffset,
    List<DeadRange> dead) {

  public LogState {
    segments = List.copyOf(segments);
    dead = List.copyOf(dead);
  }

  /** Where a segment begins. */
  public record SegmentStart(long offset, long firstSeq) {}

  /**
   * A log without records that will begin at a place (0 and 0, or where an earlier incarnation
   * ended).
   */
  public static LogState empty(long nextSeq, long endOffset) {
    return new LogState(List.of(), nextSeq, endOffset, nextSeq, endOffset, List.of());
  }
}
