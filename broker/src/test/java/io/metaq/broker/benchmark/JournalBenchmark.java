package io.metaq.broker.benchmark;

import io.metaq.broker.store.FileDisk;
import io.metaq.broker.store.Journal;
import io.metaq.broker.store.JournalListener;
import io.metaq.broker.store.JournalRecovery;
import io.metaq.broker.store.JournalSettings;
import io.metaq.broker.store.RecoveryMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The journal under senders that each wait for the force of their message before the next: messages
 * a second, and how many of them share a force. The data stands in the folder {@code
 * java.io.tmpdir} names; give one on the disk to be measured.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class JournalBenchmark {

  private static final int MESSAGE = 1024;

  @Param({"1", "16", "256"})
  public int senders;

  /** Reported beside the rate of messages; messages / forces is the size of a group. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Counted {
    public long forces;
  }

  private final BlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
  private final ExecutorService journalThread = Executors.newSingleThreadExecutor();
  private final ExecutorService background = Executors.newSingleThreadExecutor();
  private final ByteBuffer message = ByteBuffer.allocate(MESSAGE);
  private Path folder;
  private Journal journal;
  private Throwable failure;
  private long forced;
  private long counted;

  @Setup(Level.Trial)
  public void open() throws IOException {
    folder = Files.createTempDirectory("journal");
    FileDisk disk = new FileDisk(folder);
    JournalSettings settings = JournalSettings.defaults();
    journal =
        new Journal(
            disk,
            settings,
            JournalRecovery.recover(
                disk, settings.directory(), 0, 0, RecoveryMode.STRICT, (index, epoch, bytes) -> {}),
            journalThread,
            background,
            loop::add,
            System::nanoTime,
            new JournalListener() {
              @Override
              public void onForced(long index) {
                forced = index;
                journal.free(index);
              }

              @Override
              public void onFatal(Throwable cause) {
                failure = cause;
              }
            });
    forced = journal.lastIndex();
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    journal.close();
    journalThread.shutdown();
    background.shutdown();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** One message of one of the senders: sent as soon as one of them has its answer. */
  @Benchmark
  public long messages(Counted aside) throws InterruptedException {
    while (journal.lastIndex() - forced >= senders) {
      loop.take().run();
    }
    if (failure != null) {
      throw new IllegalStateException("the journal failed", failure);
    }
    long index = journal.append(message.duplicate());
    if (index - forced >= senders) {
      journal.pump(Journal.Demand.FORCE);
    }
    long forces = journal.stats().forces();
    aside.forces += forces - counted;
    counted = forces;
    return index;
  }
}
