package io.metaq.tck.peers.load;

import io.metaq.tck.peers.Figure;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * What the threads of a workload count. Times and the rate are taken while the window is open,
 * totals always: the flow control and the count of what is missing need them.
 */
final class Meter {

  private static final int DIGITS = 3;
  private static final double MICROS = 1e3;

  private final LongAdder sent = new LongAdder();
  private final LongAdder received = new LongAdder();
  private final LongAdder inWindow = new LongAdder();
  private final Recorder sendTimes = new Recorder(DIGITS);
  private final Recorder journeyTimes = new Recorder(DIGITS);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile boolean open;

  void sending() {
    sent.increment();
  }

  void sendTook(long nanos) {
    if (open) {
      sendTimes.recordValue(Math.max(0, nanos));
    }
  }

  void received(long nanos) {
    received.increment();
    if (open) {
      inWindow.increment();
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

  /** Lets the load warm up, measures, and reports. */
  void measure(Timing timing, Outlet outlet) throws Exception {
    pause(timing.warmup());
    stopOnFailure();
    sendTimes.reset();
    journeyTimes.reset();
    outlet.opened();
    long begin = System.nanoTime();
    open = true;
    pause(timing.seconds());
    open = false;
    double seconds = (System.nanoTime() - begin) / 1e9;
    outlet.closed();
    stopOnFailure();
    outlet.figure(Figure.RATE, inWindow.sum() / seconds);
    outlet.figure(Figure.MESSAGES, inWindow.sum());
    percentiles(outlet, sendTimes, Figure.SEND_P50, Figure.SEND_P99);
    percentiles(outlet, journeyTimes, Figure.END_P50, Figure.END_P99);
  }

  private static void percentiles(Outlet outlet, Recorder times, Figure half, Figure most) {
    Histogram histogram = times.getIntervalHistogram();
    if (histogram.getTotalCount() > 0) {
      outlet.figure(half, histogram.getValueAtPercentile(50) / MICROS);
      outlet.figure(most, histogram.getValueAtPercentile(99) / MICROS);
    }
  }

  private void stopOnFailure() throws Exception {
    if (failure.get() != null) {
      throw new Exception("the load failed: " + failure.get(), failure.get());
    }
  }

  private static void pause(double seconds) throws InterruptedException {
    TimeUnit.MICROSECONDS.sleep((long) (seconds * 1e6));
  }
}
