package io.metaq.broker.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All partition logs of a data directory: names their directories and bounds the files they keep
 * open together.
 */
public final class PartitionLogs implements AutoCloseable {
  /** Below the data directory. */
  public static final String DIRECTORY = "partitions";

  private final Disk disk;
  private final FileCache files;

  /**
   * @param maxOpenFiles for all logs together
   */
  public PartitionLogs(Disk disk, int maxOpenFiles) throws IOException {
    this(disk, maxOpenFiles, false);
    disk.createDirectoryDurably(DIRECTORY);
  }

  PartitionLogs(Disk disk, int maxOpenFiles, boolean readOnly) {
    this.disk = disk;
    this.files = new FileCache(disk, maxOpenFiles, readOnly);
  }

  /** Opens a log as a snapshot describes it. Nothing is read or created yet. */
  public PartitionLog open(LogName name, LogState state) {
    return new PartitionLog(disk, files, DIRECTORY + "/" + name.directory(), name, state);
  }

  /**
   * The partition directories that exist. Anything else there, such as MetaQ's {@code
   * transactions}, is left out.
   */
  public List<LogName> list() throws IOException {
    List<LogName> names = new ArrayList<>();
    if (disk.isDirectory(DIRECTORY)) {
      for (String directory : disk.list(DIRECTORY)) {
        Optional<LogName> name = LogName.parse(directory);
        if (name.isPresent() && disk.isDirectory(DIRECTORY + "/" + directory)) {
          names.add(name.get());
        }
      }
    }
    return names;
  }

  public int openFiles() {
    return files.size();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
