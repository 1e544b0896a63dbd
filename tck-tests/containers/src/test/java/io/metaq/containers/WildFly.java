package io.metaq.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A WildFly set up by the very file that the documentation tells a reader to run. */
final class WildFly {
  private static final Path ROOT = Path.of(System.getProperty("project.root"));
  private static final Path HOME = Path.of(System.getProperty("wildfly.home"));
  private static final Path SET_UP = HOME.resolve("standalone/metaq-is-set-up");

  private WildFly() {}

  static void setUp(String brokerUrl) throws IOException, InterruptedException {
    if (Files.exists(SET_UP)) {
      return;
    }
    cli(ROOT.resolve("docs/servers/wildfly.cli"), "-Dmetaq.url=" + brokerUrl);
    cli(
        ROOT.resolve("tck-tests/containers/src/test/resources/wildfly-test.cli"),
        "-Dderby.jars=" + derbyJars(),
        "-Dderby.database=" + HOME.resolve("standalone/data/derby"));
    Files.createFile(SET_UP);
  }

  private static String derbyJars() {
    return Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
        .filter(entry -> Path.of(entry).getFileName().toString().startsWith("derby"))
        .collect(Collectors.joining(":"));
  }

  private static void cli(Path script, String... settings)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                HOME.resolve("bin/jboss-cli.sh").toString(),
                "--resolve-parameter-values",
                "--file=" + script));
    command.addAll(List.of(settings));
    Path output = HOME.resolve(script.getFileName() + ".log");
    int end =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start()
            .waitFor();
    if (end != 0) {
      throw new IOException(script + " failed: " + Files.readString(output));
    }
  }
}
