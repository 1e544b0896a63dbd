package io.metaq.broker.cli;

import java.nio.file.Path;

/** Where the distribution was unpacked, as {@code bin/metaq} says; else the current folder. */
final class Home {

  private Home() {}

  static Path folder() {
    return Path.of(System.getProperty("metaq.home", ".")).toAbsolutePath().normalize();
  }
}
