package io.metaq.containers;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/**
 * An application server, set up by the very files that the documentation tells a reader to use.
 * Arquillian starts and stops it; the property {@code server} chooses it.
 */
abstract class Server {
  /** The name of the one container in each Arquillian file. */
  static final String QUALIFIER = "server";

  static final Path ROOT = Path.of(System.getProperty("project.root"));
  static final Path TEST_FILES = ROOT.resolve("tck-tests/containers/src/test/resources");

  /** The adapter's archive under the name that it is deployed with. */
  static final Path ARCHIVE = Path.of(System.getProperty("ra.archive"));

  final Path home = Path.of(System.getProperty("server.home"));

  static Server chosen() {
    String name = System.getProperty("server");
    return switch (name) {
      case "wildfly" -> new WildFly();
      case "glassfish" -> new GlassFish();
      case "liberty" -> new Liberty();
      default -> throw new IllegalArgumentException("No such server: " + name);
    };
  }

  /** Makes the stopped server one that has the adapter as it is now. */
  abstract void setUp(String brokerUrl) throws IOException, InterruptedException;

  void start(ContainerController controller) throws IOException, InterruptedException {
    controller.start(QUALIFIER);
  }

  void stop(ContainerController controller) throws IOException, InterruptedException {
    controller.stop(QUALIFIER);
  }

  /** Tells Arquillian that the server has died. */
  void died(ContainerController controller) {
    controller.kill(QUALIFIER);
  }

  /** The server's own name for what applications know as {@code jms/...} or {@code jdbc/...}. */
  String jndi(String name) {
    return name;
  }

  /** Whether its recovery is known to finish what a crash of the server leaves in doubt. */
  boolean recoversAfterACrash() {
    return true;
  }

  /** Adds the descriptors that only this server wants. */
  WebArchive dressed(WebArchive application) {
    return application;
  }

  static List<String> derbyJars() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> Path.of(entry).getFileName().toString().startsWith("derby"))
        .toList();
  }

  /** To its end, but not to that of a server that it leaves running, with the same output. */
  static void run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("metaq-command", ".log");
    try {
      int end =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      if (end != 0) {
        throw new IOException(command + " failed: " + Files.readString(output));
      }
    } finally {
      Files.delete(output);
    }
  }
}
