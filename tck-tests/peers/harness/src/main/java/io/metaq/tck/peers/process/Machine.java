package io.metaq.tck.peers.process;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine in a line. */
public final class Machine {

  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

  private Machine() {}

  /** Processors, memory, system and Java. */
  public static String describe() throws IOException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return "%d processors (%s), %d GB of memory, %s %s, Java %s"
        .formatted(
            system.getAvailableProcessors(),
            model(),
            Math.round(system.getTotalMemorySize() / 1e9),
            system.getName(),
            system.getVersion(),
            Runtime.version());
  }

  private static String model() throws IOException {
    if (!Files.isReadable(PROCESSORS)) {
      return System.getProperty("os.arch");
    }
    return Files.readAllLines(PROCESSORS).stream()
        .filter(line -> line.startsWith("model name"))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).strip())
        .orElse(System.getProperty("os.arch"));
  }
}
