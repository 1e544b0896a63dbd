package io.metaq.tck.peers.process;

import java.nio.file.Path;

/** The tools of the Java that runs this program. */
final class Java {

  private Java() {}

  static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }
}
