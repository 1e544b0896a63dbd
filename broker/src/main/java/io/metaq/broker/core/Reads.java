package io.metaq.broker.core;

import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Reads under way. A failed one is asked for again after a while, so that a fault of the disk
 * delays and never skips.
 */
final class Reads {
  private static final long RETRY_MILLIS = 200;

  private record Pending(LongFunction<ReadRequest> request, Consumer<ReadResult> then) {}

  private final Effects effects;
  private final Timers timers;
  private final Moment moment;
  private final LongMap<Pending> pending = new LongMap<>();
  private long tokens;

  Reads(Effects effects, Timers timers, Moment moment) {
    this.effects = effects;
    this.timers = timers;
    this.moment = moment;
  }

  void start(LongFunction<ReadRequest> request, Consumer<ReadResult> then) {
    long token = ++tokens;
    pending.put(token, new Pending(request, then));
    effects.read(request.apply(token));
  }

  void done(ReadResult result) {
    Pending read = pending.remove(result.token());
    if (read == null) {
      return;
    }
    boolean broughtSomething = !result.records().isEmpty() || !result.dead().isEmpty();
    if (result.failure() != null && !broughtSomething) {
      timers.at(moment.now() + RETRY_MILLIS, () -> start(read.request(), read.then()));
    } else {
      read.then().accept(result);
    }
  }

  int underWay() {
    return pending.size();
  }
}
