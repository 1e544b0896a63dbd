package io.metaq.containers;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jboss.arquillian.container.test.api.ContainerController;

/** A server of the tests' own, which includes the documented file. */
final class Liberty extends Server {
  private static final String NAME = "metaq";
  private final Path server = home.resolve("usr/servers").resolve(NAME);

  @Override
  void setUp(String brokerUrl) throws IOException, InterruptedException {
    if (!Files.exists(server)) {
      run(List.of("sh", home.resolve("bin/server").toString(), "create", NAME));
    }
    Path derby = Files.createDirectories(server.resolve("derby"));
    for (String jar : derbyJars()) {
      copy(Path.of(jar), derby.resolve(Path.of(jar).getFileName()));
    }
    copy(ROOT.resolve("docs/servers/liberty.xml"), server.resolve("liberty.xml"));
    String settings = Files.readString(TEST_FILES.resolve("liberty-test.xml"));
    Files.writeString(server.resolve("server.xml"), settings.replace("@URL@", brokerUrl));
    copy(ARCHIVE, server.resolve("metaq-ra.rar"));
  }

  /** Its connector cannot but ask the dead server to stop. */
  @Override
  void died(ContainerController controller) {
    assertThatThrownBy(() -> super.died(controller)).hasRootCauseInstanceOf(ConnectException.class);
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }
}
