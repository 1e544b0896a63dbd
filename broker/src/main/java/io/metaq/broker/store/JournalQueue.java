package io.metaq.broker.store;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Entries that wait to be written, already in the batches in which they will be. Keeps written
 * batches to fill them again, up to a bound, since memory outside the heap comes back late by
 * itself. Not safe for several threads: the {@link Journal} guards it.
 */
final class JournalQueue {
  private static final long MAX_SPARE_BYTES = 32 << 20;

  private final JournalSettings settings;
  private final ArrayDeque<JournalBatch> full = new ArrayDeque<>();
  private final ArrayDeque<JournalBatch> spare = new ArrayDeque<>();
  private JournalBatch filling;
  private long spareBytes;
  private long lastIndex;
  private int entries;
  private long bytes;

  JournalQueue(JournalSettings settings, long lastIndex) {
    this.settings = settings;
    this.lastIndex = lastIndex;
    this.filling = new JournalBatch(settings.batchBytes());
  }

  /** Copies an entry in; returns its index. */
  long add(int length, ByteBuffer[] payload) {
    if (!filling.hasRoomFor(length)) {
      if (!filling.isEmpty()) {
        full.add(filling);
      } else {
        recycle(filling);
      }
      filling = emptyBatch(length + 4);
    }
    filling.add(++lastIndex, length, payload);
    entries++;
    bytes += length;
    return lastIndex;
  }

  /** The index of the last entry added. */
  long lastIndex() {
    return lastIndex;
  }

  boolean isEmpty() {
    return entries == 0;
  }

  int entries() {
    return entries;
  }

  long bytes() {
    return bytes;
  }

  /** Whether all that waits is one batch that takes no more than some space on disk. */
  boolean isOneBatchWithin(long room) {
    return full.isEmpty() && filling.sizeOnDisk() <= room;
  }

  /** Takes all batches, oldest first. */
  ArrayDeque<JournalBatch> takeAll() {
    ArrayDeque<JournalBatch> taken = new ArrayDeque<>(full);
    full.clear();
    if (!filling.isEmpty()) {
      taken.add(filling);
      filling = emptyBatch(settings.batchBytes());
    }
    entries = 0;
    bytes = 0;
    return taken;
  }

  /** Puts batches that could not be written back to the front. */
  void putBack(ArrayDeque<JournalBatch> batches) {
    while (!batches.isEmpty()) {
      JournalBatch batch = batches.removeLast();
      entries += batch.count();
      bytes += batch.length();
      full.addFirst(batch);
    }
  }

  /** Takes a written batch to fill it again. */
  void recycle(JournalBatch batch) {
    if (spareBytes + batch.capacity() <= MAX_SPARE_BYTES) {
      batch.clear();
      spareBytes += batch.capacity();
      spare.push(batch);
    }
  }

  private JournalBatch emptyBatch(int entryBytes) {
    for (Iterator<JournalBatch> candidates = spare.iterator(); candidates.hasNext(); ) {
      JournalBatch candidate = candidates.next();
      if (candidate.hasRoomFor(entryBytes - 4)) {
        candidates.remove();
        spareBytes -= candidate.capacity();
        return candidate;
      }
    }
    return new JournalBatch(Math.max(entryBytes, settings.batchBytes()));
  }
}
