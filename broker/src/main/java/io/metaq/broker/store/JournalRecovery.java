package io.metaq.broker.store;

import io.metaq.broker.store.JournalFormat.BatchHeader;
import io.metaq.broker.store.JournalTail.FileRange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the journal at a start: finds where it ends, hands out its entries in order and in constant
 * memory, and tells a torn tail from corruption.
 *
 * <p>Batches form a chain: each names the end and the checksum of the one before. The chain ends at
 * the first place where neither this file nor the next one holds its continuation. That is a torn
 * tail, and dropped, unless some intact batch behind that place states that it was forced already,
 * or the caller knows of later entries: then it is corruption. The first batch of a later file says
 * where the file before ended when that start looked, so what one recovery dropped stays dropped.
 */
public final class JournalRecovery {
  private final Disk disk;
  private final String directory;
  private final RecoveryMode mode;
  private final boolean lookOnly;
  private final List<String> reports = new ArrayList<>();
  private final List<String> spares = new ArrayList<>();
  private final List<FileRange> ranges = new ArrayList<>();
  private final TreeMap<Long, Start> files = new TreeMap<>();
  private long highestGeneration;
  private long lastIndex;
  private long end;
  private int checksum;
  private long dropped;
  private boolean damaged;

  /** A file and its first batch. */
  private record Start(String path, BatchHeader first) {}

  private JournalRecovery(Disk disk, String directory, RecoveryMode mode, boolean lookOnly) {
    this.disk = disk;
    this.lookOnly = lookOnly;
    this.directory = directory;
    this.mode = mode;
  }

  /**
   * Reads all entries behind an index.
   *
   * @param afterIndex the entries up to it are not wanted (a snapshot holds them); files wholly
   *     below it are not read
   * @param mustReach the last entry that is known to have been forced, from the snapshot; 0 if none
   * @param mode what to do about damage
   * @param reader gets the entries from {@code afterIndex + 1} on
   */
  public static JournalTail recover(
      Disk disk,
      String directory,
      long afterIndex,
      long mustReach,
      RecoveryMode mode,
      EntryReader reader)
      throws IOException {
    return run(new JournalRecovery(disk, directory, mode, false), afterIndex, mustReach, reader);
  }

  /**
   * Reads the same way and judges the same, but changes nothing: for looking at a journal offline.
   */
  static JournalTail inspect(
      Disk disk, String directory, long afterIndex, long mustReach, EntryReader reader)
      throws IOException {
    JournalRecovery recovery = new JournalRecovery(disk, directory, RecoveryMode.STRICT, true);
    return run(recovery, afterIndex, mustReach, reader);
  }

  private static JournalTail run(
      JournalRecovery recovery, long afterIndex, long mustReach, EntryReader reader)
      throws IOException {
    recovery.findFiles();
    recovery.readChain(afterIndex, reader);
    recovery.checkReached(afterIndex, mustReach);
    return new JournalTail(
        recovery.lastIndex,
        recovery.end,
        recovery.checksum,
        recovery.highestGeneration,
        recovery.ranges,
        recovery.spares,
        recovery.dropped,
        recovery.damaged,
        recovery.reports);
  }

  private void findFiles() throws IOException {
    if (!disk.isDirectory(directory)) {
      return;
    }
    for (String name : disk.list(directory)) {
      String path = directory + "/" + name;
      Optional<Long> generation = JournalFormat.parseName(name);
      if (generation.isEmpty()) {
        if (!name.endsWith(JournalFiles.UNFINISHED)) {
          reports.add(disk.describe(path) + " is not a journal file; it was left alone");
        } else if (!lookOnly) {
          disk.delete(path);
        }
        continue;
      }
      highestGeneration = Math.max(highestGeneration, generation.get());
      try (JournalFileReader reader = open(path, generation.get())) {
        boolean ours = reader.statedGeneration().equals(generation);
        Optional<BatchHeader> first = reader.batchAt(JournalFormat.BLOCK);
        if (first.isPresent()) {
          files.put(generation.get(), new Start(path, first.get()));
        } else if (ours && reader.highestForcedStatedFrom(JournalFormat.BLOCK) > 0) {
          files.put(generation.get(), new Start(path, null));
        } else {
          spares.add(name);
        }
      }
    }
  }

  private void readChain(long afterIndex, EntryReader reader) throws IOException {
    dropFilesThatNeverCounted();
    Long generation = firstFileFor(afterIndex);
    if (generation == null) {
      if (highestGeneration == 0 && afterIndex > 0) {
        damaged(directory, 0, "all its files are missing although a snapshot refers to them");
      }
      lastIndex = afterIndex;
      return;
    }
    Start start = files.get(generation);
    if (start.first() == null) {
      damaged(start.path(), JournalFormat.BLOCK, "the first batch of a file is unreadable");
      lastIndex = afterIndex;
      quarantineFrom(generation, JournalFormat.BLOCK);
      return;
    }
    if (start.first().firstIndex() > afterIndex + 1) {
      damaged(
          start.path(),
          JournalFormat.BLOCK,
          "entries "
              + (afterIndex + 1)
              + " to "
              + (start.first().firstIndex() - 1)
              + " are missing");
      lastIndex = afterIndex;
      quarantineFrom(generation, JournalFormat.BLOCK);
      return;
    }
    lastIndex = start.first().firstIndex() - 1;
    checksum = start.first().previousChecksum();
    end = start.first().previousEnd();
    while (generation != null) {
      generation = readFile(generation, afterIndex, reader) ? files.higherKey(generation) : null;
    }
    forceLastFile();
  }

  /**
   * A file made ready but never written in the chain, left behind by a start that ended before its
   * first force.
   */
  private void dropFilesThatNeverCounted() {
    // Two files can both claim to continue the same end when a start crashed before its first batch
    // was forced and the next start
    // did not see that batch: the younger one is right, since it alone can hold what was answered.
    Long later = null;
    for (Long generation : List.copyOf(files.descendingKeySet())) {
      Start start = files.get(generation);
      if (later != null && start.first() != null) {
        BatchHeader next = files.get(later).first();
        if (next != null
            && next.previousEnd() <= JournalFormat.position(generation, JournalFormat.BLOCK)) {
          files.remove(generation);
          spares.add(Disk.name(start.path()));
          continue;
        }
      }
      later = generation;
    }
  }

  private Long firstFileFor(long afterIndex) {
    Long chosen = null;
    for (Map.Entry<Long, Start> file : files.entrySet()) {
      BatchHeader first = file.getValue().first();
      if (chosen != null && (first == null || first.firstIndex() > afterIndex + 1)) {
        break;
      }
      if (chosen != null) {
        // Wholly below: kept as it is until the journal is told again that it may be freed.
        Start former = files.get(chosen);
        ranges.add(
            new FileRange(
                chosen, former.first().firstIndex(), JournalFormat.offset(first.previousEnd())));
      }
      chosen = file.getKey();
    }
    return chosen;
  }

  /** Reads a file to the end of the chain in it; true when the chain goes on in the next file. */
  private boolean readFile(long generation, long afterIndex, EntryReader reader)
      throws IOException {
    Start start = files.get(generation);
    Map.Entry<Long, Start> next = files.higherEntry(generation);
    long stop = stopPosition(generation, next);
    long at = JournalFormat.BLOCK;
    boolean goesOn;
    try (JournalFileReader file = open(start.path(), generation)) {
      long firstIndex = lastIndex + 1;
      while (JournalFormat.position(generation, at) < stop) {
        Optional<BatchHeader> batch = file.batchAt(at);
        if (batch.isEmpty() || !continuesChain(batch.get())) {
          break;
        }
        file.entries(batch.get(), afterIndex + 1, reader);
        lastIndex = batch.get().lastIndex();
        checksum = batch.get().checksum();
        end = batch.get().end();
        at = JournalFormat.offset(end);
      }
      ranges.add(new FileRange(generation, firstIndex, at));
      goesOn =
          next != null
              && next.getValue().first() != null
              && continuesChain(next.getValue().first());
      if (!goesOn) {
        endHere(file, generation, at);
      }
    }
    return goesOn;
  }

  private long stopPosition(long generation, Map.Entry<Long, Start> next) {
    if (next != null && next.getValue().first() != null) {
      long previousEnd = next.getValue().first().previousEnd();
      if (JournalFormat.generation(previousEnd) == generation) {
        return previousEnd;
      }
    }
    return Long.MAX_VALUE;
  }

  private boolean continuesChain(BatchHeader batch) {
    return batch.previousEnd() == end
        && batch.previousChecksum() == checksum
        && batch.firstIndex() == lastIndex + 1;
  }

  /** The chain ends at this byte: torn, or damaged? */
  private void endHere(JournalFileReader file, long generation, long at) throws IOException {
    long here = JournalFormat.position(generation, at);
    long stated = file.highestForcedStatedFrom(at);
    for (Map.Entry<Long, Start> later : files.tailMap(generation, false).entrySet()) {
      try (JournalFileReader reader = open(later.getValue().path(), later.getKey())) {
        stated = Math.max(stated, reader.highestForcedStatedFrom(JournalFormat.BLOCK));
      }
    }
    String path = files.get(generation).path();
    if (stated > here) {
      damaged(
          path,
          at,
          "no intact batch follows entry "
              + lastIndex
              + " although a later one states that the journal was forced beyond it");
      quarantineFrom(generation, at);
    } else {
      countDropped(file, at);
      files
          .tailMap(generation, false)
          .values()
          .forEach(start -> spares.add(Disk.name(start.path())));
    }
  }

  private void countDropped(JournalFileReader file, long at) throws IOException {
    long torn = 0;
    for (long block = at; block + JournalFormat.BATCH_HEADER <= file.size(); ) {
      Optional<BatchHeader> batch = file.batchAt(block);
      if (batch.isPresent()) {
        torn = JournalFormat.offset(batch.get().end()) - at;
        block = JournalFormat.offset(batch.get().end());
      } else {
        block += JournalFormat.BLOCK;
      }
    }
    dropped += torn;
    if (torn > 0) {
      reports.add(
          "The journal ends after entry "
              + lastIndex
              + "; "
              + torn
              + " bytes behind it were never forced nor answered, and were dropped.");
    }
  }

  private void checkReached(long afterIndex, long mustReach) throws IOException {
    long needed = Math.max(afterIndex, mustReach);
    if (lastIndex < needed) {
      FileRange last = ranges.isEmpty() ? new FileRange(0, 0, 0) : ranges.get(ranges.size() - 1);
      damaged(
          directory + "/" + JournalFormat.fileName(last.generation()),
          last.end(),
          "it ends at entry "
              + lastIndex
              + " but the snapshot was taken when entry "
              + needed
              + " had been forced");
      lastIndex = Math.max(lastIndex, needed);
    }
  }

  private void damaged(String path, long at, String what) throws CorruptJournalException {
    if (mode == RecoveryMode.STRICT) {
      throw new CorruptJournalException(path, at, what);
    }
    damaged = true;
    reports.add("Journal damage in " + disk.describe(path) + " at byte " + at + ": " + what + ".");
  }

  private void quarantineFrom(long generation, long at) throws IOException {
    Quarantine quarantine = new Quarantine(disk);
    for (Map.Entry<Long, Start> file : files.tailMap(generation, true).entrySet()) {
      String path = file.getValue().path();
      long from = file.getKey() == generation ? at : 0;
      dropped += disk.size(path) - from;
      reports.add(
          "Everything behind entry "
              + lastIndex
              + " in "
              + disk.describe(path)
              + " was kept in "
              + disk.describe(quarantine.copy(path, from, disk.size(path) - from)));
      if (file.getKey() != generation) {
        spares.add(Disk.name(path));
      }
    }
    if (ranges.isEmpty() || ranges.get(ranges.size() - 1).generation() != generation) {
      spares.add(Disk.name(files.get(generation).path()));
    }
  }

  /**
   * What a killed process wrote is in the page cache only; it must not be lost after somebody is
   * told of it.
   */
  private void forceLastFile() throws IOException {
    if (!ranges.isEmpty() && !lookOnly) {
      long generation = ranges.get(ranges.size() - 1).generation();
      try (DiskFile file = disk.open(directory + "/" + JournalFormat.fileName(generation))) {
        file.force();
      }
      disk.forceDirectory(directory);
    }
  }

  private JournalFileReader open(String path, long generation) throws IOException {
    return new JournalFileReader(disk.openForRead(path), generation);
  }
}
