package io.metaq.tck.transactions;

import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.Frame;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import javax.transaction.xa.Xid;

/** What {@code bin/metaq tx} does, without its text. */
final class Operator {
  private Operator() {}

  static List<Map<String, String>> ask(String url, String operation, String... arguments)
      throws IOException {
    try (RawClient client = new RawClient(url)) {
      Frame answer = client.ask(new Admin(operation, List.of(arguments)));
      if (answer instanceof AdminResult result) {
        return result.rows();
      }
      throw new IOException(operation + " " + List.of(arguments) + " was answered " + answer);
    }
  }

  /** The branch's row, or an empty one. */
  static Map<String, String> find(String url, Xid xid) throws IOException {
    return ask(url, "tx.list", "all").stream()
        .filter(row -> row.get("xid").equals(xid.toString()))
        .findFirst()
        .orElse(Map.of("state", "unknown"));
  }

  static void decide(String url, Xid xid, boolean commit) throws IOException {
    ask(url, commit ? "tx.commit" : "tx.rollback", xid.toString());
  }
}
