package io.metaq.broker.core;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Reads under way. A failed one is asked for again after a while, so that a fault of the disk
 * delays and never skips.
 */
final class Reads {
  private static final long RETRY_MILLIS = 200;

  private record Pending(LongFunction<ReadRequest> request, long from, Consumer<ReadResult> then) {}

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
    ReadRequest made = request.apply(token);
    pending.put(token, new Pending(request, made.from(), then));
    effects.read(made);
  }

  /** One record; null if it is lost to corruption. */
  void one(Destination destination, int lane, long sequence, Consumer<ByteBuffer> then) {
    start(
        token ->
            new ReadRequest(
                token,
                destination.id,
                lane,
                sequence,
                sequence + 1,
                null,
                null,
                1,
                Integer.MAX_VALUE,
                1),
        result -> then.accept(result.records().isEmpty() ? null : result.records().get(0).bytes()));
  }

  void done(ReadResult result) {
    Pending read = pending.remove(result.token());
    if (read == null) {
      return;
    }
    boolean broughtSomething = !result.records().isEmpty() || !result.dead().isEmpty();
    boolean gotOn = result.failure() == null && result.scannedTo() > read.from();
    if (!broughtSomething && !gotOn) {
      timers.at(moment.now() + RETRY_MILLIS, () -> start(read.request(), read.then()));
    } else {
      read.then().accept(result);
    }
  }

  int underWay() {
    return pending.size();
  }
}
