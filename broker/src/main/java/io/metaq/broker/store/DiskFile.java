package io.metaq.broker.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file of a {@link Disk}. All access is positional, so several threads can share one; a
 * thread that uses it must not be interrupted (the JDK closes the file under all its users then).
 */
public interface DiskFile extends Closeable {

  /**
   * Reads until the target is full or the file ends.
   *
   * @return the bytes read, 0 at or after the end of the file
   */
  int read(ByteBuffer target, long position) throws IOException;

  /** Writes all of the source; a write beyond the end extends the file. */
  void write(ByteBuffer source, long position) throws IOException;

  /** Writes all of the sources one behind the other. */
  void write(ByteBuffer[] sources, long position) throws IOException;

  /** Makes the contents and the size of the file durable (not its name). */
  void force() throws IOException;

  long size() throws IOException;

  /** Cuts the file; does nothing when it is not longer. */
  void truncate(long size) throws IOException;

  /** Copies a range to another file of the same disk. */
  void copyTo(long position, long count, DiskFile target, long targetPosition) throws IOException;
}
