package io.metaq.broker.core;

import java.util.function.Consumer;
import java.util.function.LongFunction;

/** What scans need of the rest of the core. */
interface ScanContext {
  /** A selector was evaluated in here (readers count theirs). */
  void evaluated();

  /** Comes back to the subscription's scans when its time has come. */
  void rest(Delivery delivery, long until);

  /** Sequences (both ends included) that this subscription will never deliver. */
  void skipped(Subscription subscription, int lane, long first, long last);

  /** Sequences that are lost to corruption. */
  void dead(Subscription subscription, int lane, ReadResult.Dead dead);

  /** Reads; a failed read is repeated later by itself, what it brought before is handed over. */
  void read(LongFunction<ReadRequest> request, Consumer<ReadResult> then);

  /** There may be something to dispatch. */
  void wake(Subscription subscription);
}
