package io.metaq.broker.store;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A disk in memory that keeps only what was forced. At a power cut every write since the file's
 * last force is kept, dropped or torn at sectors, whatever its order; a name created, renamed or
 * deleted since its directory's last force may be there or not. The same seed and the same calls
 * give the same outcome.
 *
 * <p>A test crashes it at the k-th change ({@link #crashAtOperation}), makes calls fail, fills it,
 * or looks at each call before it happens ({@link #before}). After a crash every call throws {@link
 * Crash}, an Error so that nothing between the disk and the test handles it; {@link #afterPowerCut}
 * and {@link #afterKill} give the disk that the next start finds.
 */
public final class SimulatedDisk implements Disk {
  private static final int SECTOR = 512;

  /** What a caller is about to do. */
  public enum Call {
    READ,
    WRITE,
    FORCE,
    FORCE_DIRECTORY,
    CREATE,
    RENAME,
    DELETE,
    TRUNCATE
  }

  /** Sees every call before it happens; may block it or throw. */
  public interface Hook {
    void before(Call call, String path) throws IOException;
  }

  /** The power went out under a call. */
  public static final class Crash extends Error {
    private static final long serialVersionUID = 1L;

    Crash() {
      super("simulated power cut", null, false, false);
    }
  }

  private final Random random;
  private final TreeMap<String, Inode> names = new TreeMap<>();
  private final TreeMap<String, Inode> durableNames = new TreeMap<>();
  private final TreeSet<String> directories = new TreeSet<>(Set.of(""));
  private final List<NameChange> pendingNames = new ArrayList<>();
  private final Set<String> locks = new HashSet<>();
  private final Object hookLock = new Object();
  private Hook hook = (call, path) -> {};
  private long capacity = Long.MAX_VALUE;
  private long operations;
  private long writes;
  private long forces;
  private long bytesRead;
  private long crashAt = Long.MAX_VALUE;
  private boolean crashed;
  private long clockMillis = 1_000_000;

  public SimulatedDisk(long seed) {
    random = new Random(seed);
  }

  /**
   * Power goes out before the k-th change (write, force, create, rename, delete, truncate; from 1)
   * from the disk's birth on.
   */
  public synchronized void crashAtOperation(long k) {
    crashAt = k;
  }

  public synchronized void crash() {
    crashed = true;
  }

  public synchronized boolean isCrashed() {
    return crashed;
  }

  public void before(Hook newHook) {
    synchronized (hookLock) {
      hook = newHook;
    }
  }

  /** From now on the files may hold this many bytes in all. */
  public synchronized void capacity(long bytes) {
    capacity = bytes;
  }

  /** Changes so far: the range of {@link #crashAtOperation}. */
  public synchronized long operations() {
    return operations;
  }

  public synchronized long writes() {
    return writes;
  }

  /** Bytes read from files so far. */
  public synchronized long bytesRead() {
    return bytesRead;
  }

  /** Forces of files, without those of directories. */
  public synchronized long forces() {
    return forces;
  }

  /** The disk after a power cut: forced data, and a random part of the rest. */
  public synchronized SimulatedDisk afterPowerCut() {
    SimulatedDisk next = new SimulatedDisk(random.nextLong());
    TreeMap<String, Inode> left = new TreeMap<>(durableNames);
    boolean all = random.nextInt(4) == 0;
    for (NameChange change : pendingNames) {
      if (all || random.nextBoolean()) {
        change.applyTo(left);
      }
    }
    left.forEach((name, inode) -> next.put(name, inode.afterPowerCut(random)));
    next.directories.addAll(directories);
    next.clockMillis = clockMillis;
    crashed = true;
    return next;
  }

  /** The disk after a kill of the process: all that was written, nothing of it forced by that. */
  public synchronized SimulatedDisk afterKill() {
    SimulatedDisk next = new SimulatedDisk(random.nextLong());
    durableNames.forEach((name, inode) -> next.durableNames.put(name, inode));
    names.forEach((name, inode) -> next.names.put(name, inode));
    next.pendingNames.addAll(pendingNames);
    next.directories.addAll(directories);
    next.clockMillis = clockMillis;
    crashed = true;
    return next;
  }

  /** A copy in which everything is durable, for tests that damage it. */
  public synchronized SimulatedDisk copy() {
    SimulatedDisk next = new SimulatedDisk(random.nextLong());
    names.forEach((name, inode) -> next.put(name, inode.current.clone(), inode.size));
    next.directories.addAll(directories);
    next.clockMillis = clockMillis;
    return next;
  }

  /** Changes a byte of a file behind the store's back. */
  public synchronized void flip(String path, long position) {
    Inode inode = names.get(path);
    inode.current[(int) position] ^= 0x55;
    if (position < inode.durable.length) {
      inode.durable[(int) position] = inode.current[(int) position];
    }
  }

  /** The contents of a file as they are now. */
  public synchronized byte[] contents(String path) throws IOException {
    Inode inode = names.get(path);
    if (inode == null) {
      throw new NoSuchFileException(path);
    }
    return java.util.Arrays.copyOf(inode.current, (int) inode.size);
  }

  /** Replaces a file behind the store's back, durably. */
  public synchronized void plant(String path, byte[] contents) {
    for (String at = Disk.parent(path); !at.isEmpty(); at = Disk.parent(at)) {
      directories.add(at);
    }
    put(path, contents.clone(), contents.length);
  }

  private void put(String name, byte[] contents, long size) {
    Inode inode = new Inode();
    inode.current = contents;
    inode.size = size;
    inode.durable = contents.clone();
    inode.durableSize = size;
    names.put(name, inode);
    durableNames.put(name, inode);
  }

  private void put(String name, Inode inode) {
    names.put(name, inode);
    durableNames.put(name, inode);
  }

  private void call(Call call, String path) throws IOException {
    Hook now;
    synchronized (hookLock) {
      now = hook;
    }
    now.before(call, path);
  }

  private void change() {
    alive();
    operations++;
    if (operations >= crashAt) {
      crashed = true;
      throw new Crash();
    }
  }

  private void alive() {
    if (crashed) {
      throw new Crash();
    }
  }

  private Inode existing(String path) throws IOException {
    alive();
    Inode inode = names.get(path);
    if (inode == null) {
      throw new NoSuchFileException(path);
    }
    return inode;
  }

  private long used() {
    return names.values().stream().mapToLong(inode -> inode.size).sum();
  }

  @Override
  public DiskFile create(String path) throws IOException {
    call(Call.CREATE, path);
    synchronized (this) {
      change();
      if (names.containsKey(path) || directories.contains(path)) {
        throw new FileAlreadyExistsException(path);
      }
      if (!directories.contains(Disk.parent(path))) {
        throw new NoSuchFileException(Disk.parent(path));
      }
      Inode inode = new Inode();
      inode.modified = ++clockMillis;
      names.put(path, inode);
      pendingNames.add(new NameChange("", path, inode));
      return new SimulatedFile(path, inode);
    }
  }

  @Override
  public synchronized DiskFile open(String path) throws IOException {
    return new SimulatedFile(path, existing(path));
  }

  @Override
  public synchronized DiskFile openForRead(String path) throws IOException {
    return new SimulatedFile(path, existing(path));
  }

  @Override
  public synchronized void createDirectories(String path) {
    alive();
    // Directories are durable at once: their loss is the same as that of all the names in them.
    for (String at = path; !at.isEmpty(); at = Disk.parent(at)) {
      directories.add(at);
    }
  }

  @Override
  public void delete(String path) throws IOException {
    call(Call.DELETE, path);
    synchronized (this) {
      change();
      if (directories.contains(path)) {
        if (!list(path).isEmpty()) {
          throw new DirectoryNotEmptyException(path);
        }
        directories.remove(path);
        return;
      }
      Inode inode = existing(path);
      names.remove(path);
      pendingNames.add(new NameChange(path, "", inode));
    }
  }

  @Override
  public void rename(String from, String to) throws IOException {
    call(Call.RENAME, from);
    synchronized (this) {
      change();
      Inode inode = existing(from);
      names.remove(from);
      names.put(to, inode);
      pendingNames.add(new NameChange(from, to, inode));
    }
  }

  @Override
  public synchronized List<String> list(String directory) throws IOException {
    alive();
    if (!directories.contains(directory)) {
      throw new NoSuchFileException(directory);
    }
    TreeSet<String> found = new TreeSet<>();
    for (String path : names.keySet()) {
      if (Disk.parent(path).equals(directory)) {
        found.add(Disk.name(path));
      }
    }
    for (String path : directories) {
      if (!path.isEmpty() && Disk.parent(path).equals(directory)) {
        found.add(Disk.name(path));
      }
    }
    return List.copyOf(found);
  }

  @Override
  public synchronized boolean exists(String path) {
    alive();
    return names.containsKey(path) || directories.contains(path);
  }

  @Override
  public synchronized boolean isDirectory(String path) {
    alive();
    return directories.contains(path);
  }

  @Override
  public synchronized long size(String path) throws IOException {
    return existing(path).size;
  }

  @Override
  public synchronized long lastModifiedMillis(String path) throws IOException {
    return existing(path).modified;
  }

  @Override
  public synchronized long usableSpace() {
    return Math.max(0, capacity - used());
  }

  @Override
  public void forceDirectory(String directory) throws IOException {
    call(Call.FORCE_DIRECTORY, directory);
    synchronized (this) {
      change();
      if (!directories.contains(directory)) {
        throw new FileNotFoundException(directory);
      }
      List<NameChange> kept = new ArrayList<>();
      for (NameChange change : pendingNames) {
        if (change.isIn(directory)) {
          change.applyTo(durableNames);
        } else {
          kept.add(change);
        }
      }
      pendingNames.clear();
      pendingNames.addAll(kept);
    }
  }

  @Override
  public synchronized Optional<Closeable> tryLock(String path) {
    alive();
    if (!locks.add(path)) {
      return Optional.empty();
    }
    return Optional.of(
        () -> {
          synchronized (SimulatedDisk.this) {
            locks.remove(path);
          }
        });
  }

  @Override
  public String describe(String path) {
    return "simulated:/" + path;
  }

  /** A name made, moved or removed; an empty name stands for none. */
  private record NameChange(String from, String to, Inode inode) {
    boolean isIn(String directory) {
      return !to.isEmpty() && Disk.parent(to).equals(directory)
          || !from.isEmpty() && Disk.parent(from).equals(directory);
    }

    void applyTo(TreeMap<String, Inode> target) {
      if (!from.isEmpty() && target.get(from) != inode) {
        return; // The name it starts from never became durable.
      }
      if (!from.isEmpty()) {
        target.remove(from);
      }
      if (!to.isEmpty()) {
        target.put(to, inode);
      }
    }
  }

  /** A write, or (without bytes) a cut, since the last force. */
  private record Change(long position, byte[] bytes, boolean cut) {}

  private static final class Inode {
    private byte[] current = new byte[0];
    private long size;
    private byte[] durable = new byte[0];
    private long durableSize;
    private final List<Change> pending = new ArrayList<>();
    private long modified;

    void apply(Change change) {
      if (change.cut()) {
        current = zeroed(current, change.position());
        size = Math.min(size, change.position());
      } else {
        current = grown(current, change.position() + change.bytes().length);
        System.arraycopy(
            change.bytes(), 0, current, (int) change.position(), change.bytes().length);
        size = Math.max(size, change.position() + change.bytes().length);
      }
    }

    void applyDurably(Change change) {
      if (change.cut()) {
        durable = zeroed(durable, change.position());
        durableSize = Math.min(durableSize, change.position());
      } else {
        durable = grown(durable, change.position() + change.bytes().length);
        System.arraycopy(
            change.bytes(), 0, durable, (int) change.position(), change.bytes().length);
        durableSize = Math.max(durableSize, change.position() + change.bytes().length);
      }
    }

    void force() {
      pending.forEach(this::applyDurably);
      pending.clear();
    }

    /**
     * As a kernel does it: what could not be written is dropped, and later forces know nothing of
     * it.
     */
    void failedForce(Random random) {
      for (Change change : pending) {
        if (random.nextBoolean()) {
          applyDurably(change);
        }
      }
      pending.clear();
    }

    Inode afterPowerCut(Random random) {
      Inode next = new Inode();
      next.durable = durable.clone();
      next.durableSize = durableSize;
      next.modified = modified;
      for (Change change : pending) {
        switch (random.nextInt(4)) {
          case 0 -> next.applyDurably(change);
          case 1 -> {} // lost
          default -> next.applyTorn(change, random);
        }
      }
      next.current = next.durable.clone();
      next.size = next.durableSize;
      return next;
    }

    private void applyTorn(Change change, Random random) {
      if (change.cut()) {
        return;
      }
      long end = change.position() + change.bytes().length;
      long at = change.position();
      while (at < end) {
        long next = Math.min(end, (at / SECTOR + 1) * SECTOR);
        if (random.nextBoolean()) {
          byte[] part =
              java.util.Arrays.copyOfRange(
                  change.bytes(), (int) (at - change.position()), (int) (next - change.position()));
          applyDurably(new Change(at, part, false));
        }
        at = next;
      }
    }

    private static byte[] grown(byte[] bytes, long size) {
      if (bytes.length >= size) {
        return bytes;
      }
      return java.util.Arrays.copyOf(
          bytes, (int) Math.max(size, Math.min(bytes.length * 2L, 1 << 28)));
    }

    private static byte[] zeroed(byte[] bytes, long from) {
      if (from < bytes.length) {
        java.util.Arrays.fill(bytes, (int) from, bytes.length, (byte) 0);
      }
      return bytes;
    }
  }

  private final class SimulatedFile implements DiskFile {
    private final String path;
    private final Inode inode;

    SimulatedFile(String path, Inode inode) {
      this.path = path;
      this.inode = inode;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      call(Call.READ, path);
      synchronized (SimulatedDisk.this) {
        alive();
        int count = (int) Math.max(0, Math.min(target.remaining(), inode.size - position));
        target.put(inode.current, count == 0 ? 0 : (int) position, count);
        bytesRead += count;
        return count;
      }
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      call(Call.WRITE, path);
      synchronized (SimulatedDisk.this) {
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        Change written = new Change(position, bytes, false);
        long growth = Math.max(0, position + bytes.length - inode.size);
        if (growth > 0 && used() + growth > capacity) {
          throw new IOException("No space left on device");
        }
        writes++;
        alive();
        operations++;
        // A write under which the power goes out may still have reached the disk in part.
        inode.pending.add(written);
        inode.apply(written);
        inode.modified = ++clockMillis;
        if (operations >= crashAt) {
          crashed = true;
          throw new Crash();
        }
      }
    }

    @Override
    public void write(ByteBuffer[] sources, long position) throws IOException {
      long at = position;
      for (ByteBuffer source : sources) {
        int length = source.remaining();
        write(source, at);
        at += length;
      }
    }

    @Override
    public void force() throws IOException {
      try {
        call(Call.FORCE, path);
      } catch (IOException e) {
        synchronized (SimulatedDisk.this) {
          inode.failedForce(random);
        }
        throw e;
      }
      synchronized (SimulatedDisk.this) {
        change();
        forces++;
        inode.force();
      }
    }

    @Override
    public long size() {
      synchronized (SimulatedDisk.this) {
        alive();
        return inode.size;
      }
    }

    @Override
    public void truncate(long size) throws IOException {
      call(Call.TRUNCATE, path);
      synchronized (SimulatedDisk.this) {
        change();
        if (size < inode.size) {
          Change cut = new Change(size, new byte[0], true);
          inode.pending.add(cut);
          inode.apply(cut);
          inode.modified = ++clockMillis;
        }
      }
    }

    @Override
    public void copyTo(long position, long count, DiskFile target, long targetPosition)
        throws IOException {
      ByteBuffer bytes = ByteBuffer.allocate((int) count);
      if (read(bytes, position) < count) {
        throw new java.io.EOFException(path + " ends too early to copy");
      }
      target.write(bytes.flip(), targetPosition);
    }

    @Override
    public void close() {}
  }
}
