package io.metaq.broker.store;

import io.metaq.wire.RecordFormat;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Looks at a data directory without a broker and without changing it: {@code verify} checks every
 * checksum, {@code stat} counts, {@code dump} shows. What an entry means is told by the caller; the
 * store does not know.
 */
public final class StoreTool {
  private static final int PREVIEW = 48;

  private final Disk disk;
  private final PrintWriter out;
  private final Function<ByteBuffer, String> describeEntry;
  private int problems;

  /**
   * @param disk of the data directory
   * @param describeEntry turns a journal entry into a line of text
   */
  public StoreTool(Disk disk, PrintWriter out, Function<ByteBuffer, String> describeEntry) {
    this.disk = disk;
    this.out = out;
    this.describeEntry = describeEntry;
  }

  /**
   * Checks everything there is.
   *
   * @return the number of problems, each of which was printed
   */
  public int verify() throws IOException {
    header();
    if (new ImportMark(disk).isSet()) {
      problem("an import broke off, or is under way: " + disk.describe(ImportMark.FILE));
    }
    verifySnapshots();
    verifyJournal();
    verifyPartitions();
    verifyBodies();
    out.println(problems == 0 ? "No problems found." : problems + " problem(s) found.");
    out.flush();
    return problems;
  }

  /** Prints what there is and how large it is. */
  public void stat() throws IOException {
    header();
    SnapshotStore.Loaded snapshot = new SnapshotStore(disk).load((key, payload) -> {});
    out.printf(
        "snapshot   %s%n",
        snapshot.number() == 0
            ? "none"
            : "number "
                + snapshot.number()
                + ", replay from entry "
                + (snapshot.replayAfter() + 1));
    JournalTail tail = journal(snapshot, (index, epoch, payload) -> {});
    out.printf(
        "journal    last entry %d, %d file(s) in use, %d spare%n",
        tail.lastIndex(), tail.files().size(), tail.spares().size());
    long bytes = 0;
    List<LogName> logs = new PartitionLogs(disk, 1, true).list();
    for (LogName name : logs) {
      LogInspector.Finding finding = new LogInspector(disk).inspect(directory(name));
      LogState state = finding.state();
      long first =
          state.segments().isEmpty() ? state.nextSeq() : state.segments().get(0).firstSeq();
      out.printf(
          "partition  %s-%d: %d record(s) %d..%d, %d segment(s), %d bytes, end offset %d%n",
          name.name(),
          name.partition(),
          state.nextSeq() - first,
          first,
          state.nextSeq() - 1,
          state.segments().size(),
          finding.bytes(),
          state.endOffset());
      bytes += finding.bytes();
    }
    out.printf("partitions %d, %d bytes%n", logs.size(), bytes);
    if (disk.isDirectory(BodyStore.DIRECTORY)) {
      BodyStore bodies = new BodyStore(disk, 1);
      long bodyBytes = 0;
      for (long id : bodies.list()) {
        bodyBytes += bodies.stated(id).map(BodyRef::length).orElse(0L);
      }
      out.printf("bodies     %d, %d bytes%n", bodies.list().size(), bodyBytes);
    }
    out.flush();
  }

  /** Prints journal entries that are still there, from an index on. */
  public void dumpJournal(long from, long count) throws IOException {
    JournalTail tail =
        JournalRecovery.inspect(
            disk,
            JournalSettings.defaults().directory(),
            oldestEntry() - 1,
            0,
            (index, epoch, payload) -> {
              if (index >= from && index - from < count) {
                int length = payload.remaining();
                out.printf("%d epoch %d, %d bytes: %s%n", index, epoch, length, describe(payload));
              }
            });
    tail.reports().forEach(out::println);
    out.flush();
  }

  /** Prints records of a partition, from a sequence on. */
  public void dumpPartition(String directory, long from, long count) throws IOException {
    LogName name =
        LogName.parse(directory)
            .filter(found -> disk.isDirectory(directory(found)))
            .orElseThrow(
                () ->
                    new StoreException(
                        "there is no partition directory "
                            + disk.describe(PartitionLogs.DIRECTORY + "/" + directory)
                            + "; 'metaq store stat' lists them"));
    LogState state = new LogInspector(disk).inspect(directory(name)).state();
    try (PartitionLogs logs = new PartitionLogs(disk, 4, true)) {
      PartitionLog log = logs.open(name, state);
      long seq = Math.max(from, log.firstSeq());
      long end = count > Long.MAX_VALUE - seq ? Long.MAX_VALUE : seq + count;
      while (seq < Math.min(end, log.nextSeq())) {
        LogReadResult read = log.read(seq, (int) Math.min(1000, end - seq), 1 << 20);
        read.records().forEach(this::printRecord);
        read.dead().ifPresent(dead -> out.println("unreadable: " + words(dead)));
        seq = read.nextSeq();
      }
    }
    out.flush();
  }

  /** Prints the sections of the newest snapshot. */
  public void dumpSnapshot() throws IOException {
    SnapshotStore.Loaded loaded =
        new SnapshotStore(disk)
            .load(
                (key, payload) ->
                    out.printf(
                        "object %d, %d bytes: %s%n", key, payload.remaining(), preview(payload)));
    out.printf(
        "snapshot %d, replay from entry %d, reflects entries up to %d%n",
        loaded.number(), loaded.replayAfter() + 1, loaded.highestReflected());
    out.flush();
  }

  private void header() throws IOException {
    DataDirectory.Marker marker = DataDirectory.readMarker(disk);
    out.printf(
        "%s: format level %d, broker %s, started %d time(s)%n",
        disk.describe(""), marker.level(), marker.identity(), marker.generation());
    if (disk.exists(DataDirectory.LOCK)) {
      Optional<Closeable> lock = disk.tryLock(DataDirectory.LOCK);
      if (lock.isEmpty()) {
        out.println(
            "A broker is using this directory now; what it is just writing may look incomplete.");
      } else {
        lock.get().close();
      }
    }
  }

  private void verifySnapshots() throws IOException {
    SnapshotStore snapshots = new SnapshotStore(disk);
    List<Long> numbers = snapshots.numbers();
    for (long number : numbers) {
      snapshots.verify(number).ifPresent(this::problem);
    }
    out.printf("snapshots: %d checked%n", numbers.size());
  }

  private void verifyJournal() throws IOException {
    long[] entries = new long[1];
    try {
      SnapshotStore.Loaded snapshot = new SnapshotStore(disk).load((key, payload) -> {});
      JournalTail tail = journal(snapshot, (index, epoch, payload) -> entries[0]++);
      tail.reports().forEach(report -> out.println("journal: " + report));
      out.printf(
          "journal: %d entries behind the snapshot checked, last %d%n",
          entries[0], tail.lastIndex());
    } catch (StoreException e) {
      problem(e.getMessage());
    }
  }

  private void verifyPartitions() throws IOException {
    long records = 0;
    try (PartitionLogs logs = new PartitionLogs(disk, 8, true)) {
      for (LogName name : logs.list()) {
        LogInspector.Finding finding = new LogInspector(disk).inspect(directory(name));
        finding.problems().forEach(this::problem);
        PartitionLog log = logs.open(name, finding.state());
        long seq = log.firstSeq();
        while (seq < log.nextSeq()) {
          LogReadResult read = log.read(seq, 10_000, 4 << 20);
          records += read.records().size();
          read.dead()
              .ifPresent(
                  dead ->
                      problem(
                          name.name() + "-" + name.partition() + ": unreadable " + words(dead)));
          seq = read.nextSeq();
        }
      }
    }
    out.printf("partitions: %d record(s) checked%n", records);
  }

  private void verifyBodies() throws IOException {
    if (!disk.isDirectory(BodyStore.DIRECTORY)) {
      return;
    }
    BodyStore bodies = new BodyStore(disk, 4);
    List<Long> ids = bodies.list();
    for (long id : ids) {
      Optional<BodyRef> stated = bodies.stated(id);
      if (stated.isEmpty()) {
        problem(String.format("body %016x has no intact header", id));
      } else {
        bodies.verify(stated.get()).ifPresent(this::problem);
      }
    }
    bodies.close();
    out.printf("bodies: %d checked%n", ids.size());
  }

  private JournalTail journal(SnapshotStore.Loaded snapshot, EntryReader reader)
      throws IOException {
    return JournalRecovery.inspect(
        disk,
        JournalSettings.defaults().directory(),
        snapshot.replayAfter(),
        snapshot.highestReflected(),
        reader);
  }

  /**
   * The first entry that a file still holds whole, since a journal is read from a known place on.
   */
  private long oldestEntry() throws IOException {
    long oldest = Long.MAX_VALUE;
    String directory = JournalSettings.defaults().directory();
    for (String name : disk.list(directory)) {
      Optional<Long> generation = JournalFormat.parseName(name);
      if (generation.isPresent()) {
        try (JournalFileReader file =
            new JournalFileReader(disk.openForRead(directory + "/" + name), generation.get())) {
          Optional<JournalFormat.BatchHeader> first = file.batchAt(JournalFormat.BLOCK);
          if (first.isPresent()) {
            oldest = Math.min(oldest, first.get().firstIndex());
          }
        }
      }
    }
    return oldest == Long.MAX_VALUE ? 1 : oldest;
  }

  private void printRecord(LogRecord record) {
    ByteBuffer bytes = record.bytes();
    out.printf(
        "%d at %d: id %d, flag %d, %d bytes: %s%n",
        record.seq(),
        record.offset(),
        RecordFormat.messageId(bytes),
        RecordFormat.flag(bytes),
        RecordFormat.bodyLength(bytes),
        preview(RecordFormat.body(bytes)));
  }

  private String describe(ByteBuffer payload) {
    try {
      return describeEntry.apply(payload.duplicate());
    } catch (RuntimeException e) {
      // A later version's entry, or damage from before it was written: its bytes still say
      // something.
      return "not understood (" + e.getMessage() + ") " + preview(payload);
    }
  }

  private static String preview(ByteBuffer bytes) {
    byte[] shown = new byte[Math.min(PREVIEW, bytes.remaining())];
    bytes.duplicate().get(shown);
    return HexFormat.of().formatHex(shown) + (bytes.remaining() > PREVIEW ? "..." : "");
  }

  private static String words(DeadRange dead) {
    return "records "
        + dead.fromSeq()
        + " to "
        + (dead.toSeq() - 1)
        + ", bytes "
        + dead.fromOffset()
        + " to "
        + (dead.toOffset() - 1);
  }

  private static String directory(LogName name) {
    return PartitionLogs.DIRECTORY + "/" + name.directory();
  }

  private void problem(String what) {
    problems++;
    out.println("PROBLEM " + what);
  }
}
