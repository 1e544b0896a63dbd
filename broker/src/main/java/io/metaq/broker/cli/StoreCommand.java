package io.metaq.broker.cli;

import io.metaq.broker.MetaqImport;
import io.metaq.broker.config.BrokerConfig;
import io.metaq.broker.config.ConfigException;
import io.metaq.broker.config.ServerIni;
import io.metaq.broker.core.EntryCodec;
import io.metaq.broker.store.FileDisk;
import io.metaq.broker.store.StoreTool;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * {@code metaq store}: looks at a data directory without a broker, best while none uses it or on a
 * copy, and changes nothing; or imports that of a MetaQ 1.4 broker.
 */
@Command(
    name = "store",
    description = "Look at a data directory without a broker, or import one of MetaQ 1.4.",
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
    throw new ParameterException(spec.commandLine(), "say verify, stat, dump or import");
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

  @Command(
      name = "import",
      description = {
        "Take the messages of a MetaQ 1.4 broker over into the data directory. Both brokers must be"
            + " stopped. Everything is checked before anything is written; MetaQ's folder is not"
            + " changed.",
        "A topic becomes a queue of the same name, or, with --subscription, a topic."
      })
  int importMetaq(
      @Parameters(paramLabel = "DATAPATH", description = "MetaQ's dataPath") Path dataPath,
      @Option(
              names = "--tx-log",
              paramLabel = "DIRECTORY",
              description = "MetaQ's dataLogPath (default: DATAPATH)")
          Path dataLogPath,
      @Option(
              names = "--subscription",
              paramLabel = "TOPIC=NAME",
              description =
                  "a shared durable subscription that receives all messages of the topic, for"
                      + " instance one for each consumer group of MetaQ; may be repeated")
          List<String> wanted)
      throws IOException, ConfigException {
    Map<String, Set<String>> subscriptions = new TreeMap<>();
    for (String one : wanted == null ? List.<String>of() : wanted) {
      int equals = one.indexOf('=');
      if (equals < 1
          || !subscriptions
              .computeIfAbsent(one.substring(0, equals), topic -> new TreeSet<>())
              .add(one.substring(equals + 1))) {
        throw new ParameterException(
            spec.commandLine(), "--subscription " + one + ": say TOPIC=NAME, and each once");
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    new MetaqImport(config(), out::println)
        .run(dataPath, dataLogPath == null ? dataPath : dataLogPath, subscriptions);
    out.println("Imported into " + config().dataPath() + ".");
    out.flush();
    return 0;
  }

  private BrokerConfig config() throws ConfigException {
    Path file = Home.folder().resolve("conf").resolve("server.ini");
    BrokerConfig config =
        data != null && !Files.exists(file)
            ? ServerIni.parse("", data.toAbsolutePath())
            : ServerIni.load(file);
    return data == null ? config : config.withDataPath(data);
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
