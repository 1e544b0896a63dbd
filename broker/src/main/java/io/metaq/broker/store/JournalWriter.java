package io.metaq.broker.store;

import io.metaq.broker.store.JournalFiles.OpenFile;
import io.metaq.broker.store.JournalTail.FileRange;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes batches one behind the other and rolls from file to file. Used by one thread at a time
 * (whichever flushes); it knows the chain of batches, not who waits for them.
 */
final class JournalWriter {
  private final JournalFiles files;
  private final long epoch;
  private OpenFile current;
  private long offset;
  private long end;
  private long forcedPosition;
  private int checksum;
  private final AtomicLong remaining = new AtomicLong();
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong forces = new AtomicLong();
  private final AtomicLong filesBegun = new AtomicLong();

  JournalWriter(JournalFiles files, JournalTail tail, long epoch) throws IOException {
    this.files = files;
    this.epoch = epoch;
    this.end = tail.end();
    // Recovery forced what it accepted.
    this.forcedPosition = tail.end();
    this.checksum = tail.checksum();
    begin(files.takeNext());
    files.retain(new FileRange(current.generation(), tail.lastIndex() + 1, offset));
  }

  long remaining() {
    return remaining.get();
  }

  JournalStats stats(long recentForceNanos) {
    return new JournalStats(
        batches.get(), bytes.get(), forces.get(), filesBegun.get(), recentForceNanos);
  }

  void write(JournalBatch batch) throws IOException {
    if (batch.sizeOnDisk() > remaining.get()) {
      roll(batch.lastIndex() - batch.count() + 1);
    }
    append(batch);
  }

  void force() throws IOException {
    current.file().force();
    forcedPosition = end;
    forces.incrementAndGet();
  }

  /** After a clean end nothing is left that could be taken for a torn tail. */
  void writeClosingBatch(long lastIndex) throws IOException {
    JournalBatch closing = new JournalBatch(0);
    closing.beginEmpty(lastIndex + 1);
    if (closing.sizeOnDisk() <= remaining.get()) {
      append(closing);
      force();
    }
  }

  void close() throws IOException {
    current.file().close();
  }

  private void append(JournalBatch batch) throws IOException {
    long position = JournalFormat.position(current.generation(), offset);
    JournalBatch.Sealed sealed = batch.seal(position, end, forcedPosition, epoch, checksum);
    long size = sealed.bytes().remaining();
    current.file().write(sealed.bytes(), offset);
    checksum = sealed.checksum();
    offset += size;
    end = position + size;
    remaining.addAndGet(-size);
    batches.incrementAndGet();
    bytes.addAndGet(size);
  }

  /** The old file is forced first, so that no batch of the new one can outlive one of the old. */
  private void roll(long firstIndex) throws IOException {
    force();
    OpenFile old = current;
    OpenFile next;
    try {
      next = files.takeNext();
    } catch (IOException e) {
      // Nothing of the running file is harmed: the batch can be written once there is space.
      throw new JournalStalledException(e);
    }
    begin(next);
    files.retain(new FileRange(current.generation(), firstIndex, offset));
    old.file().close();
  }

  private void begin(OpenFile file) {
    current = file;
    offset = JournalFormat.BLOCK;
    remaining.set(file.size() - offset);
    filesBegun.incrementAndGet();
  }
}
