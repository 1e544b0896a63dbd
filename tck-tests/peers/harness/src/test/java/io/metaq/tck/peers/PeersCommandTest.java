package io.metaq.tck.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The harness itself, for a moment and with MetaQ alone, so that it is still there when needed. */
@Tag("peers")
class PeersCommandTest {

  private final StringWriter said = new StringWriter();

  private int run(String... arguments) {
    CommandLine command = PeersCommand.commandLine();
    command.setOut(new PrintWriter(said, true)).setErr(new PrintWriter(said, true));
    return command.execute(arguments);
  }

  @Test
  void aShortRunOfMetaqAloneWritesTableJsonAndPlots(@TempDir Path folder) throws Exception {
    int code =
        run(
            "--rounds=1",
            "--seconds=0.5",
            "--workloads=W1",
            "--providers=metaq",
            "--project=" + System.getProperty("project.root"),
            "--data=" + folder.resolve("data"),
            "--out=" + folder.resolve("out"));

    assertThat(code).as(said.toString()).isZero();
    JsonNode round =
        new ObjectMapper()
            .readTree(Files.readString(folder.resolve("out/peers.json")))
            .at("/workloads/W1/MetaQ/0");
    assertThat(round.path("RATE").asDouble()).isPositive();
    assertThat(round.path("BROKER_CPU").asDouble()).isPositive();
    assertThat(round.path("HEAP_MB").asDouble()).isPositive();
    assertThat(round.path("UNDELIVERED").asInt()).isZero();
    assertThat(folder.resolve("out/peers.md")).content().contains("| MetaQ |", "1 round of 0.5 s");
    assertThat(folder.resolve("out/rate.svg")).content().contains("<svg", "W1");
    assertThat(folder.resolve("data")).as("what the brokers stored").isEmptyDirectory();
  }

  @Test
  void aWorkloadThatDoesNotExistIsNamed() {
    int code = run("--workloads=W99");

    assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(said.toString()).contains("no workload W99", "W7x8");
  }
}
