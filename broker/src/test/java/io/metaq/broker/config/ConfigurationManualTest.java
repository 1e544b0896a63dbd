package io.metaq.broker.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.config.Key.Place;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Holds the table of the manual to the code. When it fails, the expected rows are in its message.
 */
class ConfigurationManualTest {

  private static final Path MANUAL = Path.of("../docs/configuration.md");

  @Test
  void theTableOfTheManualIsTheTableOfTheCode() throws Exception {
    List<String> rows =
        Files.readAllLines(MANUAL).stream().filter(line -> line.startsWith("| `")).toList();

    assertThat(String.join("\n", rows))
        .isEqualTo(
            Keys.ALL.stream().map(ConfigurationManualTest::row).collect(Collectors.joining("\n")));
  }

  @Test
  void everyDefaultIsAValueThatTheKeyAccepts() {
    Settings defaults = Settings.defaults(Path.of("/etc/metaq/conf"));

    assertThat(Keys.ALL).allSatisfy(key -> assertThat(defaults.get(key)).isNotNull());
  }

  private static String row(Key<?> key) {
    String places = key.places().stream().map(Place::word).collect(Collectors.joining(", "));
    String standard = key.defaultText().isEmpty() ? "" : "`" + key.defaultText() + "`";
    return "| `%s` | %s | %s | %s | %s | %s |"
        .formatted(
            key.name(),
            places,
            key.unit(),
            standard,
            key.range(),
            key.meaning() + (Keys.NOT_YET.contains(key) ? " *Not heeded yet.*" : ""));
  }
}
