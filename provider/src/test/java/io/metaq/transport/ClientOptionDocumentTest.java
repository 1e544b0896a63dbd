package io.metaq.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of options in docs/jms.md is the table in the code. */
class ClientOptionDocumentTest {
  @Test
  void everyOptionStandsInTheDocumentationAsItIs() throws IOException {
    Path document = Path.of(System.getProperty("project.root", ".."), "docs", "jms.md");
    List<String> documented =
        Files.readAllLines(document).stream()
            .dropWhile(line -> !line.startsWith("| Option | Unit |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .toList();

    assertThat(documented)
        .containsExactlyElementsOf(Arrays.stream(ClientOption.values()).map(this::row).toList());
  }

  private String row(ClientOption option) {
    String defaultValue = option.defaultValue().isEmpty() ? "" : "`" + option.defaultValue() + "`";
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(option.key(), option.unit(), defaultValue, option.range(), option.meaning());
  }
}
