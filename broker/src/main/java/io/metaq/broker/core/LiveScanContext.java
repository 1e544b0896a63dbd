package io.metaq.broker.core;

import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Ties scans to the rest of the living core. */
final class LiveScanContext implements ScanContext {
  private final Redelivery redelivery;
  private final Skipped skipped;
  private final Reads reads;
  private final Dispatcher dispatcher;
  private long evaluations;

  LiveScanContext(Redelivery redelivery, Skipped skipped, Reads reads, Dispatcher dispatcher) {
    this.redelivery = redelivery;
    this.skipped = skipped;
    this.reads = reads;
    this.dispatcher = dispatcher;
  }

  long evaluations() {
    return evaluations;
  }

  @Override
  public void evaluated() {
    evaluations++;
  }

  @Override
  public void rest(Delivery delivery, long until) {
    redelivery.rest(delivery, until);
  }

  @Override
  public void skipped(Subscription subscription, int lane, long first, long last) {
    skipped.skip(subscription, lane, first, last);
  }

  @Override
  public void dead(Subscription subscription, int lane, ReadResult.Dead dead) {
    skipped.skip(subscription, lane, dead.first(), dead.last());
  }

  @Override
  public void read(LongFunction<ReadRequest> request, Consumer<ReadResult> then) {
    reads.start(request, then);
  }

  @Override
  public void wake(Subscription subscription) {
    dispatcher.ready(subscription);
  }
}
