package io.metaq.broker.core;

import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;

/**
 * Which sequences of a lane a subscription is done with: all below a watermark, and a set above it.
 * In-order acknowledgement touches the watermark only.
 */
final class AckSet {
  private long watermark;
  private SequenceSet above = new SequenceSet();

  AckSet(long watermark) {
    this.watermark = watermark;
  }

  /** Lowest sequence that is not acknowledged. */
  long watermark() {
    return watermark;
  }

  boolean contains(long sequence) {
    return sequence < watermark || above.contains(sequence);
  }

  /** Both ends included. */
  void add(long first, long last) {
    if (last < watermark) {
      return;
    }
    if (first <= watermark) {
      watermark = last + 1;
      if (!above.isEmpty()) {
        watermark = above.nextAbsent(watermark);
        above.removeBelow(watermark);
      }
    } else if (first == last) {
      above.add(first);
    } else {
      above.add(first, last);
    }
  }

  /** Smallest sequence at or above that is not acknowledged. */
  long nextAbsent(long sequence) {
    return above.isEmpty()
        ? Math.max(sequence, watermark)
        : above.nextAbsent(Math.max(sequence, watermark));
  }

  /** How many of the sequences in the range (both ends included) are not acknowledged. */
  long missing(long first, long last) {
    long from = Math.max(first, watermark);
    return last < from ? 0 : last - from + 1 - (above.isEmpty() ? 0 : above.count(from, last));
  }

  void encode(WireWriter out) {
    out.i64(watermark);
    above.encode(out);
  }

  static AckSet decode(WireReader in) {
    AckSet set = new AckSet(in.i64());
    set.above = SequenceSet.decode(in);
    return set;
  }
}
