package io.metaq.broker.core;

import java.util.List;
import java.util.UUID;

/** What is looked after now and then rather than at every message. */
final class Housekeeping {
  private static final long PERIOD_MILLIS = 1000;

  private final Moment moment;
  private final Producers producers;
  private final Skipped skipped;
  private final Retention retention;
  private final DelayedMessages delayed;
  private final Expiry expiry;
  private final Recorder recorder;
  private final TransactionSink transactions;
  private long next;

  Housekeeping(
      Moment moment,
      Producers producers,
      Skipped skipped,
      Retention retention,
      DelayedMessages delayed,
      Expiry expiry,
      Recorder recorder,
      TransactionSink transactions) {
    this.moment = moment;
    this.producers = producers;
    this.skipped = skipped;
    this.retention = retention;
    this.delayed = delayed;
    this.expiry = expiry;
    this.recorder = recorder;
    this.transactions = transactions;
  }

  void run() {
    delayed.run();
    expiry.run();
    skipped.flush();
    if (moment.now() >= next) {
      next = moment.now() + PERIOD_MILLIS;
      periodic();
    }
  }

  /** When to come again. */
  long next() {
    return Math.min(next, Math.min(delayed.next(), expiry.next()));
  }

  private void periodic() {
    delayed.load();
    retention.run();
    transactions.housekeeping();
    List<UUID> due = producers.due(moment.now());
    if (!due.isEmpty()) {
      recorder.record(new Entry.ProducersForgotten(due), false);
    }
  }
}
