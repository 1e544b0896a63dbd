package io.metaq.broker.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** The version this was built as, from the jar's manifest. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    String version =
        Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
            .orElse("(not packaged)");
    return new String[] {"MetaQ " + version, "Java " + Runtime.version()};
  }
}
