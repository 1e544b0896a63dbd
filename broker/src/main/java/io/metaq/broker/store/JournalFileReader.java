package io.metaq.broker.store;

import io.metaq.broker.store.JournalFormat.BatchHeader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Finds batches in one journal file. It reads through a window that grows to the largest batch met,
 * so memory does not depend on the size of the file. It judges a batch by itself only; whether it
 * belongs to the chain is the caller's business.
 */
final class JournalFileReader implements Closeable {
  private static final int WINDOW = 256 << 10;

  private final DiskFile file;
  private final long generation;
  private final long size;
  private ByteBuffer window = ByteBuffer.allocate(WINDOW);
  private long windowStart;
  private int entriesAt;

  JournalFileReader(DiskFile file, long generation) throws IOException {
    this.file = file;
    this.generation = generation;
    this.size = file.size();
    window.limit(0);
  }

  long size() {
    return size;
  }

  /** The generation that the file's own header states; empty when there is no intact header. */
  Optional<Long> statedGeneration() throws IOException {
    if (!load(0, (int) Math.min(size, JournalFormat.BLOCK))) {
      return Optional.empty();
    }
    return JournalFormat.parseFileHeader(window.slice(0, window.limit()));
  }

  /**
   * The intact batch that begins at a byte of the file, if there is one. {@link #entries} is valid
   * until the next call.
   */
  Optional<BatchHeader> batchAt(long offset) throws IOException {
    long position = JournalFormat.position(generation, offset);
    if (!load(offset, JournalFormat.BATCH_HEADER)) {
      return Optional.empty();
    }
    int start = (int) (offset - windowStart);
    if (!JournalFormat.looksLikeBatch(window, start, position)) {
      return Optional.empty();
    }
    int length = JournalFormat.batchLength(window, start);
    long whole = (long) JournalFormat.BATCH_HEADER + length;
    if (whole > size - offset || !load(offset, (int) whole)) {
      return Optional.empty();
    }
    start = (int) (offset - windowStart);
    entriesAt = start + JournalFormat.BATCH_HEADER;
    return JournalFormat.parseBatch(window, start);
  }

  /** Hands the entries of the batch found last, from an index on, to the reader. */
  void entries(BatchHeader batch, long fromIndex, EntryReader reader) throws IOException {
    int at = entriesAt;
    int end = entriesAt + batch.length();
    for (long index = batch.firstIndex(); index <= batch.lastIndex(); index++) {
      int length = end - at < 4 ? -1 : window.getInt(at);
      if (length < 0 || length > end - at - 4) {
        throw new StoreException(
            "journal entry " + index + " is longer than its batch although the checksum is right");
      }
      if (index >= fromIndex) {
        reader.entry(index, batch.epoch(), window.slice(at + 4, length).asReadOnlyBuffer());
      }
      at += 4 + length;
    }
  }

  /**
   * Looks for any intact batch of this file from a byte on, wherever it begins; returns the highest
   * position stated as forced.
   */
  long highestForcedStatedFrom(long offset) throws IOException {
    long highest = 0;
    for (long at = offset; at + JournalFormat.BATCH_HEADER <= size; at += JournalFormat.BLOCK) {
      Optional<BatchHeader> batch = batchAt(at);
      if (batch.isPresent()) {
        highest = Math.max(highest, batch.get().forcedPosition());
      }
    }
    return highest;
  }

  /** Makes that many bytes from an offset on available; false where the file ends before. */
  private boolean load(long offset, int length) throws IOException {
    if (offset >= windowStart && offset + length <= windowStart + window.limit()) {
      return true;
    }
    if (offset + length > size) {
      return false;
    }
    if (window.capacity() < length) {
      window = ByteBuffer.allocate(Math.max(length, window.capacity() * 2));
    }
    window.clear();
    file.read(window, offset);
    window.flip();
    windowStart = offset;
    return window.limit() >= length;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
