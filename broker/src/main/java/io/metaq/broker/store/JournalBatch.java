package io.metaq.broker.store;

import java.nio.ByteBuffer;

/**
 * Entries gathered in memory until they are written together: a buffer outside the heap that
 * already has the layout of the disk, so that an entry is copied once and a batch is one write.
 * Used again and again.
 */
final class JournalBatch {
  private final ByteBuffer buffer;
  private final byte[] zeros = new byte[JournalFormat.BLOCK];
  private long firstIndex;
  private int count;

  JournalBatch(int entryBytes) {
    buffer = ByteBuffer.allocateDirect((int) JournalFormat.batchSize(entryBytes));
    clear();
  }

  void clear() {
    buffer.clear().position(JournalFormat.BATCH_HEADER);
    count = 0;
  }

  boolean isEmpty() {
    return count == 0;
  }

  int count() {
    return count;
  }

  int capacity() {
    return buffer.capacity();
  }

  /** Bytes of entries, with their length prefixes. */
  int length() {
    return buffer.position() - JournalFormat.BATCH_HEADER;
  }

  long sizeOnDisk() {
    return JournalFormat.batchSize(length());
  }

  long lastIndex() {
    return firstIndex + count - 1;
  }

  boolean hasRoomFor(int payload) {
    return buffer.capacity() - buffer.position() >= payload + 4;
  }

  void add(long index, int payload, ByteBuffer[] parts) {
    if (count == 0) {
      firstIndex = index;
    }
    count++;
    buffer.putInt(payload);
    for (ByteBuffer part : parts) {
      buffer.put(part);
    }
  }

  /** For a batch that holds no entries but states what is forced. */
  void beginEmpty(long nextIndex) {
    firstIndex = nextIndex;
  }

  /**
   * Completes header and padding. The result is to be written at the position; {@link #clear} frees
   * the batch for new entries.
   */
  Sealed seal(long position, long previousEnd, long forced, long epoch, int previousChecksum) {
    int length = length();
    int size = (int) sizeOnDisk();
    buffer.put(zeros, 0, size - buffer.position());
    int checksum =
        JournalFormat.putBatchHeader(
            buffer,
            new JournalFormat.BatchHeader(
                position,
                previousEnd,
                forced,
                firstIndex,
                epoch,
                count,
                length,
                previousChecksum,
                0));
    buffer.position(JournalFormat.BATCH_HEADER + length);
    return new Sealed(buffer.slice(0, size), checksum);
  }

  record Sealed(ByteBuffer bytes, int checksum) {}
}
