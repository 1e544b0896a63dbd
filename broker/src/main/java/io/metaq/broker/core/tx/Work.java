package io.metaq.broker.core.tx;

import io.metaq.wire.MessageFrames.Range;
import java.util.ArrayList;
import java.util.List;

/**
 * What one transaction has gathered: messages to be placed and acknowledgements to be made, in
 * order. {@code owner} is its name towards subscriptions, which hold what it acknowledges.
 */
final class Work {
  private final long owner;
  private final List<PendingSend> sends = new ArrayList<>();
  private final List<Range> acknowledged = new ArrayList<>();
  private long bytes;

  Work(long owner) {
    this.owner = owner;
  }

  long owner() {
    return owner;
  }

  void add(PendingSend send) {
    sends.add(send);
    bytes += send.size();
  }

  void acknowledge(List<Range> ranges) {
    acknowledged.addAll(ranges);
  }

  List<PendingSend> sends() {
    return sends;
  }

  List<Range> acknowledged() {
    return acknowledged;
  }

  /** Bytes of message content held in memory. */
  long bytes() {
    return bytes;
  }

  boolean isEmpty() {
    return sends.isEmpty() && acknowledged.isEmpty();
  }
}
