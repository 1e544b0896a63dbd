package io.metaq.broker.sim;

import io.metaq.broker.engine.EngineClock;
import io.metaq.broker.engine.EngineThreads;
import io.metaq.broker.engine.Loop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;

/**
 * All threads and the clock of a simulated broker: one queue a thread, and chance decides whose
 * turn it is.
 */
final class SimScheduler {
  private static final long START = 1_800_000_000_000L;

  private record Timer(long at, long number, ArrayDeque<Runnable> queue, Runnable task) {}

  private final Random random;
  private final List<ArrayDeque<Runnable>> queues = new ArrayList<>();
  private final PriorityQueue<Timer> timers =
      new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
  private long now = START;
  private long timerCount;

  SimScheduler(Random random) {
    this.random = random;
  }

  /** The threads of another start of the broker; tasks of an earlier one are gone with it. */
  EngineThreads threads() {
    queues.clear();
    timers.clear();
    ArrayDeque<Runnable> loopQueue = queue();
    Loop loop =
        new Loop() {
          @Override
          public void execute(Runnable task) {
            loopQueue.add(task);
          }

          @Override
          public void schedule(Runnable task, long delayMillis) {
            timers.add(new Timer(now + delayMillis, timerCount++, loopQueue, task));
          }
        };
    return new EngineThreads(loop, executor(), executor(), executor(), executor(), executor());
  }

  private Executor executor() {
    return queue()::add;
  }

  private ArrayDeque<Runnable> queue() {
    ArrayDeque<Runnable> queue = new ArrayDeque<>();
    queues.add(queue);
    return queue;
  }

  EngineClock clock() {
    return new EngineClock(() -> now, () -> now * 1_000_000);
  }

  long now() {
    return now;
  }

  void pass(long millis) {
    now += millis;
    while (!timers.isEmpty() && timers.peek().at() <= now) {
      Timer due = timers.remove();
      due.queue().add(due.task());
    }
  }

  /** Runs one task of a thread that has any; false if none has. */
  boolean step() {
    List<ArrayDeque<Runnable>> busy = queues.stream().filter(queue -> !queue.isEmpty()).toList();
    if (busy.isEmpty()) {
      return false;
    }
    busy.get(random.nextInt(busy.size())).remove().run();
    return true;
  }

  /** Runs everything there is, letting time pass up to a bound where all threads are idle. */
  void settle(long millis) {
    long until = now + millis;
    while (true) {
      while (step()) {
        // each step may bring more
      }
      if (timers.isEmpty() || timers.peek().at() > until) {
        pass(Math.max(0, until - now));
        if (!step()) {
          return;
        }
      } else {
        pass(Math.max(0, timers.peek().at() - now));
      }
    }
  }
}
