package io.metaq.broker.store;

import io.metaq.broker.store.SegmentLookup.Bounds;
import java.util.List;

/** What readers of a partition log see; replaced as a whole when the log changes. */
record LogView(Segment[] segments, long nextSeq, long endOffset, List<DeadRange> dead) {
  int segmentOfSeq(long seq) {
    int low = 0;
    int high = segments.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (segments[middle].firstSeq() <= seq) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  Bounds bounds(int segment) {
    boolean last = segment == segments.length - 1;
    return last
        ? new Bounds(endOffset, nextSeq, dead)
        : new Bounds(segments[segment + 1].offset(), segments[segment + 1].firstSeq(), dead);
  }

  long firstSeq() {
    return segments.length == 0 ? nextSeq : segments[0].firstSeq();
  }
}
