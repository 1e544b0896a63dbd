package io.metaq.tck.kills;

import io.metaq.broker.EmbeddedBroker;
import java.nio.file.Path;

/**
 * Main class of the broker process that is killed: arguments are the port and the data directory.
 */
final class KillableBroker {
  private KillableBroker() {}

  public static void main(String[] arguments) throws Exception {
    EmbeddedBroker.builder()
        .port(Integer.parseInt(arguments[0]))
        .dataDirectory(Path.of(arguments[1]))
        .onFatal(cause -> Runtime.getRuntime().halt(1))
        .start();
    System.out.println("ready");
  }
}
