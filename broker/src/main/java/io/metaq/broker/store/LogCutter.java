package io.metaq.broker.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the files of a partition log what a recovery says they are: nothing behind the end, no
 * segments of another life.
 */
final class LogCutter {
  private final Disk disk;
  private final FileCache files;
  private final String directory;
  private final LogView view;
  private final List<String> reports = new ArrayList<>();

  LogCutter(Disk disk, FileCache files, String directory, LogView view) {
    this.disk = disk;
    this.files = files;
    this.directory = directory;
    this.view = view;
  }

  List<String> reports() {
    return reports;
  }

  /** Removes segments that are not the log's; true if there were any. */
  boolean removeStrangers() throws IOException {
    boolean removed = false;
    for (String file : disk.list(directory)) {
      long data = Segment.parseOffset(file, Segment.SUFFIX);
      long offset = Math.max(data, Segment.parseOffset(file, Segment.INDEX_SUFFIX));
      if (offset >= 0 && !isOurs(offset)) {
        String path = directory + "/" + file;
        if (data > view.endOffset()) {
          reports.add(disk.describe(path) + " stands behind the end of the log and was removed");
        }
        files.forget(path);
        disk.delete(path);
        removed = true;
      }
    }
    return removed;
  }

  /**
   * Cuts what stands behind the end of each segment; returns the offsets of those that were cut.
   */
  List<Long> cut() throws IOException {
    List<Long> changed = new ArrayList<>();
    for (int i = 0; i < view.segments().length; i++) {
      Segment segment = view.segments()[i];
      long wanted = view.bounds(i).endOffset() - segment.offset();
      if (!disk.exists(segment.path())) {
        if (wanted > 0) {
          reports.add(
              disk.describe(segment.path()) + " is missing; its records cannot be delivered");
        }
      } else if (cut(segment, wanted)) {
        changed.add(segment.offset());
      }
    }
    return changed;
  }

  private boolean cut(Segment segment, long wanted) throws IOException {
    long size = disk.size(segment.path());
    if (size < wanted) {
      reports.add(
          disk.describe(segment.path())
              + " ends "
              + (wanted - size)
              + " bytes too early; what is missing cannot be delivered");
    }
    if (size <= wanted) {
      return false;
    }
    reports.add(
        (size - wanted)
            + " bytes behind the end of "
            + disk.describe(segment.path())
            + " were cut");
    try (FileCache.Lease data = files.acquire(segment.path())) {
      data.file().truncate(wanted);
    }
    return true;
  }

  private boolean isOurs(long offset) {
    for (Segment segment : view.segments()) {
      if (segment.offset() == offset) {
        return true;
      }
    }
    return false;
  }
}
