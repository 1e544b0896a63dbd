package io.metaq.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JmsDocumentTest {

  @Test
  void theTableOfOptionsSaysWhatTheCodeSays() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "jms.md"));
    List<String> rows =
        document
            .substring(document.indexOf("## Options of a URL"))
            .lines()
            .filter(line -> line.startsWith("| `"))
            .toList();

    assertThat(rows)
        .containsExactlyElementsOf(
            Stream.of(ClientOption.values()).map(JmsDocumentTest::row).toList());
  }

  private static String row(ClientOption option) {
    String defaultValue = option.defaultValue().isEmpty() ? "" : "`" + option.defaultValue() + "`";
    return "| `%s` | %s | %s | %s | %s |"
        .formatted(option.key(), option.unit(), defaultValue, option.range(), option.meaning());
  }
}
