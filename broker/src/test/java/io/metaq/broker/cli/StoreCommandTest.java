package io.metaq.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.EmbeddedBroker;
import io.metaq.jms.MetaqConnectionFactory;
import jakarta.jms.JMSContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The offline tool on what a broker really left behind, after an orderly end and after a kill. */
@Timeout(120)
class StoreCommandTest {
  private static final int MESSAGES = 25;

  @TempDir private Path data;

  private record Run(int code, String output) {}

  private Run store(String... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    CommandLine command = Main.commandLine().setOut(out).setErr(out);
    List<String> all =
        Stream.concat(Stream.of("store", "--data", data.toString()), Stream.of(arguments)).toList();
    int code = command.execute(all.toArray(String[]::new));
    return new Run(code, text.toString());
  }

  private void brokerRuns(boolean killed) throws IOException {
    EmbeddedBroker broker = EmbeddedBroker.builder().port(0).dataDirectory(data).start();
    try {
      try (JMSContext context = new MetaqConnectionFactory(broker.url()).createContext()) {
        for (int i = 0; i < MESSAGES; i++) {
          context.createProducer().send(context.createQueue("orders"), "order " + i);
        }
      }
    } finally {
      if (killed) {
        broker.kill();
      } else {
        broker.close();
      }
    }
  }

  @Test
  void whatABrokerLeftInOrderIsSoundAndCanBeShown() throws IOException {
    brokerRuns(false);

    Run verified = store("verify");
    assertThat(verified.output())
        .contains(MESSAGES + " record(s) checked")
        .contains("No problems found");
    assertThat(verified.code()).isZero();
    assertThat(store("stat").output())
        .contains("orders-0: " + MESSAGES + " record(s) 0.." + (MESSAGES - 1));
    assertThat(store("dump", "journal", "--count", "1000").output()).contains("Appended");
    assertThat(store("dump", "orders-0", "--from", "3", "--count", "2").output().lines())
        .hasSize(2);
    assertThat(store("dump", "snapshot").output()).contains("replay from entry");
  }

  @Test
  void whatAKilledBrokerLeftIsSound() throws IOException {
    brokerRuns(true);
    Run verified = store("verify");
    assertThat(verified.output()).contains("No problems found");
    assertThat(verified.code()).isZero();
  }

  @Test
  void damageEndsInExitCodeOneAndNamesTheRecord() throws IOException {
    brokerRuns(false);
    Path segment = data.resolve("partitions/orders-0/00000000000000000000.meta");
    byte[] bytes = Files.readAllBytes(segment);
    bytes[30] ^= 1;
    Files.write(segment, bytes);
    Run verified = store("verify");
    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.output()).contains("PROBLEM orders-0: unreadable records 0 to 0");
  }

  @Test
  void aDirectoryThatIsNotOursIsToldInOneLine() throws IOException {
    Files.writeString(data.resolve("thesis.txt"), "years of work");
    Run verified = store("verify");
    assertThat(verified.code()).isEqualTo(1);
    assertThat(verified.output())
        .contains("is not a MetaQ data directory")
        .doesNotContain("Exception");
    assertThat(store().code()).isEqualTo(2);
  }
}
