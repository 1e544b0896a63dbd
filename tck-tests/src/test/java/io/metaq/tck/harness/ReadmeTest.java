package io.metaq.tck.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Holds the README's tables to the tests. {@code -Dtck.readme=write} writes them anew instead of
 * comparing.
 */
class ReadmeTest {

  private static final Path README =
      Path.of(System.getProperty("project.root", ".."), "tck-tests", "README.md");

  @Test
  void theTablesOfTheReadmeAreThoseOfTheTests() throws IOException {
    String readme = Files.readString(README, StandardCharsets.UTF_8);
    String wanted =
        replaced(
            replaced(readme, "assertions", AssertionTable.assertions()),
            "deviations",
            AssertionTable.deviations());
    if ("write".equals(System.getProperty("tck.readme"))) {
      Files.writeString(README, wanted, StandardCharsets.UTF_8);
      return;
    }
    assertThat(lines(readme))
        .as("tck-tests/README.md; run this test with -Dtck.readme=write")
        .isEqualTo(lines(wanted));
  }

  private static List<String> lines(String text) {
    return text.lines().toList();
  }

  private static String replaced(String readme, String name, String table) {
    String begin = "<!-- " + name + ": made from the tests -->\n";
    String end = "<!-- end of " + name + " -->\n";
    int from = readme.indexOf(begin);
    int to = readme.indexOf(end);
    assertThat(from).as("'%s' in %s", begin, README).isNotNegative();
    assertThat(to).as("'%s' in %s", end, README).isGreaterThan(from);
    return readme.substring(0, from) + begin + "\n" + table + "\n" + readme.substring(to);
  }
}
