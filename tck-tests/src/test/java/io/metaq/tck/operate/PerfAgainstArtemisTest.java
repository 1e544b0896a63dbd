package io.metaq.tck.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQJMSConnectionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The load generator drives a provider that is not ours in each of its ways of sending. */
class PerfAgainstArtemisTest {

  @TempDir static Path folder;

  private static final EmbeddedActiveMQ BROKER = new EmbeddedActiveMQ();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws Exception {
    ConfigurationImpl configuration = new ConfigurationImpl();
    configuration.setPersistenceEnabled(false).setSecurityEnabled(false);
    configuration.setBrokerInstance(folder.toFile());
    configuration.addAddressSetting("#", new AddressSettings());
    configuration.addAcceptorConfiguration("in-vm", "vm://7");
    BROKER.setConfiguration(configuration);
    BROKER.start();
  }

  @AfterAll
  static void stop() throws Exception {
    BROKER.stop();
  }

  private int perf(String options) {
    String all =
        "perf --url vm://7 --warmup 0 --seconds 1 --backlog 500 --factory "
            + ActiveMQJMSConnectionFactory.class.getName()
            + " "
            + options;
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.strip().split(" +"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--senders 2 --receivers 2 --non-persistent --acknowledge client",
        "--async 50 --topic --receivers 2",
        "--batch 10 --size 16"
      })
  void everyMessageSentIsReceivedAndTheReportSaysHowFast(String options) {
    assertThat(perf(options)).as(err + "\n" + out).isZero();
    assertThat(out.toString())
        .containsPattern("sent +[1-9][0-9,]*/s")
        .containsPattern("received +[1-9][0-9,]*/s")
        .containsPattern("end to end .* ms p50")
        .containsPattern("client CPU .* us per message")
        .doesNotContain("NOT DELIVERED");
  }

  @Test
  void aFactoryThatIsNoneEndsTheRunWithOneMessage() {
    assertThat(perf("--factory java.lang.String")).isEqualTo(2);
    assertThat(
            Main.commandLine()
                .setErr(new PrintWriter(err, true))
                .execute("perf", "--factory", "java.lang.String", "--url", "x"))
        .isEqualTo(1);
    assertThat(err.toString())
        .contains("cannot make a java.lang.String")
        .contains("METAQ_CLASSPATH");
  }
}
