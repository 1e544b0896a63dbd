package io.metaq.broker.store;

import io.metaq.broker.store.JournalTail.FileRange;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of the journal: keeps the next one ready ahead of time, so that a roll costs no more
 * than a change of file, and takes freed files back. A file is preallocated and filled with zeros
 * (or old entries), so a batch never changes its size and a force need not write the file's
 * metadata.
 *
 * <p>Re-use is safe against a crash at any point: a file counts only if the generation in its name,
 * in its header and in its batches agree.
 */
final class JournalFiles {
  /** A file under this suffix was never complete. */
  static final String UNFINISHED = ".unfinished";

  private static final Logger LOG = LoggerFactory.getLogger(JournalFiles.class);
  private static final int FILL = 2 << 20;

  private final Disk disk;
  private final JournalSettings settings;
  private final Executor background;
  private final ArrayDeque<FileRange> retained = new ArrayDeque<>();
  private final ArrayDeque<String> spares;
  private long lastGeneration;
  private OpenFile ready;
  private volatile long spareBytes;
  private volatile String trouble = "";
  private volatile boolean closed;

  /** The journal was closed while a file was made ready. */
  private static final class JournalClosedException extends IOException {
    private static final long serialVersionUID = 1L;

    JournalClosedException() {
      super("the journal is closed");
    }
  }

  /** A file open for writing. */
  record OpenFile(long generation, DiskFile file, long size) {}

  JournalFiles(Disk disk, JournalSettings settings, JournalTail tail, Executor background) {
    this.disk = disk;
    this.settings = settings;
    this.background = background;
    this.lastGeneration = tail.highestGeneration();
    this.retained.addAll(tail.files());
    this.spares = new ArrayDeque<>(tail.spares());
  }

  /** The next file, made now if it is not ready; then starts to make the one after it. */
  synchronized OpenFile takeNext() throws IOException {
    if (ready == null) {
      try {
        ready = prepare();
      } catch (IOException e) {
        trouble = "no further journal file can be made: " + e;
        throw e;
      }
    }
    OpenFile taken = ready;
    ready = null;
    count();
    background.execute(this::prepareAhead);
    return taken;
  }

  /** Records that the file being left or written now holds entries up to some byte. */
  synchronized void retain(FileRange range) {
    if (!retained.isEmpty() && retained.getLast().generation() == range.generation()) {
      retained.removeLast();
    }
    retained.addLast(range);
  }

  /** Files with entries, oldest first. */
  synchronized List<FileRange> retained() {
    return new ArrayList<>(retained);
  }

  /** Gives back the files whose entries are all at or below an index, never the youngest. */
  void free(long upToIndex) {
    background.execute(() -> freeNow(upToIndex));
  }

  /** Bytes that need no new space of the disk: what is ready and what can be re-used. */
  long spareBytes() {
    return spareBytes;
  }

  /** Why no file could be made ready; empty when all is well. */
  String trouble() {
    return trouble;
  }

  void prepareAhead() {
    synchronized (this) {
      if (ready == null && !closed) {
        try {
          ready = prepare();
        } catch (JournalClosedException e) {
          LOG.debug("a journal file was not finished because the journal is being closed");
        } catch (IOException | RuntimeException e) {
          // Not fatal yet: the current file has room, and the roll tries again.
          trouble = "no further journal file can be made: " + e;
          LOG.warn("The next journal file could not be made ready; it will be tried again", e);
        }
        count();
      }
    }
  }

  /** Nothing is made or deleted from now on; a file being made is given up. */
  void close() throws IOException {
    closed = true;
    synchronized (this) {
      if (ready != null) {
        ready.file().close();
        ready = null;
      }
    }
  }

  private synchronized void freeNow(long upToIndex) {
    if (closed) {
      return;
    }
    while (retained.size() > 1) {
      FileRange oldest = retained.removeFirst();
      if (retained.getFirst().firstIndex() > upToIndex + 1) {
        retained.addFirst(oldest);
        break;
      }
      spares.add(JournalFormat.fileName(oldest.generation()));
    }
    try {
      boolean deleted = false;
      while (spares.size() > settings.maxSpareFiles()) {
        disk.delete(path(spares.getFirst()));
        spares.removeFirst();
        deleted = true;
      }
      if (deleted) {
        disk.forceDirectory(settings.directory());
      }
    } catch (IOException e) {
      LOG.warn(
          "A journal file that is not needed any more could not be deleted; it is tried again later",
          e);
    }
    if (ready == null) {
      prepareAhead();
    }
    count();
  }

  private void count() {
    spareBytes = (ready == null ? 0 : settings.fileSize()) + spares.size() * settings.fileSize();
  }

  private OpenFile prepare() throws IOException {
    long generation = lastGeneration + 1;
    String target = path(JournalFormat.fileName(generation));
    String reused = takeSpare();
    String source = reused == null ? fill(target + UNFINISHED) : reused;
    // The generation is used up even if what follows fails, since a file of that name may then
    // exist.
    lastGeneration = generation;
    disk.rename(source, target);
    DiskFile file = disk.open(target);
    boolean done = false;
    try {
      file.write(JournalFormat.fileHeader(generation, settings.fileSize()), 0);
      file.force();
      disk.forceDirectory(settings.directory());
      done = true;
    } finally {
      if (!done) {
        file.close();
        spares.add(Disk.name(target));
      }
    }
    trouble = "";
    return new OpenFile(generation, file, settings.fileSize());
  }

  /** A spare file of the right size; others are deleted. */
  private String takeSpare() throws IOException {
    while (!spares.isEmpty()) {
      String path = path(spares.getFirst());
      boolean fits = disk.size(path) == settings.fileSize();
      if (!fits) {
        disk.delete(path);
      }
      spares.removeFirst();
      if (fits) {
        return path;
      }
    }
    return null;
  }

  private String fill(String path) throws IOException {
    if (disk.exists(path)) {
      disk.delete(path);
    }
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(FILL, settings.fileSize()));
    boolean done = false;
    try (DiskFile file = disk.create(path)) {
      for (long at = 0; at < settings.fileSize(); at += zeros.limit()) {
        if (closed) {
          throw new JournalClosedException();
        }
        zeros.clear().limit((int) Math.min(zeros.capacity(), settings.fileSize() - at));
        file.write(zeros, at);
        // Forced piece by piece, so that the batches of the running file never queue behind all of
        // it.
        file.force();
      }
      done = true;
    } finally {
      if (!done && disk.exists(path)) {
        // On a full disk the half-made file would take the space that others need to drain.
        disk.delete(path);
      }
    }
    return path;
  }

  private String path(String name) {
    return settings.directory() + "/" + name;
  }
}
