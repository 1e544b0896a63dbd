package io.metaq.broker.store;

import io.metaq.broker.store.JournalTail.FileRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * The journal: takes entries from one thread (the loop), and makes them durable in groups.
 *
 * <p>Group commit: while a force is running, everything appended meanwhile gathers and goes out
 * together with the next one; when none is running, a demand starts one at once. Nobody ever waits
 * for a batch to fill. With the journal idle and few entries waiting, the loop writes and forces
 * itself, because that is cheaper than waking another thread, unless forces have been slow lately.
 * Otherwise the journal thread does it and reports back with at most one task in the loop's queue.
 *
 * <p>{@link #append}, {@link #pump}, {@link #free} and {@link #close} are for the loop only.
 */
public final class Journal implements AutoCloseable {

  /** What a caller of {@link #pump} wants for everything appended so far. */
  public enum Demand {
    /** That it is written: it survives the end of the process. */
    WRITE,
    /** That it is forced: it survives a power cut. */
    FORCE
  }

  private static final long STALL_RETRY_NANOS = 500_000_000;

  private final JournalSettings settings;
  private final JournalFiles files;
  private final JournalWriter writer;
  private final JournalListener listener;
  private final Executor journalThread;
  private final Executor loop;
  private final LongSupplier nanoClock;
  private final AtomicBoolean reportQueued = new AtomicBoolean();

  /** Guards the hand-over between loop and journal thread: the fields up to the blank line. */
  private final Object lock = new Object();

  private final JournalQueue queue;
  private boolean flushing;
  private boolean writeWanted;
  private boolean forceWanted;
  private boolean stalled;
  private long stalledAt;

  private volatile long writtenIndex;
  private volatile long forcedIndex;
  private volatile long recentForceNanos;
  private volatile Throwable failure;
  private long reportedWritten;
  private long reportedForced;
  private boolean reportedFailure;
  private boolean pumping;

  /**
   * Continues a recovered journal in a new file.
   *
   * @param tail what {@link JournalRecovery} found
   * @param journalThread runs one task at a time, apart from the loop
   * @param background makes files ready and takes them back; may be slow
   * @param loop runs tasks on the thread that owns the journal
   * @param nanoClock for measuring forces
   */
  public Journal(
      Disk disk,
      JournalSettings settings,
      JournalTail tail,
      Executor journalThread,
      Executor background,
      Executor loop,
      LongSupplier nanoClock,
      JournalListener listener)
      throws IOException {
    this.settings = settings;
    this.journalThread = journalThread;
    this.loop = loop;
    this.nanoClock = nanoClock;
    this.listener = listener;
    disk.createDirectoryDurably(settings.directory());
    files = new JournalFiles(disk, settings, tail, background);
    writer = new JournalWriter(files, tail, settings.epoch());
    queue = new JournalQueue(settings, tail.lastIndex());
    writtenIndex = tail.lastIndex();
    forcedIndex = tail.lastIndex();
    reportedWritten = tail.lastIndex();
    reportedForced = tail.lastIndex();
  }

  /**
   * Queues an entry; its bytes are copied.
   *
   * @return the entry's index
   * @throws JournalFailedException after a failed write or force
   */
  public long append(ByteBuffer... payload) {
    int length = 0;
    for (ByteBuffer part : payload) {
      length = Math.addExact(length, part.remaining());
    }
    if (length > settings.maxEntryBytes()) {
      throw new IllegalArgumentException(
          "a journal entry of "
              + length
              + " bytes is above the bound of "
              + settings.maxEntryBytes());
    }
    if (failure != null) {
      throw new JournalFailedException(failure);
    }
    synchronized (lock) {
      return queue.add(length, payload);
    }
  }

  /**
   * Sees to it that everything appended so far is written or forced soon, or now. Call it at the
   * end of a burst of commands. Entries for which nobody asks wait and go out with the next demand.
   * While {@link #trouble} says that the journal cannot grow, call it again from time to time: it
   * tries anew every half second.
   */
  public void pump(Demand demand) {
    boolean inline;
    synchronized (lock) {
      writeWanted = true;
      forceWanted |= demand == Demand.FORCE;
      // A running flush looks again before it ends, and so does the pump in whose listener call we
      // are.
      if (flushing || pumping || failure != null) {
        return;
      }
      if (!workWanted() || stalledRecently()) {
        forceWanted &= !queue.isEmpty();
        return;
      }
      flushing = true;
      inline = canFlushInline();
    }
    if (!inline) {
      journalThread.execute(this::flushOnJournalThread);
      return;
    }
    pumping = true;
    boolean more;
    try {
      flushGroup();
      synchronized (lock) {
        flushing = false;
      }
      report();
    } finally {
      pumping = false;
      synchronized (lock) {
        more = failure == null && workWanted() && !stalledRecently();
        flushing = more;
      }
    }
    if (more) {
      journalThread.execute(this::flushOnJournalThread);
    }
    rethrowError();
  }

  /** The index of the last entry appended. */
  public long lastIndex() {
    synchronized (lock) {
      return queue.lastIndex();
    }
  }

  /** All entries up to this one are forced; any thread may ask. */
  public long committedIndex() {
    return forcedIndex;
  }

  /** All entries up to this one are written; any thread may ask. */
  public long writtenIndex() {
    return writtenIndex;
  }

  /** Bytes appended and not yet written: what a caller bounds. */
  public long queuedBytes() {
    synchronized (lock) {
      return queue.bytes();
    }
  }

  /** Bytes that can still be appended without new space of the disk; any thread may ask. */
  public long headroom() {
    return writer.remaining() + files.spareBytes();
  }

  /** Why the journal cannot grow at present (a full disk); empty when it can. */
  public String trouble() {
    return files.trouble();
  }

  public JournalStats stats() {
    return writer.stats(recentForceNanos);
  }

  /**
   * Entries up to the index are in a snapshot and in the partition logs: files that hold no others
   * are taken back.
   */
  public void free(long upToIndex) {
    files.free(Math.min(upToIndex, forcedIndex));
  }

  /** The files that hold entries now, oldest first. */
  public Iterable<FileRange> retainedFiles() {
    return files.retained();
  }

  /**
   * Forces what is queued, states in the journal that all of it is forced, and closes the files.
   */
  @Override
  public void close() throws IOException {
    synchronized (lock) {
      boolean interrupted = false;
      while (flushing) {
        try {
          lock.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      flushing = true;
      writeWanted = true;
      forceWanted = true;
    }
    boolean complete = failure == null && flushGroup();
    report();
    try {
      if (complete) {
        writer.writeClosingBatch(lastIndex());
      }
    } finally {
      writer.close();
      files.close();
    }
  }

  private boolean workWanted() {
    return !queue.isEmpty() && (writeWanted || forceWanted)
        || forceWanted && forcedIndex < writtenIndex;
  }

  private boolean canFlushInline() {
    return settings.inlineForce()
        && queue.entries() <= settings.inlineMaxEntries()
        && recentForceNanos <= settings.inlineForceLimitNanos()
        && queue.isOneBatchWithin(writer.remaining());
  }

  private void flushOnJournalThread() {
    boolean more = true;
    while (more) {
      boolean flushed = flushGroup();
      synchronized (lock) {
        more = flushed && workWanted();
        flushing = more;
        lock.notifyAll();
      }
      if (reportQueued.compareAndSet(false, true)) {
        loop.execute(
            () -> {
              reportQueued.set(false);
              report();
            });
      }
    }
    rethrowError();
  }

  /**
   * Writes all that is queued, forces if wanted; false when that failed, for good or for the time
   * being.
   */
  private boolean flushGroup() {
    ArrayDeque<JournalBatch> group;
    boolean force;
    synchronized (lock) {
      group = queue.takeAll();
      force = forceWanted;
      writeWanted = false;
      forceWanted = false;
    }
    try {
      while (!group.isEmpty()) {
        writer.write(group.peek());
        writtenIndex = group.peek().lastIndex();
        JournalBatch written = group.remove();
        synchronized (lock) {
          queue.recycle(written);
        }
      }
      if (force) {
        force();
      }
      return true;
    } catch (JournalStalledException e) {
      putBack(group, force);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    return false;
  }

  private void force() throws IOException {
    long began = nanoClock.getAsLong();
    writer.force();
    long took = nanoClock.getAsLong() - began;
    recentForceNanos = recentForceNanos == 0 ? took : (recentForceNanos * 7 + took) / 8;
    forcedIndex = writtenIndex;
  }

  private void putBack(ArrayDeque<JournalBatch> group, boolean force) {
    synchronized (lock) {
      queue.putBack(group);
      writeWanted = true;
      forceWanted |= force;
      stalledAt = nanoClock.getAsLong();
      stalled = true;
    }
  }

  private boolean stalledRecently() {
    if (stalled && nanoClock.getAsLong() - stalledAt > STALL_RETRY_NANOS) {
      stalled = false;
    }
    return stalled;
  }

  /** A simulated power cut or a lack of memory must reach whoever runs this thread. */
  private void rethrowError() {
    if (failure instanceof Error error) {
      throw error;
    }
  }

  private void report() {
    if (failure != null) {
      if (!reportedFailure) {
        reportedFailure = true;
        listener.onFatal(failure);
      }
      return;
    }
    long forced = forcedIndex;
    long written = writtenIndex;
    if (written > reportedWritten) {
      reportedWritten = written;
      listener.onWritten(written);
    }
    if (forced > reportedForced) {
      reportedForced = forced;
      listener.onForced(forced);
    }
  }
}
