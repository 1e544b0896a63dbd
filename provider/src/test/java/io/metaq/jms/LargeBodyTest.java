package io.metaq.jms;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LargeBodyTest {

  @Test
  void aBodyFourTimesTheHeapPassesThrough() throws Exception {
    run("-Xmx16m", 64L << 20);
  }

  @Test
  @Tag("slow")
  void aGibibytePassesThroughAHeapOf64Mebibytes() throws Exception {
    run("-Xmx64m", 1L << 30);
  }

  private static void run(String heap, long length) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                heap,
                "-cp",
                System.getProperty("java.class.path"),
                LargeBodyProgram.class.getName(),
                Long.toString(length))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(output).isZero();
  }
}
