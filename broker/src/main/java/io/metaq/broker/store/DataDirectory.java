package io.metaq.broker.store;

import java.io.Closeable;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * The data directory as a whole: that it is ours, that no other process uses it, which format it
 * has, whose it is, and how often it was started. The lock lasts until {@link #close}.
 *
 * <p>The generation is one higher at each start, and durable before anything else happens, so that
 * whatever an earlier start handed out can be told apart.
 */
public final class DataDirectory implements AutoCloseable {
  /** Format levels of the directory as a whole: 1 is the first. */
  public static final int LEVEL = 3;

  static final String LOCK = "metaq.lock";
  static final String MARKER = "metaq.properties";

  private final Disk disk;
  private final Closeable lock;
  private final UUID identity;
  private final long generation;

  private DataDirectory(Disk disk, Closeable lock, UUID identity, long generation) {
    this.disk = disk;
    this.lock = lock;
    this.identity = identity;
    this.generation = generation;
  }

  /** What the marker file says. */
  record Marker(int level, UUID identity, long generation) {}

  /**
   * Takes a data directory for this process; makes one of an empty directory.
   *
   * @param newIdentity gives the identity of a new data directory
   * @throws StoreException if the directory is not ours, in use, not writable, half imported, or of
   *     a format that this broker does not know; the message says which and what to do
   */
  public static DataDirectory open(Disk disk, Supplier<UUID> newIdentity) throws IOException {
    createRoot(disk);
    boolean isNew = refuseForeign(disk);
    Closeable lock = lock(disk);
    boolean opened = false;
    try {
      new ImportMark(disk).refuseIfSet();
      Marker marker = isNew ? new Marker(LEVEL, newIdentity.get(), 0) : readMarker(disk);
      Marker next = new Marker(LEVEL, marker.identity(), marker.generation() + 1);
      writeMarker(disk, next);
      DataDirectory directory = new DataDirectory(disk, lock, next.identity(), next.generation());
      opened = true;
      return directory;
    } finally {
      if (!opened) {
        lock.close();
      }
    }
  }

  /** Who this broker is; stays the same as long as the directory lives. */
  public UUID identity() {
    return identity;
  }

  /** How often the directory was started, this start included. */
  public long generation() {
    return generation;
  }

  public Disk disk() {
    return disk;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  /** Reads the marker of an existing data directory, without taking it. */
  static Marker readMarker(Disk disk) throws IOException {
    if (!disk.exists(MARKER)) {
      throw new StoreException(
          disk.describe("") + " is not a MetaQ data directory: it holds no file " + MARKER + ".");
    }
    String text = readText(disk, MARKER);
    int sum = text.lastIndexOf("checksum=");
    Properties values = new Properties();
    values.load(new StringReader(text));
    String stated = values.getProperty("checksum", "");
    if (sum < 0 || !stated.equals(checksum(text.substring(0, sum)))) {
      throw new StoreException(
          disk.describe(MARKER)
              + " is damaged. Restore it from a backup; it holds the broker's identity.");
    }
    int level = Integer.parseInt(values.getProperty("format.level"));
    if (level != LEVEL) {
      throw new StoreException(
          disk.describe("")
              + " has format level "
              + level
              + "; this broker reads level "
              + LEVEL
              + ". Start the version of the broker that wrote it.");
    }
    return new Marker(
        level,
        UUID.fromString(values.getProperty("broker.identity")),
        Long.parseLong(values.getProperty("generation")));
  }

  private static void createRoot(Disk disk) throws IOException {
    try {
      disk.createDirectories("");
    } catch (IOException e) {
      throw new StoreException(
          "The data directory "
              + disk.describe("")
              + " cannot be created: "
              + e
              + ". Choose another or mend its rights.",
          e);
    }
  }

  /** True for an empty directory; refuses one that holds other people's files. */
  private static boolean refuseForeign(Disk disk) throws IOException {
    List<String> names;
    try {
      names = disk.list("");
    } catch (IOException e) {
      throw new StoreException(
          "The data directory " + disk.describe("") + " cannot be read: " + e + ".", e);
    }
    if (names.contains(MARKER)) {
      return false;
    }
    List<String> foreign =
        names.stream()
            .filter(
                name ->
                    !name.equals(LOCK) && !name.equals("lost+found") && !name.startsWith(MARKER))
            .toList();
    if (!foreign.isEmpty()) {
      throw new StoreException(
          "The directory "
              + disk.describe("")
              + " is not empty and not a MetaQ data directory (it holds "
              + foreign.get(0)
              + (foreign.size() > 1 ? " and " + (foreign.size() - 1) + " more" : "")
              + ", but no "
              + MARKER
              + "). Name an empty or a new directory.");
    }
    return true;
  }

  private static Closeable lock(Disk disk) throws IOException {
    Optional<Closeable> lock;
    try {
      lock = disk.tryLock(LOCK);
    } catch (IOException e) {
      throw new StoreException(
          "The data directory "
              + disk.describe("")
              + " cannot be written: "
              + e
              + ". The broker's user needs the right to write there.",
          e);
    }
    return lock.orElseThrow(
        () ->
            new StoreException(
                "The data directory "
                    + disk.describe("")
                    + " is in use by another broker process. Stop that one, or give this one a directory of its own."));
  }

  private static void writeMarker(Disk disk, Marker marker) throws IOException {
    String text =
        "# The data directory of a MetaQ broker. Do not edit.\n"
            + "format.level="
            + marker.level()
            + "\nbroker.identity="
            + marker.identity()
            + "\ngeneration="
            + marker.generation()
            + "\n";
    text += "checksum=" + checksum(text) + "\n";
    String unfinished = MARKER + JournalFiles.UNFINISHED;
    try {
      if (disk.exists(unfinished)) {
        disk.delete(unfinished);
      }
      try (DiskFile file = disk.create(unfinished)) {
        file.write(StandardCharsets.UTF_8.encode(text), 0);
        file.force();
      }
      disk.rename(unfinished, MARKER);
      disk.forceDirectory("");
    } catch (IOException e) {
      throw new StoreException(
          "The data directory "
              + disk.describe("")
              + " cannot be written: "
              + e
              + ". Is it full or read-only?",
          e);
    }
  }

  private static String readText(Disk disk, String path) throws IOException {
    try (DiskFile file = disk.openForRead(path)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(file.size(), 64 << 10));
      file.read(bytes, 0);
      return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format("%08x", crc.getValue());
  }
}
