package io.metaq.broker.core;

import java.util.PriorityQueue;

/** What is to be done at a time. Equal times run in the order they were asked for. */
final class Timers {
  /** A pending action. */
  static final class Timer implements Comparable<Timer> {
    private final long at;
    private final long number;
    private Runnable action;

    private Timer(long at, long number, Runnable action) {
      this.at = at;
      this.number = number;
      this.action = action;
    }

    void cancel() {
      action = null;
    }

    @Override
    public int compareTo(Timer other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(number, other.number);
    }
  }

  private static final int MOST_PER_TICK = 1000;

  private final PriorityQueue<Timer> queue = new PriorityQueue<>();
  private long numbers;

  Timer at(long time, Runnable action) {
    Timer timer = new Timer(time, numbers++, action);
    queue.add(timer);
    return timer;
  }

  /** Runs what is due, so many at most. */
  void run(long now) {
    for (int run = 0; run < MOST_PER_TICK && !queue.isEmpty() && queue.peek().at <= now; run++) {
      Timer timer = queue.poll();
      if (timer.action != null) {
        timer.action.run();
      }
    }
  }

  /** When to come again. */
  long next() {
    while (!queue.isEmpty() && queue.peek().action == null) {
      queue.poll();
    }
    return queue.isEmpty() ? Long.MAX_VALUE : queue.peek().at;
  }
}
