package io.metaq.broker.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.zip.CRC32C;

/**
 * Side files for what is too large for the journal or must not pin it: bodies over 1 MiB, spilled
 * transactions, delayed messages. A file is written once, in pieces, and sealed (made durable with
 * its name) before any journal entry names it. Who refers to which file is for the core to know; at
 * a start everything it does not know is removed.
 *
 * <p>A {@link Writer} belongs to one thread; everything else may be called from any.
 */
public final class BodyStore {
  /** Below the data directory. */
  public static final String DIRECTORY = "bodies";

  static final String SUFFIX = ".body";
  static final String UNSEALED = ".part";
  static final int HEADER = 64;
  private static final int MAGIC = 0x4d514244; // MQBD

  /** Version 1: the first. */
  private static final int LEVEL = 1;

  private final Disk disk;
  private final FileCache files;

  public BodyStore(Disk disk, int maxOpenFiles) throws IOException {
    this.disk = disk;
    this.files = new FileCache(disk, maxOpenFiles, true);
    disk.createDirectoryDurably(DIRECTORY);
  }

  /**
   * Begins a file.
   *
   * @param fileId never used before in this data directory
   */
  public Writer create(long fileId) throws IOException {
    return new Writer(fileId, disk.create(partPath(fileId)));
  }

  /** A file being written. Ends with {@link #seal} or {@link #abort}. */
  public final class Writer {
    private final long fileId;
    private final DiskFile file;
    private final CRC32C crc = new CRC32C();
    private long length;

    private Writer(long fileId, DiskFile file) {
      this.fileId = fileId;
      this.file = file;
    }

    public long fileId() {
      return fileId;
    }

    public long length() {
      return length;
    }

    /** Appends a piece. */
    public void write(ByteBuffer piece) throws IOException {
      crc.update(piece.duplicate());
      int size = piece.remaining();
      file.write(piece, HEADER + length);
      length += size;
    }

    /** Makes the file durable under its final name. */
    public BodyRef seal() throws IOException {
      BodyRef ref = new BodyRef(fileId, length, (int) crc.getValue());
      file.write(header(ref), 0);
      file.force();
      file.close();
      disk.rename(partPath(fileId), path(fileId));
      disk.forceDirectory(DIRECTORY);
      return ref;
    }

    /** Gives the file up. */
    public void abort() throws IOException {
      file.close();
      disk.delete(partPath(fileId));
    }
  }

  /**
   * Reads a range of a sealed file.
   *
   * @return how many bytes were read, 0 at the end
   */
  public int read(long fileId, long position, ByteBuffer target) throws IOException {
    try (FileCache.Lease lease = files.acquire(path(fileId))) {
      return lease.file().read(target, HEADER + position);
    }
  }

  /** Checks a whole file against a reference; empty when it is intact, else what is wrong. */
  public Optional<String> verify(BodyRef ref) throws IOException {
    String path = path(ref.fileId());
    if (!disk.exists(path)) {
      return Optional.of(disk.describe(path) + " is missing");
    }
    Optional<BodyRef> stated = stated(ref.fileId());
    if (stated.isEmpty()) {
      return Optional.of(disk.describe(path) + " has no intact header");
    }
    if (!stated.get().equals(ref)) {
      return Optional.of(disk.describe(path) + " is another file than the one referred to");
    }
    CRC32C crc = new CRC32C();
    ByteBuffer piece = ByteBuffer.allocate(256 << 10);
    long at = 0;
    for (int read = read(ref.fileId(), at, piece); read > 0; read = read(ref.fileId(), at, piece)) {
      crc.update(piece.flip());
      at += read;
      piece.clear();
    }
    return at == ref.length() && (int) crc.getValue() == ref.checksum()
        ? Optional.empty()
        : Optional.of(disk.describe(path) + " has a wrong length or checksum");
  }

  /** What a sealed file says of itself; empty when its header is damaged. */
  public Optional<BodyRef> stated(long fileId) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    try (FileCache.Lease lease = files.acquire(path(fileId))) {
      lease.file().read(header, 0);
    }
    if (header.getInt(0) != MAGIC || header.getInt(HEADER - 4) != headerChecksum(header)) {
      return Optional.empty();
    }
    if (header.getInt(4) != LEVEL) {
      throw new StoreException(
          disk.describe(path(fileId))
              + " has format level "
              + header.getInt(4)
              + "; this broker reads level "
              + LEVEL);
    }
    return Optional.of(new BodyRef(header.getLong(8), header.getLong(16), header.getInt(24)));
  }

  /** Removes a file to which nothing refers any more. Removing one that is gone does nothing. */
  public void delete(long fileId) throws IOException {
    files.forget(path(fileId));
    if (disk.exists(path(fileId))) {
      disk.delete(path(fileId));
    }
  }

  /** The sealed files. */
  public List<Long> list() throws IOException {
    List<Long> ids = new ArrayList<>();
    for (String name : disk.list(DIRECTORY)) {
      parse(name, SUFFIX).ifPresent(ids::add);
    }
    return ids;
  }

  /**
   * Removes what a crash left behind: unsealed files, and sealed ones to which nothing refers. Call
   * it after a recovery, before the first {@link #create}.
   *
   * @return how many files were removed
   */
  public int removeOrphans(LongPredicate isLive) throws IOException {
    int removed = 0;
    for (String name : disk.list(DIRECTORY)) {
      Optional<Long> sealed = parse(name, SUFFIX);
      boolean orphan =
          sealed.isPresent() ? !isLive.test(sealed.get()) : parse(name, UNSEALED).isPresent();
      if (orphan) {
        sealed.ifPresent(this::forget);
        disk.delete(DIRECTORY + "/" + name);
        removed++;
      }
    }
    return removed;
  }

  public void close() throws IOException {
    files.close();
  }

  private void forget(long fileId) {
    try {
      files.forget(path(fileId));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static ByteBuffer header(BodyRef ref) {
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    header
        .putInt(MAGIC)
        .putInt(LEVEL)
        .putLong(ref.fileId())
        .putLong(ref.length())
        .putInt(ref.checksum());
    header.putInt(HEADER - 4, headerChecksum(header));
    return header.clear();
  }

  private static int headerChecksum(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, HEADER - 4));
    return (int) crc.getValue();
  }

  private static String path(long fileId) {
    return DIRECTORY + "/" + String.format("%016x", fileId) + SUFFIX;
  }

  private static String partPath(long fileId) {
    return DIRECTORY + "/" + String.format("%016x", fileId) + UNSEALED;
  }

  private static Optional<Long> parse(String name, String suffix) {
    if (name.length() != 16 + suffix.length() || !name.endsWith(suffix)) {
      return Optional.empty();
    }
    String digits = name.substring(0, 16);
    return digits.chars().allMatch(c -> Character.digit(c, 16) >= 0)
        ? Optional.of(Long.parseUnsignedLong(digits, 16))
        : Optional.empty();
  }
}
