package io.metaq.containers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jboss.arquillian.container.test.api.ContainerController;
import org.jboss.shrinkwrap.api.spec.WebArchive;

/** Arquillian only deploys here: its connector starts no domain before the first deployment. */
final class GlassFish extends Server {
  private final Path configuration = home.resolve("glassfish/domains/domain1/config/domain.xml");
  private final String asadmin = home.resolve("bin/asadmin").toString();

  @Override
  void setUp(String brokerUrl) throws IOException, InterruptedException {
    Path archive = home.resolve("metaq-ra.rar");
    if (Files.exists(archive)) {
      if (Files.mismatch(ARCHIVE, archive) != -1) {
        throw new IllegalStateException(home + " has another archive: remove it");
      }
      return;
    }
    listenOnTheLoopbackOnly();
    asadmin("start-domain");
    Files.copy(ARCHIVE, archive);
    String script = ROOT.resolve("docs/servers/glassfish.sh").toString();
    run(List.of("sh", script, asadmin, brokerUrl, archive.toString()));
    asadmin("multimode", "--file", TEST_FILES.resolve("glassfish-test.asadmin").toString());
    asadmin("stop-domain");
  }

  private void listenOnTheLoopbackOnly() throws IOException {
    String everywhere = Files.readString(configuration);
    Files.writeString(
        configuration,
        everywhere
            .replace("address=\"0.0.0.0\"", "address=\"127.0.0.1\"")
            .replace("<network-listener port=", "<network-listener address=\"127.0.0.1\" port=")
            .replace("-Xmx512m", "-Xmx768m"));
  }

  @Override
  void start(ContainerController controller) throws IOException, InterruptedException {
    asadmin("start-domain");
    super.start(controller);
  }

  @Override
  void stop(ContainerController controller) throws IOException, InterruptedException {
    super.stop(controller);
    asadmin("stop-domain");
  }

  /** It committed the branch in one run and not in another; the documentation says so. */
  @Override
  boolean recoversAfterACrash() {
    return false;
  }

  @Override
  WebArchive dressed(WebArchive application) {
    return application.addAsWebInfResource("glassfish-ejb-jar.xml");
  }

  private void asadmin(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(asadmin));
    command.addAll(List.of(arguments));
    run(command);
  }
}
