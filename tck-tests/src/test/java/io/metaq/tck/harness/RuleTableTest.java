package io.metaq.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables of rules and of faults in the README name tests that exist, in whichever module. */
class RuleTableTest {
  private static final Path ROOT = Path.of(System.getProperty("project.root", ".."));
  private static final Pattern TEST = Pattern.compile("`(\\w+)\\.(\\w+)`");

  @Test
  void everyRuleHasTestsAndEachOfThemExists() throws IOException {
    assertThat(namesTests("rules")).hasSizeGreaterThan(50);
  }

  @Test
  void everyFaultHasTestsAndEachOfThemExists() throws IOException {
    assertThat(namesTests("faults")).hasSize(26);
  }

  /** The rows of a table, each of which has tests. */
  private static List<String> namesTests(String name) throws IOException {
    String readme =
        Files.readString(ROOT.resolve("tck-tests").resolve("README.md"), StandardCharsets.UTF_8);
    String table =
        readme.substring(
            readme.indexOf("<!-- " + name + " -->"),
            readme.indexOf("<!-- end of " + name + " -->"));
    List<String> rows =
        table.lines().filter(line -> line.startsWith("| ")).skip(2).toList(); // head, rule
    assertThat(rows).allMatch(row -> TEST.matcher(row).find());
    List<String> missing = new ArrayList<>();
    Matcher named = TEST.matcher(table);
    while (named.find()) {
      if (!exists(named.group(1), named.group(2))) {
        missing.add(named.group());
      }
    }
    assertThat(missing).isEmpty();
    return rows;
  }

  private static boolean exists(String type, String method) throws IOException {
    for (String module : List.of("provider", "broker", "tck-tests")) {
      Path tests = ROOT.resolve(module).resolve("src/test/java");
      try (Stream<Path> files = Files.walk(tests)) {
        for (Path file : files.filter(path -> path.endsWith(type + ".java")).toList()) {
          if (Files.readString(file, StandardCharsets.UTF_8).contains(" void " + method + "(")) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
