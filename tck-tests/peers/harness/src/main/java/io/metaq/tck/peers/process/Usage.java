package io.metaq.tck.peers.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * What a broker and its load generator have used up to one moment.
 *
 * @param broker CPU time
 * @param client CPU time
 * @param forces flushes of the disk under the data, by whomever; empty where the kernel counts none
 */
public record Usage(Duration broker, Duration client, OptionalLong forces) {

  /** As of now. */
  public static Usage now(BrokerProcess broker, LoadProcess load) throws IOException {
    return new Usage(cpu(broker.pid()), cpu(load.pid()), Disk.under(broker.directory()).forces());
  }

  private static Duration cpu(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().totalCpuDuration())
        .orElse(Duration.ZERO);
  }

  /** The block device under a path, as {@code /proc/diskstats} knows it. */
  record Disk(int major, int minor) {

    private static final Path STATISTICS = Path.of("/proc/diskstats");
    private static final int FLUSHES = 18;

    static Disk under(Path path) throws IOException {
      try {
        long device = (Long) Files.getAttribute(path, "unix:dev");
        return new Disk(
            (int) ((device >>> 8) & 0xfff), (int) ((device & 0xff) | ((device >>> 12) & 0xfff00)));
      } catch (UnsupportedOperationException e) {
        return new Disk(-1, -1);
      }
    }

    OptionalLong forces() throws IOException {
      if (!Files.isReadable(STATISTICS)) {
        return OptionalLong.empty();
      }
      for (String line : Files.readAllLines(STATISTICS)) {
        String[] fields = line.strip().split("\\s+");
        if (fields.length > FLUSHES
            && Integer.parseInt(fields[0]) == major
            && Integer.parseInt(fields[1]) == minor) {
          return OptionalLong.of(Long.parseLong(fields[FLUSHES]));
        }
      }
      return OptionalLong.empty();
    }
  }
}
