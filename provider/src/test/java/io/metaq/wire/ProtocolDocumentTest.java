package io.metaq.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProtocolDocumentTest {
  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| ([A-Z_]+) \\|.*");

  private static Map<Integer, String> rows(String section) throws IOException {
    String document = Files.readString(Path.of("..", "docs", "protocol.md"));
    String text = document.substring(document.indexOf("\n## " + section));
    int end = text.indexOf("\n## ", 1);
    List<String> lines = text.substring(0, end).lines().toList();
    return lines.stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .collect(
            Collectors.toMap(
                row -> Integer.valueOf(row.group(1)),
                row -> row.group(2),
                (a, b) -> a + b,
                TreeMap::new));
  }

  @Test
  void theTableOfFramesNamesExactlyTheFramesThereAre() throws IOException {
    Map<Integer, String> types =
        Stream.of(FrameType.values()).collect(Collectors.toMap(FrameType::code, FrameType::name));

    assertThat(rows("Frames")).isEqualTo(types);
  }

  @Test
  void theTableOfErrorCodesNamesExactlyTheCodesThereAre() throws IOException {
    Map<Integer, String> codes =
        Stream.of(ErrorCode.values()).collect(Collectors.toMap(ErrorCode::code, ErrorCode::name));

    assertThat(rows("Error codes")).isEqualTo(codes);
  }
}
