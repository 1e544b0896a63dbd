package io.metaq.broker.store;

import java.io.Closeable;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;

/**
 * A bounded number of open files for any number of partition logs: the least recently used ones are
 * closed. A file in use is never closed under its user; when all are in use the bound is exceeded
 * for that long.
 */
final class FileCache implements Closeable {
  private final Disk disk;
  private final int maxOpen;
  private final boolean readOnly;
  private final LinkedHashMap<String, Entry> open = new LinkedHashMap<>(16, 0.75f, true);

  FileCache(Disk disk, int maxOpen, boolean readOnly) {
    this.disk = disk;
    this.maxOpen = maxOpen;
    this.readOnly = readOnly;
  }

  /** An open file on loan. */
  final class Lease implements Closeable {
    private final Entry entry;

    private Lease(Entry entry) {
      this.entry = entry;
    }

    DiskFile file() {
      return entry.file;
    }

    @Override
    public void close() throws IOException {
      giveBack(entry);
    }
  }

  private static final class Entry {
    private final DiskFile file;
    private int users;
    private boolean forgotten;

    Entry(DiskFile file) {
      this.file = file;
    }
  }

  boolean isReadOnly() {
    return readOnly;
  }

  /** Lends an existing file. */
  synchronized Lease acquire(String path) throws IOException {
    Entry entry = open.get(path);
    if (entry == null) {
      entry = new Entry(readOnly ? disk.openForRead(path) : disk.open(path));
      open.put(path, entry);
      closeSome();
    }
    entry.users++;
    return new Lease(entry);
  }

  /** Lends a file, made if it does not exist. */
  synchronized Lease acquireOrCreate(String path) throws IOException {
    if (!open.containsKey(path) && !disk.exists(path)) {
      open.put(path, new Entry(disk.create(path)));
    }
    return acquire(path);
  }

  /** Call before a file is deleted. */
  synchronized void forget(String path) throws IOException {
    Entry entry = open.remove(path);
    if (entry != null) {
      entry.forgotten = true;
      if (entry.users == 0) {
        entry.file.close();
      }
    }
  }

  synchronized int size() {
    return open.size();
  }

  @Override
  public synchronized void close() throws IOException {
    for (Entry entry : open.values()) {
      entry.file.close();
    }
    open.clear();
  }

  private synchronized void giveBack(Entry entry) throws IOException {
    entry.users--;
    if (entry.forgotten && entry.users == 0) {
      entry.file.close();
    }
    closeSome();
  }

  private void closeSome() throws IOException {
    Iterator<Entry> eldest = open.values().iterator();
    while (open.size() > maxOpen && eldest.hasNext()) {
      Entry entry = eldest.next();
      if (entry.users == 0) {
        eldest.remove();
        entry.file.close();
      }
    }
  }
}
