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
  private final Recorder recorder;
  private long next;

  Housekeeping(
      Moment moment, Producers producers, Skipped skipped, Retention retention, Recorder recorder) {
    this.moment = moment;
    this.producers = producers;
    this.skipped = skipped;
    this.retention = retention;
    this.recorder = recorder;
  }

  void run() {
    skipped.flush();
    if (moment.now() < next) {
      return;
    }
    next = moment.now() + PERIOD_MILLIS;
    retention.run();
    List<UUID> due = producers.due(moment.now());
    if (!due.isEmpty()) {
      recorder.record(new Entry.ProducersForgotten(due), false);
    }
  }
}
