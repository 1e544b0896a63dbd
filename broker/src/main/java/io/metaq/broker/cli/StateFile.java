package io.metaq.broker.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Tells {@code metaServer.sh} that the broker serves, and where. Appears in one step, so that
 * nobody reads half of it; goes with the broker.
 */
final class StateFile implements AutoCloseable {

  private final Path file;

  private StateFile(Path file) {
    this.file = file;
  }

  static StateFile write(Path file, String bindAddress, int port, boolean local)
      throws IOException {
    InetAddress bound = InetAddress.getByName(bindAddress);
    InetAddress reachable = bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
    Path absolute = file.toAbsolutePath();
    Files.createDirectories(absolute.getParent());
    Path part = absolute.resolveSibling(absolute.getFileName() + ".part");
    Files.writeString(
        part,
        "pid=%d%naddress=%s%nport=%d%nmode=%s%n"
            .formatted(
                ProcessHandle.current().pid(),
                reachable.getHostAddress(),
                port,
                local ? "local" : ""));
    Files.move(part, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    return new StateFile(absolute);
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
  }
}
