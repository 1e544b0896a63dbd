package io.metaq.broker.store;

import io.metaq.broker.store.SnapshotFormat.Trailer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The snapshots of a broker's state: the last two, each complete or not there at all. A snapshot is
 * checked from end to end before anything of it is used, and the one before takes its place if it
 * is damaged (the journal is kept back to that one).
 */
public final class SnapshotStore {
  /** Below the data directory. */
  public static final String DIRECTORY = "snapshots";

  private static final int KEPT = 2;

  private final Disk disk;
  private Map<Long, Place> places = Map.of();
  private long newest;
  private long highestReflected;

  /** Where a section's header begins in a file, and how long its payload is. */
  record Place(long position, int length) {}

  /**
   * A snapshot that was loaded.
   *
   * @param number of the snapshot; 0 when there was none
   * @param replayAfter the journal entry after which to replay
   * @param highestReflected the last entry that some object reflects: the journal must reach it
   * @param oldestReplayAfter the same as {@code replayAfter} for the oldest snapshot kept: free the
   *     journal no further
   * @param reports what an operator should know
   */
  public record Loaded(
      long number,
      long replayAfter,
      long highestReflected,
      long oldestReplayAfter,
      List<String> reports) {
    public Loaded {
      reports = List.copyOf(reports);
    }
  }

  public SnapshotStore(Disk disk) {
    this.disk = disk;
  }

  /**
   * Loads the newest intact snapshot.
   *
   * @throws StoreException if there are snapshots and none is intact
   */
  public Loaded load(SectionReader reader) throws IOException {
    List<String> reports = new ArrayList<>();
    List<Long> numbers = numbers();
    long oldest = oldestReplayAfter(numbers);
    for (int i = numbers.size() - 1; i >= 0; i--) {
      long number = numbers.get(i);
      try (DiskFile file = disk.openForRead(path(number))) {
        Map<Long, Place> found = new HashMap<>();
        Optional<Trailer> trailer = scan(file, number, found, (key, payload) -> {});
        if (trailer.isPresent()) {
          scan(file, number, new HashMap<>(), reader);
          newest = numbers.get(numbers.size() - 1);
          highestReflected = trailer.get().highestReflected();
          places = i == numbers.size() - 1 ? found : Map.of();
          return new Loaded(
              number,
              trailer.get().replayAfter(),
              trailer.get().highestReflected(),
              oldest,
              reports);
        }
      }
      reports.add(disk.describe(path(number)) + " is damaged; the snapshot before it is used");
    }
    if (!numbers.isEmpty()) {
      throw new StoreException(
          "No snapshot in "
              + disk.describe(DIRECTORY)
              + " is intact ("
              + String.join("; ", reports)
              + "). Restore one from a backup together with the journal.");
    }
    return new Loaded(0, 0, 0, 0, reports);
  }

  /** Begins a snapshot. One at a time. */
  public SnapshotWriter begin() throws IOException {
    disk.createDirectoryDurably(DIRECTORY);
    if (newest == 0) {
      newest = numbers().stream().mapToLong(Long::longValue).max().orElse(0);
    }
    long number = newest + 1;
    discard(number);
    return new SnapshotWriter(
        this, number, disk.create(unfinished(number)), places, highestReflected);
  }

  /**
   * After a committed snapshot: the entry after which the oldest snapshot still kept wants a
   * replay, so that the journal may be freed up to it.
   */
  public long oldestReplayAfter() throws IOException {
    return oldestReplayAfter(numbers());
  }

  /** Checks a snapshot from end to end; empty if it is intact. */
  Optional<String> verify(long number) throws IOException {
    try (DiskFile file = disk.openForRead(path(number))) {
      return scan(file, number, new HashMap<>(), (key, payload) -> {}).isPresent()
          ? Optional.empty()
          : Optional.of(disk.describe(path(number)) + " is damaged");
    }
  }

  /** The numbers of all snapshots, oldest first. */
  List<Long> numbers() throws IOException {
    List<Long> numbers = new ArrayList<>();
    if (disk.isDirectory(DIRECTORY)) {
      for (String name : disk.list(DIRECTORY)) {
        SnapshotFormat.parseName(name).ifPresent(numbers::add);
      }
    }
    return numbers;
  }

  /** Copies a section from the newest snapshot; false if it is not intact there (any more). */
  boolean copyFromNewest(long key, Place place, DiskFile target, long position) throws IOException {
    ByteBuffer section = ByteBuffer.allocate(SnapshotFormat.SECTION_HEADER + place.length());
    try (DiskFile file = disk.openForRead(path(newest))) {
      file.read(section, place.position());
    }
    section.flip();
    boolean intact =
        section.limit() == section.capacity()
            && section.getLong(4) == key
            && section.getInt(12)
                == SnapshotFormat.sectionChecksum(
                    key, section.slice(SnapshotFormat.SECTION_HEADER, place.length()));
    if (intact) {
      target.write(section, position);
    }
    return intact;
  }

  void publish(long number, Map<Long, Place> newPlaces, long newHighestReflected)
      throws IOException {
    disk.rename(unfinished(number), path(number));
    disk.forceDirectory(DIRECTORY);
    newest = number;
    places = newPlaces;
    highestReflected = newHighestReflected;
    List<Long> numbers = numbers();
    for (int i = 0; i < numbers.size() - KEPT; i++) {
      disk.delete(path(numbers.get(i)));
    }
    if (numbers.size() > KEPT) {
      // The journal is freed for the two that are kept: an older one must not come back.
      disk.forceDirectory(DIRECTORY);
    }
  }

  void discard(long number) throws IOException {
    if (disk.exists(unfinished(number))) {
      disk.delete(unfinished(number));
    }
  }

  private long oldestReplayAfter(List<Long> numbers) throws IOException {
    for (long number : numbers) {
      try (DiskFile file = disk.openForRead(path(number))) {
        ByteBuffer end = ByteBuffer.allocate(SnapshotFormat.TRAILER);
        file.read(end, Math.max(0, file.size() - SnapshotFormat.TRAILER));
        Optional<Trailer> trailer = SnapshotFormat.parseTrailer(end.flip());
        if (trailer.isPresent()) {
          return trailer.get().replayAfter();
        }
      }
    }
    return 0;
  }

  /**
   * Reads a file through; the trailer if everything is intact. Sections are handed out as they
   * come.
   */
  private static Optional<Trailer> scan(
      DiskFile file, long number, Map<Long, Place> found, SectionReader reader) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(SnapshotFormat.HEADER);
    if (file.read(header, 0) < SnapshotFormat.HEADER || !SnapshotFormat.isHeader(header, number)) {
      return Optional.empty();
    }
    long size = file.size();
    long position = SnapshotFormat.HEADER;
    ByteBuffer section = ByteBuffer.allocate(SnapshotFormat.SECTION_HEADER);
    ByteBuffer payload = ByteBuffer.allocate(64 << 10);
    while (true) {
      section.clear();
      if (file.read(section, position) < SnapshotFormat.SECTION_HEADER) {
        return Optional.empty();
      }
      int length = section.getInt(0);
      if (length == -1) {
        return trailerAt(file, position, found.size());
      }
      if (length < 0 || position + SnapshotFormat.SECTION_HEADER + length > size) {
        return Optional.empty();
      }
      if (payload.capacity() < length) {
        payload = ByteBuffer.allocate(length);
      }
      payload.clear().limit(length);
      file.read(payload, position + SnapshotFormat.SECTION_HEADER);
      payload.flip();
      long key = section.getLong(4);
      if (payload.limit() < length
          || section.getInt(12) != SnapshotFormat.sectionChecksum(key, payload)) {
        return Optional.empty();
      }
      reader.section(key, payload.asReadOnlyBuffer());
      found.put(key, new Place(position, length));
      position += SnapshotFormat.SECTION_HEADER + (long) length;
    }
  }

  private static Optional<Trailer> trailerAt(DiskFile file, long position, long sections)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(SnapshotFormat.TRAILER);
    file.read(bytes, position);
    return SnapshotFormat.parseTrailer(bytes.flip())
        .filter(trailer -> trailer.sections() == sections);
  }

  private static String path(long number) {
    return DIRECTORY + "/" + SnapshotFormat.fileName(number);
  }

  private static String unfinished(long number) {
    return path(number) + JournalFiles.UNFINISHED;
  }
}
