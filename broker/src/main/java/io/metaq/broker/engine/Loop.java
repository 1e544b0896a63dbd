package io.metaq.broker.engine;

import java.util.concurrent.Executor;

/** The thread that owns the core, seen from the engine: a queue of tasks, and timers. */
public interface Loop extends Executor {

  /** Runs a task on the loop after a while. */
  void schedule(Runnable task, long delayMillis);
}
