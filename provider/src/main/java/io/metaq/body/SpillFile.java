package io.metaq.body;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.ref.Cleaner;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A temporary file that only grows and vanishes with its last reference.
 *
 * <p>Where the system allows it the name is removed as soon as the file is open, so that even a
 * killed process leaves nothing behind; elsewhere it is removed when the file is closed. A plain
 * file instead of a channel, because an interrupt closes a channel and the body would be lost.
 */
final class SpillFile {

  private final RandomAccessFile file;

  private SpillFile(RandomAccessFile file) {
    this.file = file;
  }

  static SpillFile create(Path directory, Cleaner cleaner) throws IOException {
    Path path =
        directory == null
            ? Files.createTempFile("metaq-", ".body")
            : Files.createTempFile(Files.createDirectories(directory), "metaq-", ".body");
    RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
    boolean nameless = path.toFile().delete();
    SpillFile spill = new SpillFile(file);
    cleaner.register(spill, new Removal(file, nameless ? null : path.toFile()));
    return spill;
  }

  synchronized void write(long position, byte[] source, int offset, int count) throws IOException {
    file.seek(position);
    file.write(source, offset, count);
  }

  synchronized void read(long position, byte[] target, int offset, int count) throws IOException {
    file.seek(position);
    file.readFully(target, offset, count);
  }

  /** Must not refer to the SpillFile, which would then never become unreachable. */
  private record Removal(RandomAccessFile file, File name) implements Runnable {
    @Override
    public void run() {
      try {
        file.close();
        if (name != null) {
          Files.deleteIfExists(name.toPath());
        }
      } catch (IOException e) {
        System.getLogger(SpillFile.class.getName())
            .log(System.Logger.Level.WARNING, "Cannot remove the temporary body file " + name, e);
      }
    }
  }
}
