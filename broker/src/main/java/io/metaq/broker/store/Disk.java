package io.metaq.broker.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One data directory. The only way of the store to files, so that a test can put a disk in its
 * place that fails, stalls, or loses what was not forced.
 *
 * <p>Paths are relative, separated by {@code /}; the empty path is the data directory itself. A
 * created, renamed or deleted name is durable only after {@link #forceDirectory} of the directory
 * that holds it. Implementations are safe for use by several threads.
 */
public interface Disk {

  /** Creates a file that must not exist yet and opens it for reading and writing. */
  DiskFile create(String path) throws IOException;

  /** Opens an existing file for reading and writing. */
  DiskFile open(String path) throws IOException;

  /** Opens an existing file for reading. */
  DiskFile openForRead(String path) throws IOException;

  /** Creates a directory and its missing parents; does nothing where it exists. */
  void createDirectories(String path) throws IOException;

  /** Deletes a file or an empty directory, which must exist. */
  void delete(String path) throws IOException;

  /** Renames a file atomically, replacing a file that has the new name. */
  void rename(String from, String to) throws IOException;

  /** The names (not paths) in a directory, sorted. */
  List<String> list(String directory) throws IOException;

  boolean exists(String path);

  boolean isDirectory(String path);

  /** The size of a file in bytes. */
  long size(String path) throws IOException;

  /** When a file was last written, in milliseconds since the epoch. */
  long lastModifiedMillis(String path) throws IOException;

  /** Bytes that can still be written, as the file system sees it. */
  long usableSpace() throws IOException;

  /** Makes the names in a directory durable. */
  void forceDirectory(String directory) throws IOException;

  /**
   * Takes a lock against other processes (and other users in this one) that ends when it is closed;
   * empty when it is taken.
   */
  Optional<Closeable> tryLock(String path) throws IOException;

  /** A path as an operator would type it, for messages. */
  String describe(String path);

  /** Creates a directory whose name is durable afterwards. */
  default void createDirectoryDurably(String path) throws IOException {
    if (!isDirectory(path)) {
      createDirectories(path);
      for (String at = path; !at.isEmpty(); at = parent(at)) {
        forceDirectory(parent(at));
      }
    }
  }

  /** The directory that holds a path. */
  static String parent(String path) {
    int slash = path.lastIndexOf('/');
    return slash < 0 ? "" : path.substring(0, slash);
  }

  /** The last name of a path. */
  static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
