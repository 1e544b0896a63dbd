package io.metaq.broker.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A journal on a simulated disk with executors that run when the test says so. */
final class JournalHarness {
  static final JournalSettings SMALL = JournalSettings.defaults().withFiles(64 << 10, 16 << 10);

  final SimulatedDisk disk;
  final ManualExecutor journalThread = new ManualExecutor();
  final ManualExecutor background = new ManualExecutor();
  final ManualExecutor loop = new ManualExecutor();
  final List<String> recovered = new ArrayList<>();
  final List<Throwable> fatal = new ArrayList<>();
  long forced;
  long written;
  long nanos;
  JournalTail tail;
  Journal journal;

  JournalHarness(SimulatedDisk disk) {
    this.disk = disk;
  }

  static JournalHarness start(SimulatedDisk disk) throws IOException {
    return start(disk, SMALL);
  }

  static JournalHarness start(SimulatedDisk disk, JournalSettings settings) throws IOException {
    JournalHarness harness = new JournalHarness(disk);
    harness.recover(0, 0, RecoveryMode.STRICT);
    harness.open(settings);
    return harness;
  }

  void recover(long after, long mustReach, RecoveryMode mode) throws IOException {
    tail =
        JournalRecovery.recover(
            disk,
            "journal",
            after,
            mustReach,
            mode,
            (index, epoch, payload) -> recovered.add(text(payload)));
    forced = tail.lastIndex();
  }

  void open(JournalSettings settings) throws IOException {
    journal =
        new Journal(
            disk,
            settings,
            tail,
            journalThread,
            background,
            loop,
            () -> nanos,
            new JournalListener() {
              @Override
              public void onForced(long index) {
                forced = index;
              }

              @Override
              public void onWritten(long index) {
                written = index;
              }

              @Override
              public void onFatal(Throwable cause) {
                fatal.add(cause);
              }
            });
  }

  long append(String text) {
    return journal.append(bytes(text));
  }

  /** Appends, forces, and lets everything run. */
  void appendForced(String text) {
    append(text);
    journal.pump(Journal.Demand.FORCE);
    runAll();
  }

  void runAll() {
    while (journalThread.size() + background.size() + loop.size() > 0) {
      journalThread.runAll();
      background.runAll();
      loop.runAll();
    }
  }

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  /** All entries on a disk. */
  static List<String> entries(SimulatedDisk disk) throws IOException {
    JournalHarness harness = new JournalHarness(disk);
    harness.recover(0, 0, RecoveryMode.STRICT);
    return harness.recovered;
  }
}
