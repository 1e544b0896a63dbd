package io.metaq.broker.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * {@code metaq tx}: what a running broker's branches are, and an operator's decision over one that
 * its coordinator does not end. See {@code docs/transactions.md}.
 */
@Command(
    name = "tx",
    description = "List XA branches; commit or roll one back in its coordinator's place.",
    mixinStandardHelpOptions = true)
final class TxCommand implements Runnable {
  private static final String XID =
      "the Xid as 'list' shows it: format id, global id and branch qualifier in hex, with colons";

  @Spec private CommandSpec spec;

  @Mixin private BrokerLogin login;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "say list, show, commit, rollback or forget");
  }

  @Command(description = "List the branches in doubt, oldest first.")
  int list(@Option(names = "--all", description = "also those that are still open") boolean all)
      throws IOException {
    List<Map<String, String>> rows = ask("tx.list", all ? List.of("all") : List.of());
    if (rows.isEmpty()) {
      out().println(all ? "No branches." : "No branches in doubt.");
    } else {
      new TextTable(List.of("xid", "state", "age", "client", "sends", "acknowledges"))
          .print(rows, out());
    }
    return 0;
  }

  @Command(description = "Show one branch in full.")
  int show(@Parameters(paramLabel = "XID", description = XID) String xid) throws IOException {
    for (Map<String, String> row : ask("tx.show", List.of(xid))) {
      row.forEach((name, value) -> out().printf("%-13s %s%n", name, value));
    }
    out().flush();
    return 0;
  }

  @Command(description = "Commit a prepared branch; its coordinator will hear XA_HEURCOM.")
  int commit(@Parameters(paramLabel = "XID", description = XID) String xid) throws IOException {
    return decide("tx.commit", xid);
  }

  @Command(description = "Roll a prepared branch back; its coordinator will hear XA_HEURRB.")
  int rollback(@Parameters(paramLabel = "XID", description = XID) String xid) throws IOException {
    return decide("tx.rollback", xid);
  }

  @Command(description = "Forget a decision whose coordinator is gone for good.")
  int forget(@Parameters(paramLabel = "XID", description = XID) String xid) throws IOException {
    return decide("tx.forget", xid);
  }

  private int decide(String operation, String xid) throws IOException {
    for (Map<String, String> row : ask(operation, List.of(xid))) {
      out().println(row.get("xid") + " is " + new LinkedHashMap<>(row).get("state"));
    }
    out().flush();
    return 0;
  }

  private List<Map<String, String>> ask(String operation, List<String> arguments)
      throws IOException {
    return login.ask(operation, arguments);
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Where the broker is and who asks; the same for every command that talks to a running one. */
  static final class BrokerLogin {
    @Option(
        names = "--url",
        paramLabel = "URL",
        defaultValue = "metaq://localhost:8123",
        scope = ScopeType.INHERIT,
        description = "the broker (default: ${DEFAULT-VALUE}); user and password as its options")
    private String url;

    List<Map<String, String>> ask(String operation, List<String> arguments) throws IOException {
      return AdminClient.ask(url, operation, arguments);
    }
  }
}
