package io.metaq.ra.support;

import jakarta.resource.spi.BootstrapContext;
import jakarta.resource.spi.XATerminator;
import jakarta.resource.spi.work.ExecutionContext;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkContext;
import jakarta.resource.spi.work.WorkException;
import jakarta.resource.spi.work.WorkListener;
import jakarta.resource.spi.work.WorkManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.Timer;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** A container that has threads and nothing else. */
public final class FakeContainer implements BootstrapContext, WorkManager, AutoCloseable {
  private final ExecutorService threads;

  /** The context class loaders of the threads that work was scheduled from. */
  public final Set<ClassLoader> schedulers = ConcurrentHashMap.newKeySet();

  private final WorkManager ofItsOwnLoader =
      (WorkManager)
          Proxy.newProxyInstance(
              new ClassLoader(FakeContainer.class.getClassLoader()) {},
              new Class<?>[] {WorkManager.class},
              (proxy, method, arguments) -> {
                schedulers.add(Thread.currentThread().getContextClassLoader());
                return method.invoke(this, arguments);
              });

  /** With as many threads as are asked for. */
  public FakeContainer() {
    threads = Executors.newCachedThreadPool(daemons());
  }

  /** With a bounded number of threads. */
  public FakeContainer(int size) {
    threads = Executors.newFixedThreadPool(size, daemons());
  }

  private static ThreadFactory daemons() {
    return task -> {
      Thread thread = new Thread(task, "container");
      thread.setDaemon(true);
      return thread;
    };
  }

  @Override
  public void scheduleWork(Work work) {
    threads.execute(work);
  }

  @Override
  public void scheduleWork(
      Work work, long timeout, ExecutionContext context, WorkListener listener) {
    threads.execute(work);
  }

  @Override
  public long startWork(Work work) throws WorkException {
    throw new WorkException("This would wait for a thread");
  }

  @Override
  public long startWork(Work work, long timeout, ExecutionContext context, WorkListener listener)
      throws WorkException {
    throw new WorkException("This would wait for a thread");
  }

  @Override
  public void doWork(Work work) throws WorkException {
    throw new WorkException("Never to be used by this adapter");
  }

  @Override
  public void doWork(Work work, long timeout, ExecutionContext context, WorkListener listener)
      throws WorkException {
    throw new WorkException("Never to be used by this adapter");
  }

  /** Of a class that is the container's, as the adapter's are not. */
  @Override
  public WorkManager getWorkManager() {
    return ofItsOwnLoader;
  }

  @Override
  public XATerminator getXATerminator() {
    throw new UnsupportedOperationException("Never to be used by this adapter");
  }

  @Override
  public Timer createTimer() {
    throw new UnsupportedOperationException("Never to be used by this adapter");
  }

  @Override
  public boolean isContextSupported(Class<? extends WorkContext> type) {
    return false;
  }

  @Override
  public TransactionSynchronizationRegistry getTransactionSynchronizationRegistry() {
    throw new UnsupportedOperationException("Never to be used by this adapter");
  }

  /** Whether all work has ended, or ends within the given time. */
  public boolean isIdleWithin(long seconds) throws InterruptedException {
    threads.shutdown();
    return threads.awaitTermination(seconds, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
