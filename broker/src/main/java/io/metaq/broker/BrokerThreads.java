package io.metaq.broker;

import io.metaq.broker.engine.EngineThreads;
import io.metaq.broker.engine.Loop;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a broker beside the loop, and their end. */
final class BrokerThreads implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BrokerThreads.class);

  private static final int READERS = 2;

  private final ExecutorService journal = single("metaq-journal");
  private final ExecutorService logWriter = single("metaq-log-writer");
  private final ExecutorService bodies = single("metaq-bodies");
  private final ExecutorService background = single("metaq-background");
  private final ExecutorService readers =
      Executors.newFixedThreadPool(READERS, task -> daemon(task, "metaq-reader"));

  private static ExecutorService single(String name) {
    return Executors.newSingleThreadExecutor(task -> daemon(task, name));
  }

  static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  EngineThreads forEngine(ScheduledExecutorService loop) {
    return new EngineThreads(new EventLoop(loop), journal, logWriter, readers, bodies, background);
  }

  private record EventLoop(ScheduledExecutorService executor) implements Loop {
    @Override
    public void execute(Runnable task) {
      unlessEnded(() -> executor.execute(task));
    }

    @Override
    public void schedule(Runnable task, long delayMillis) {
      unlessEnded(() -> executor.schedule(task, delayMillis, TimeUnit.MILLISECONDS));
    }

    private void unlessEnded(Runnable submission) {
      try {
        submission.run();
      } catch (RejectedExecutionException e) {
        if (!executor.isShutdown()) {
          throw e;
        }
        // The result of work that was still under way when the broker ended: nobody waits.
        LOG.debug("the loop has ended before a task of it", e);
      }
    }
  }

  /**
   * Lets tasks that are queued finish; none is interrupted, since that closes files under others.
   */
  @Override
  public void close() {
    List<ExecutorService> all = List.of(journal, logWriter, bodies, background, readers);
    all.forEach(ExecutorService::shutdown);
    boolean interrupted = false;
    for (ExecutorService executor : all) {
      try {
        executor.awaitTermination(10, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
