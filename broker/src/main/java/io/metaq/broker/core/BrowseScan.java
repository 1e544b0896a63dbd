package io.metaq.broker.core;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Predicate;

/**
 * The scan of a browser: sees what is out with consumers or rests too, takes nothing, and ends
 * where the queue ended when it began.
 */
final class BrowseScan extends Scan {
  private final long[] ends;
  private Runnable wake = () -> {};

  BrowseScan(Subscription subscription, Predicate<ByteBuffer> filter, ScanContext context) {
    super(subscription, filter, context);
    ends = new long[subscription.laneCount()];
    for (int i = 0; i < ends.length; i++) {
      ends[i] = subscription.destination.lane(i - 1).next;
    }
  }

  void onWake(Runnable action) {
    wake = action;
  }

  @Override
  boolean isFree(int lane, long sequence) {
    return sequence < ends[lane + 1] && !subscription.lane(lane).acked.contains(sequence);
  }

  @Override
  long passTaken(int lane, long sequence) {
    return sequence >= ends[lane + 1]
        ? subscription.destination.lane(lane).next
        : subscription.lane(lane).acked.nextAbsent(sequence + 1);
  }

  @Override
  void found(Delivery delivery, ArrayDeque<Delivery> ahead) {
    ahead.add(delivery);
  }

  @Override
  void passOver(int lane, long first, long last) {
    // it only looks
  }

  @Override
  void wakeOthers() {
    wake.run();
  }
}
