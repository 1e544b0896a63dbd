package io.metaq.broker.cli.perf;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What senders and receivers count, shared by all their threads. Times are kept only while a window
 * is open; the totals of messages always, since the flow control and the final count need them.
 */
final class Measurement {

  private static final int DIGITS = 3;

  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final Recorder sendTimes = new Recorder(DIGITS);
  private final Recorder journeyTimes = new Recorder(DIGITS);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean open;

  void sent(int messages, long nanos) {
    sent.add(messages);
    if (open) {
      sendTimes.recordValue(nanos);
    }
  }

  void received(long nanos) {
    received.increment();
    if (open) {
      journeyTimes.recordValue(Math.max(0, nanos));
    }
  }

  void failed(Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  Optional<Throwable> failure() {
    return Optional.ofNullable(failure.get());
  }

  long sentInAll() {
    return sent.sum();
  }

  long receivedInAll() {
    return received.sum();
  }

  void openWindow() {
    sendTimes.reset();
    journeyTimes.reset();
    open = true;
  }

  void closeWindow() {
    open = false;
  }

  Histogram sendTimes() {
    return sendTimes.getIntervalHistogram();
  }

  Histogram journeyTimes() {
    return journeyTimes.getIntervalHistogram();
  }
}
