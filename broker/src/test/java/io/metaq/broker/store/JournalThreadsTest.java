package io.metaq.broker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.store.Journal.Demand;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The journal with real threads: the loop appends while the journal thread forces. */
class JournalThreadsTest {
  private final ExecutorService journalThread = Executors.newSingleThreadExecutor();
  private final ExecutorService background = Executors.newSingleThreadExecutor();
  private final LinkedBlockingQueue<Runnable> loop = new LinkedBlockingQueue<>();
  private final AtomicLong forced = new AtomicLong();
  private final AtomicLong reports = new AtomicLong();

  @TempDir private Path temp;

  @AfterEach
  void stopThreads() {
    journalThread.shutdownNow();
    background.shutdownNow();
  }

  private Journal open(Disk disk, JournalSettings settings, JournalTail tail) throws IOException {
    return new Journal(
        disk,
        settings,
        tail,
        journalThread,
        background,
        loop::add,
        System::nanoTime,
        new JournalListener() {
          @Override
          public void onForced(long index) {
            assertThat(index).isGreaterThan(forced.get());
            forced.set(index);
            reports.incrementAndGet();
          }

          @Override
          public void onFatal(Throwable cause) {
            throw new AssertionError(cause);
          }
        });
  }

  private static JournalTail recover(Disk disk, EntryReader reader) throws IOException {
    return JournalRecovery.recover(disk, "journal", 0, 0, RecoveryMode.STRICT, reader);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void manyEntriesOverManyFilesAllComeBack(boolean inline) throws Exception {
    FileDisk disk = new FileDisk(temp);
    JournalSettings settings =
        JournalSettings.defaults().withFiles(1 << 20, 64 << 10).withInlineForce(inline);
    Journal journal = open(disk, settings, recover(disk, (index, epoch, payload) -> {}));
    Random random = new Random(5);
    int entries = 6000;
    for (int i = 1; i <= entries; i++) {
      ByteBuffer payload = ByteBuffer.allocate(8 + random.nextInt(2000)).putLong(0, i);
      assertThat(journal.append(payload)).isEqualTo(i);
      if (random.nextInt(20) == 0) {
        journal.pump(Demand.FORCE);
      }
      for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
        task.run();
      }
    }
    journal.pump(Demand.FORCE);
    while (forced.get() < entries) {
      loop.poll(60, TimeUnit.SECONDS).run();
    }
    journal.close();
    assertThat(journal.stats().files()).isGreaterThan(3);

    AtomicLong next = new AtomicLong(1);
    recover(
        disk,
        (index, epoch, payload) -> {
          assertThat(index).isEqualTo(next.getAndIncrement());
          assertThat(payload.getLong(0)).isEqualTo(index);
        });
    assertThat(next.get()).isEqualTo(entries + 1);
  }

  /**
   * The disk stands still: the loop does not, and all that came meanwhile goes out with one force.
   */
  @Test
  void aStalledDiskDoesNotHoldTheLoop() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    Journal journal =
        open(disk, JournalHarness.SMALL.withInlineForce(false), recover(disk, (i, e, p) -> {}));
    AtomicReference<Thread> writing = new AtomicReference<>();
    journalThread.submit(() -> writing.set(Thread.currentThread())).get();
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    disk.before(
        (call, path) -> {
          // The background thread forces the next file it makes ready: that is not the stall meant.
          if (call == SimulatedDisk.Call.FORCE && Thread.currentThread() == writing.get()) {
            stalled.countDown();
            awaitQuietly(release);
          }
        });
    journal.append(JournalHarness.bytes("first"));
    journal.pump(Demand.FORCE);
    assertThat(stalled.await(60, TimeUnit.SECONDS)).isTrue();

    long began = System.nanoTime();
    for (int i = 0; i < 500; i++) {
      journal.append(JournalHarness.bytes("heart beats go on " + i));
      journal.pump(Demand.FORCE);
      assertThat(loop.poll()).isNull();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(30));
    assertThat(forced.get()).isZero();
    release.countDown();

    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              Runnable task = loop.poll();
              if (task != null) {
                task.run();
              }
              return forced.get() == 501;
            });
    assertThat(journal.stats().forces()).isEqualTo(2);
    assertThat(reports.get()).isLessThanOrEqualTo(2);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
