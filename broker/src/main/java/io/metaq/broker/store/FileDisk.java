package io.metaq.broker.store;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The real disk: a directory of the file system through {@link FileChannel}. */
public final class FileDisk implements Disk {
  private final Path root;

  public FileDisk(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  public Path root() {
    return root;
  }

  @Override
  public DiskFile create(String path) throws IOException {
    return new ChannelFile(
        FileChannel.open(
            resolve(path),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE));
  }

  @Override
  public DiskFile open(String path) throws IOException {
    return new ChannelFile(
        FileChannel.open(resolve(path), StandardOpenOption.READ, StandardOpenOption.WRITE));
  }

  @Override
  public DiskFile openForRead(String path) throws IOException {
    return new ChannelFile(FileChannel.open(resolve(path), StandardOpenOption.READ));
  }

  @Override
  public void createDirectories(String path) throws IOException {
    Files.createDirectories(resolve(path));
  }

  @Override
  public void delete(String path) throws IOException {
    Files.delete(resolve(path));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    Files.move(
        resolve(from),
        resolve(to),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public List<String> list(String directory) throws IOException {
    try (Stream<Path> entries = Files.list(resolve(directory))) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(resolve(path));
  }

  @Override
  public boolean isDirectory(String path) {
    return Files.isDirectory(resolve(path));
  }

  @Override
  public long size(String path) throws IOException {
    return Files.size(resolve(path));
  }

  @Override
  public long lastModifiedMillis(String path) throws IOException {
    return Files.getLastModifiedTime(resolve(path)).toMillis();
  }

  @Override
  public long usableSpace() {
    return root.toFile().getUsableSpace();
  }

  @Override
  public void forceDirectory(String directory) throws IOException {
    try (FileChannel channel = FileChannel.open(resolve(directory), StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public Optional<Closeable> tryLock(String path) throws IOException {
    FileChannel channel =
        FileChannel.open(resolve(path), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another broker in this very process has it: the same answer as for another process.
      lock = null;
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    return lock == null ? Optional.empty() : Optional.of(channel::close);
  }

  @Override
  public String describe(String path) {
    return resolve(path).toString();
  }

  private Path resolve(String path) {
    Path resolved = root.resolve(path).normalize();
    if (!resolved.startsWith(root)) {
      throw new IllegalArgumentException(path + " leads out of the data directory " + root);
    }
    return resolved;
  }

  private static final class ChannelFile implements DiskFile {
    private final FileChannel channel;

    ChannelFile(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      int total = 0;
      while (target.hasRemaining()) {
        int count = channel.read(target, position + total);
        if (count < 0) {
          break;
        }
        total += count;
      }
      return total;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      long at = position;
      while (source.hasRemaining()) {
        at += channel.write(source, at);
      }
    }

    @Override
    public void write(ByteBuffer[] sources, long position) throws IOException {
      // A gathering write has no positional form; the lock keeps the channel's own position ours.
      synchronized (channel) {
        channel.position(position);
        long left = 0;
        for (ByteBuffer source : sources) {
          left += source.remaining();
        }
        while (left > 0) {
          left -= channel.write(sources);
        }
      }
    }

    @Override
    public void force() throws IOException {
      channel.force(false);
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      channel.truncate(size);
    }

    @Override
    public void copyTo(long position, long count, DiskFile target, long targetPosition)
        throws IOException {
      FileChannel to = ((ChannelFile) target).channel;
      synchronized (to) {
        to.position(targetPosition);
        long done = 0;
        while (done < count) {
          long copied = channel.transferTo(position + done, count - done, to);
          if (copied <= 0) {
            throw new EOFException("the file ends " + (count - done) + " bytes too early to copy");
          }
          done += copied;
        }
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
