package io.metaq.body;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.file.Path;

/**
 * Where bodies are kept: how much of one in memory, and the directory for the rest.
 *
 * <p>One per connection factory or broker; owns the thread that removes files of forgotten bodies.
 */
public final class BodyStorage {

  /** Bodies up to this many bytes stay in memory unless told otherwise. */
  public static final int DEFAULT_MEMORY_LIMIT = 1 << 20;

  private final Path directory;
  private final int memoryLimit;
  private Cleaner cleaner;

  /** The system's temporary directory and {@link #DEFAULT_MEMORY_LIMIT}. */
  public BodyStorage() {
    this(null, DEFAULT_MEMORY_LIMIT);
  }

  /**
   * Creates a storage.
   *
   * @param directory where temporary files go, created when first needed; null for the system's own
   * @param memoryLimit bytes of one body kept in memory, from 0
   */
  public BodyStorage(Path directory, int memoryLimit) {
    this.directory = directory;
    this.memoryLimit = memoryLimit;
  }

  /** A new, empty body to write. */
  public BodyBuffer newBuffer() {
    return new BodyBuffer(this);
  }

  int memoryLimit() {
    return memoryLimit;
  }

  /** The cleaner's thread is only started where a body is ever spilled. */
  synchronized SpillFile newFile() throws IOException {
    if (cleaner == null) {
      cleaner = Cleaner.create();
    }
    try {
      return SpillFile.create(directory, cleaner);
    } catch (IOException e) {
      String where = directory == null ? System.getProperty("java.io.tmpdir") : "" + directory;
      throw new IOException(
          "Cannot create a temporary file for a large message body in " + where, e);
    }
  }
}
