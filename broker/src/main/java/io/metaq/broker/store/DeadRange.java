package io.metaq.broker.store;

/**
 * Records of a partition log that cannot be read any more: never delivered, never silently passed
 * over.
 *
 * @param fromSeq the first dead sequence
 * @param toSeq the first sequence behind the range
 * @param fromOffset the byte offset of the first dead record
 * @param toOffset the byte offset behind the range
 */
public record DeadRange(long fromSeq, long toSeq, long fromOffset, long toOffset) {
  public DeadRange {
    if (fromSeq >= toSeq || fromOffset > toOffset) {
      throw new IllegalArgumentException(
          "not a range: " + fromSeq + ".." + toSeq + ", bytes " + fromOffset + ".." + toOffset);
    }
  }

  public boolean containsSeq(long seq) {
    return seq >= fromSeq && seq < toSeq;
  }
}
