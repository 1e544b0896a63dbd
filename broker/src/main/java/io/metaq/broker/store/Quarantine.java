package io.metaq.broker.store;

import java.io.IOException;

/** Keeps copies of damaged ranges for analysis, in one directory whatever they were part of. */
final class Quarantine {
  static final String DIRECTORY = "quarantine";

  private final Disk disk;

  Quarantine(Disk disk) {
    this.disk = disk;
  }

  /**
   * Copies a range of a file; returns the path of the copy. Doing it again for the same range
   * changes nothing.
   */
  String copy(String path, long from, long length) throws IOException {
    String target = DIRECTORY + "/" + path.replace('/', '_') + "." + from;
    if (disk.exists(target)) {
      return target;
    }
    disk.createDirectoryDurably(DIRECTORY);
    String unfinished = target + JournalFiles.UNFINISHED;
    if (disk.exists(unfinished)) {
      disk.delete(unfinished);
    }
    try (DiskFile source = disk.openForRead(path);
        DiskFile copy = disk.create(unfinished)) {
      source.copyTo(from, length, copy, 0);
      copy.force();
    }
    disk.rename(unfinished, target);
    disk.forceDirectory(DIRECTORY);
    return target;
  }
}
