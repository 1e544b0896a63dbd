package io.metaq.broker.store;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/** Runs tasks when a test says so, on the test's thread. */
public final class ManualExecutor implements Executor {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs what is queued, and what that queues. */
  public void runAll() {
    while (!tasks.isEmpty()) {
      tasks.remove().run();
    }
  }

  public boolean runOne() {
    if (tasks.isEmpty()) {
      return false;
    }
    tasks.remove().run();
    return true;
  }

  /** Forgets what is queued, as the end of a process does. */
  public void clear() {
    tasks.clear();
  }

  public int size() {
    return tasks.size();
  }
}
