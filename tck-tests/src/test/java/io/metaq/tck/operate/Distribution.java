package io.metaq.tck.operate;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The packed distribution, unpacked into a folder of its own, and its commands run as a person
 * would.
 */
final class Distribution {

  private static final int PATIENCE_SECONDS = 120;

  private final Path home;
  private final Map<String, String> environment;

  private Distribution(Path home, Map<String, String> environment) {
    this.home = home;
    this.environment = environment;
  }

  /** What a command printed and how it ended. */
  record Outcome(int code, String output) {}

  static Distribution unpack(Path folder) throws Exception {
    Path target = Path.of(System.getProperty("project.root"), "broker", "target");
    String version = System.getProperty("project.version");
    Path archive = target.resolve("metaq-" + version + "-bin.tar.gz");
    if (!Files.exists(archive)) {
      throw new IOException(archive + " is missing; run this with 'mvn verify -Pdistribution'");
    }
    Distribution unpacked = new Distribution(folder.resolve("metaq-" + version), Map.of());
    Outcome outcome = execute(folder, Map.of(), "", "tar", "xzf", archive.toString());
    if (outcome.code() != 0) {
      throw new IOException("cannot unpack " + archive + ": " + outcome.output());
    }
    return unpacked;
  }

  Path home() {
    return home;
  }

  Distribution with(String variable, String value) {
    Map<String, String> more = new java.util.HashMap<>(environment);
    more.put(variable, value);
    return new Distribution(home, more);
  }

  Outcome run(String command, String... arguments) throws Exception {
    return runWith("", command, arguments);
  }

  Outcome runWith(String input, String command, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of(home.resolve(command).toString()));
    line.addAll(List.of(arguments));
    return execute(home, environment, input, line.toArray(String[]::new));
  }

  private static Outcome execute(
      Path folder, Map<String, String> environment, String input, String... line) throws Exception {
    Path output = Files.createTempFile("metaq", ".out");
    Path given = Files.writeString(Files.createTempFile("metaq", ".in"), input);
    try {
      ProcessBuilder builder =
          new ProcessBuilder(line)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectInput(given.toFile())
              .redirectOutput(output.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(
            String.join(" ", line) + " did not end; so far: " + Files.readString(output));
      }
      return new Outcome(process.exitValue(), Files.readString(output, Charset.defaultCharset()));
    } finally {
      Files.delete(output);
      Files.delete(given);
    }
  }

  /** Replaces the configuration. */
  void configure(String ini) throws IOException {
    Files.writeString(home.resolve("conf/server.ini"), ini);
  }

  /** The value of a field of the state file of the broker that runs here. */
  String state(String field) throws IOException {
    try (Stream<String> lines = Files.lines(home.resolve("run/broker"))) {
      return lines
          .filter(line -> line.startsWith(field + "="))
          .map(line -> line.substring(field.length() + 1))
          .findFirst()
          .orElseThrow();
    }
  }
}
