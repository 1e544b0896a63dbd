package io.metaq.tck.peers.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * What the bare disk does at this moment: overwrite a kibibyte and force it, again and again, and
 * write a stretch of large blocks that is forced in the end. It tells how much of a result is the
 * disk's.
 */
public final class DiskProbe {

  private static final int BLOCK = 1 << 20;
  private static final int FILE = 32 * BLOCK;
  private static final int RECORD = 1024;

  private final Path file;

  /** Its file stands in {@code directory}, on the disk that matters. */
  public DiskProbe(Path directory) {
    file = directory.resolve("probe.dat");
  }

  /**
   * What was found.
   *
   * @param perSecond forces of a kibibyte
   * @param p50 of one force, in microseconds
   * @param p99 of one force, in microseconds
   * @param megabytesPerSecond of the long write
   */
  public record Result(double perSecond, double p50, double p99, double megabytesPerSecond) {}

  /** Takes about as long as it is told, half of it for each part. */
  public Result run(Duration time) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      double megabytes = writeLong(channel, time.dividedBy(2));
      Histogram times = new Histogram(3);
      ByteBuffer record = ByteBuffer.allocateDirect(RECORD);
      long begin = System.nanoTime();
      for (long at = 0; System.nanoTime() - begin < time.toNanos() / 2; at = (at + RECORD) % FILE) {
        long before = System.nanoTime();
        channel.write(record.clear(), at);
        channel.force(false);
        times.recordValue(System.nanoTime() - before);
      }
      return new Result(
          times.getTotalCount() / ((System.nanoTime() - begin) / 1e9),
          times.getValueAtPercentile(50) / 1e3,
          times.getValueAtPercentile(99) / 1e3,
          megabytes);
    }
  }

  /** Also allocates the file for the other part. */
  private static double writeLong(FileChannel channel, Duration time) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);
    long begin = System.nanoTime();
    long written = 0;
    do {
      for (long at = 0; at < FILE; at += BLOCK) {
        channel.write(block.clear(), at);
        written += BLOCK;
      }
      channel.force(false);
    } while (System.nanoTime() - begin < time.toNanos());
    return written / 1e6 / ((System.nanoTime() - begin) / 1e9);
  }
}
