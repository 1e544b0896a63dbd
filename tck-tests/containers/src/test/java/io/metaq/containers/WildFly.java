package io.metaq.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

final class WildFly extends Server {
  @Override
  void setUp(String brokerUrl) throws IOException, InterruptedException {
    Path adapter = home.resolve("standalone/deployments/metaq-ra.rar");
    if (!Files.exists(adapter)) {
      cli(ROOT.resolve("docs/servers/wildfly.cli"), "-Dmetaq.url=" + brokerUrl);
      cli(
          TEST_FILES.resolve("wildfly-test.cli"),
          "-Dderby.jars=" + String.join(":", derbyJars()),
          "-Dderby.database=" + home.resolve("standalone/data/derby"));
    }
    Files.copy(ARCHIVE, adapter, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  String jndi(String name) {
    return "java:/" + name;
  }

  private void cli(Path script, String... settings) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                home.resolve("bin/jboss-cli.sh").toString(),
                "--resolve-parameter-values",
                "--file=" + script));
    command.addAll(List.of(settings));
    run(command);
  }
}
