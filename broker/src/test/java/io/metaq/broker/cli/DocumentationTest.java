package io.metaq.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * What the README and the manual name must be there. That it works is for the tests of the
 * distribution.
 */
class DocumentationTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");
  private static final Pattern METAQ = Pattern.compile("bin/metaq ([a-z]+)(?: ([a-z]+))?");
  private static final Pattern SERVER = Pattern.compile("bin/metaServer\\.sh ([a-z]+)");

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs)
          .filter(page -> page.toString().endsWith(".md"))
          .toList();
    }
  }

  private static List<MatchResult> found(Path page, Pattern pattern) throws IOException {
    return pattern.matcher(Files.readString(page)).results().toList();
  }

  @Test
  void everyLinkLeadsToAFile() throws Exception {
    for (Path page : pages()) {
      for (MatchResult link : found(page, LINK)) {
        assertThat(page.resolveSibling(link.group(1))).as("linked in " + page).exists();
      }
    }
  }

  @Test
  void everyCommandNamedIsThere() throws Exception {
    Map<String, CommandLine> commands = Main.commandLine().getSubcommands();
    for (Path page : pages()) {
      for (MatchResult named : found(page, METAQ)) {
        assertThat(commands).as(page.toString()).containsKey(named.group(1));
        Map<String, CommandLine> further = commands.get(named.group(1)).getSubcommands();
        if (named.group(2) != null && !further.isEmpty()) {
          assertThat(further).as(page + ": " + named.group()).containsKey(named.group(2));
        }
      }
    }
  }

  @Test
  void everyCommandOfTheServerScriptNamedIsThere() throws Exception {
    String script = Files.readString(Path.of("src/main/dist/bin/metaServer.sh"));
    for (Path page : pages()) {
      for (MatchResult named : found(page, SERVER)) {
        assertThat(Set.of("start", "run", "stop", "restart", "status", "stats", "help"))
            .as(page.toString())
            .contains(named.group(1));
        assertThat(script).contains(named.group(1));
      }
    }
  }

  @Test
  void theReadmeNamesEveryPage() throws Exception {
    String readme = Files.readString(ROOT.resolve("README.md"));
    for (Path page : pages()) {
      assertThat(readme).contains(page.getFileName().toString().replace("README.md", "MetaQ"));
    }
  }
}
