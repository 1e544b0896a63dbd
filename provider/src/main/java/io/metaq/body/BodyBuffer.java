package io.metaq.body;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * A body that is being written: append only, in memory up to the storage's limit and then in a
 * temporary file.
 *
 * <p>Because it only grows, a {@link #snapshot} shares its bytes instead of copying them. Not
 * thread-safe; its snapshots are.
 */
public final class BodyBuffer extends OutputStream {

  private static final int FILE_BUFFER = 1 << 16;

  private final BodyStorage storage;

  /** Until the first spill the whole body, then its end that is not yet in the file. */
  private byte[] memory = new byte[64];

  private int used;
  private SpillFile file;
  private long inFile;

  BodyBuffer(BodyStorage storage) {
    this.storage = storage;
  }

  /** The number of bytes written so far. */
  public long length() {
    return inFile + used;
  }

  @Override
  public void write(int b) throws IOException {
    makeRoom(1);
    memory[used++] = (byte) b;
  }

  @Override
  public void write(byte[] source, int offset, int count) throws IOException {
    Objects.checkFromIndexSize(offset, count, source.length);
    makeRoom(count);
    if (file != null && count > memory.length - used) {
      flushToFile();
      file.write(inFile, source, offset, count);
      inFile += count;
    } else {
      System.arraycopy(source, offset, memory, used, count);
      used += count;
    }
  }

  /** What has been written so far; later writes do not change it. */
  public Body snapshot() throws IOException {
    if (file == null) {
      return new MemoryBody(memory, 0, used);
    }
    flushToFile();
    return new SpilledBody(file, inFile);
  }

  /** Grows the array while in memory; spills when the limit is passed; flushes a full buffer. */
  private void makeRoom(int count) throws IOException {
    if (file == null) {
      long needed = (long) used + count;
      if (needed <= Math.max(memory.length, storage.memoryLimit())) {
        if (needed > memory.length) {
          long doubled = Math.min(memory.length * 2L, Math.max(64, storage.memoryLimit()));
          memory = Arrays.copyOf(memory, (int) Math.max(doubled, needed));
        }
        return;
      }
      file = storage.newFile();
      flushToFile();
      // A new array: snapshots may still share the old one.
      memory = new byte[FILE_BUFFER];
    } else if (count > memory.length - used) {
      flushToFile();
    }
  }

  private void flushToFile() throws IOException {
    file.write(inFile, memory, 0, used);
    inFile += used;
    used = 0;
  }
}
