package io.metaq.broker.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;

/**
 * A file in the data directory for as long as an import is under way, so that one that broke off,
 * however it did, is never taken for whole. Only the holder of the directory may set or clear it.
 */
public final class ImportMark {
  static final String FILE = "metaq.import";

  private final Disk disk;

  /**
   * @param disk of the data directory
   */
  public ImportMark(Disk disk) {
    this.disk = disk;
  }

  /**
   * Sets the mark; durable on return, so before anything is imported.
   *
   * @param names of the destinations that the import makes
   */
  public void set(Collection<String> names) throws IOException {
    String text = "An import broke off if no 'metaq store import' is running. It makes: " + names;
    try (DiskFile file = disk.create(FILE)) {
      file.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), 0);
      file.force();
    }
    disk.forceDirectory("");
  }

  /** Takes the mark away: what was to be imported is durable, or nothing of it was begun. */
  public void clear() throws IOException {
    disk.delete(FILE);
    disk.forceDirectory("");
  }

  boolean isSet() {
    return disk.exists(FILE);
  }

  void refuseIfSet() throws StoreException {
    if (isSet()) {
      throw new StoreException(
          "An import into the data directory "
              + disk.describe("")
              + " broke off, so messages are missing. If nothing else was in it, delete it and"
              + " import again. Else delete "
              + disk.describe(FILE)
              + ", which names the destinations; delete those, and import again.");
    }
  }
}
