package io.metaq.broker;

import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.core.Adoption;
import io.metaq.broker.engine.Engine;
import io.metaq.broker.engine.EngineClock;
import io.metaq.broker.engine.EngineFactory;
import io.metaq.broker.engine.Login;
import io.metaq.broker.engine.Network;
import io.metaq.broker.store.FileDisk;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** A broker that nobody can connect to, for work on a data directory. One thread at a time. */
final class OfflineBroker implements AutoCloseable {
  private final BrokerThreads threads = new BrokerThreads();
  private final ScheduledExecutorService loop =
      Executors.newSingleThreadScheduledExecutor(task -> BrokerThreads.daemon(task, "metaq-loop"));
  private final CompletableFuture<Void> fatal = new CompletableFuture<>();
  private final Engine engine;

  OfflineBroker(BrokerConfig config) throws IOException {
    EngineFactory factory =
        new EngineFactory(
            EngineConfig.settings(config, "offline"),
            threads.forEngine(loop),
            EngineClock.system(),
            new NoNetwork(),
            Login.OPEN,
            fatal::completeExceptionally);
    boolean started = false;
    try {
      engine = factory.start(new FileDisk(config.dataPath()), UUID::randomUUID);
      started = true;
    } finally {
      if (!started) {
        endThreads();
      }
    }
  }

  /** Takes over records of another broker; they are durable when this returns. */
  void adopt(Consumer<Adoption> records) throws IOException {
    await(engine.adopt(records));
  }

  private void await(CompletableFuture<Void> work) throws IOException {
    try {
      CompletableFuture.anyOf(work, fatal).get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Ends with a checkpoint, so that the next start has nothing to replay. */
  @Override
  public void close() throws IOException {
    try {
      await(engine.shutDown());
    } finally {
      endThreads();
      engine.close();
    }
  }

  private void endThreads() {
    threads.close();
    loop.shutdownNow();
  }

  private static final class NoNetwork implements Network {
    @Override
    public void send(int connection, int correlation, Frame frame) {}

    @Override
    public void flush() {}

    @Override
    public void close(int connection, ErrorCode code, String why) {}

    @Override
    public void pauseReading(int connection, boolean paused) {}

    @Override
    public void pauseReading(boolean paused) {}
  }
}
