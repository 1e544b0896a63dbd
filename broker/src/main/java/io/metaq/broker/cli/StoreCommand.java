package io.metaq.broker.cli;

import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.ServerIni;
import io.metaq.broker.core.EntryCodec;
import io.metaq.broker.store.FileDisk;
import io.metaq.broker.store.StoreTool;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * {@code metaq store}: looks at a data directory without a broker. Changes nothing; best run while
 * no broker uses the directory, or on a copy.
 */
@Command(
    name = "store",
    description = "Look at a data directory without a broker; changes nothing.",
    mixinStandardHelpOptions = true)
final class StoreCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "DIRECTORY",
      scope = ScopeType.INHERIT,
      description = "data directory (default: dataPath of conf/server.ini)")
  private Path data;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say verify, stat or dump");
  }

  @Command(description = "Check every checksum. Exit code 1 if anything is wrong.")
  int verify() throws IOException, ConfigException {
    return tool().verify() == 0 ? 0 : 1;
  }

  @Command(description = "Show what there is and how large it is.")
  int stat() throws IOException, ConfigException {
    tool().stat();
    return 0;
  }

  @Command(
      description = "Show the contents of the journal, of a partition or of the newest snapshot.")
  int dump(
      @Parameters(
              paramLabel = "WHAT",
              description = "journal, snapshot, or the name of a partition such as orders-0")
          String what,
      @Option(
              names = "--from",
              paramLabel = "N",
              defaultValue = "0",
              description = "first journal entry or record (default: the oldest)")
          long from,
      @Option(
              names = "--count",
              paramLabel = "N",
              defaultValue = "100",
              description = "how many (default: ${DEFAULT-VALUE})")
          long count)
      throws IOException, ConfigException {
    if (count < 0 || from < 0) {
      throw new ParameterException(spec.commandLine(), "--from and --count are not negative");
    }
    switch (what) {
      case "journal" -> tool().dumpJournal(from, count);
      case "snapshot" -> tool().dumpSnapshot();
      default -> tool().dumpPartition(what, from, count);
    }
    return 0;
  }

  private StoreTool tool() throws ConfigException {
    Path directory =
        data != null
            ? data
            : ServerIni.load(Home.folder().resolve("conf").resolve("server.ini")).dataPath();
    return new StoreTool(
        new FileDisk(directory),
        spec.commandLine().getOut(),
        payload -> EntryCodec.decode(payload).toString());
  }
}
