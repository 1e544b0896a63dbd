package io.metaq.broker.core;

import io.metaq.broker.core.Entry.PreparedSend;
import io.metaq.broker.core.tx.Branch;
import io.metaq.broker.core.tx.BranchLife;
import io.metaq.broker.core.tx.BranchLife.Phase;
import io.metaq.broker.core.tx.Branches;
import io.metaq.broker.core.tx.Xa;
import io.metaq.broker.core.tx.XidText;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.TransactionFrames.WireXid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** What an operator sees of branches and decides over them: the operations {@code tx.*}. */
final class BranchAdmin {
  private final XaBranches ledger;
  private final Branches<TransactionWork> branches;
  private final Destinations destinations;
  private final Moment moment;

  BranchAdmin(XaBranches ledger, Destinations destinations, Moment moment) {
    this.ledger = ledger;
    this.branches = ledger.branches();
    this.destinations = destinations;
    this.moment = moment;
  }

  /**
   * Carries an operation out.
   *
   * @param then gets the result; of a commit, when its messages have their places
   */
  void run(String operation, List<String> arguments, Consumer<AdminResult> then) {
    switch (operation) {
      case "tx.list" -> then.accept(list(arguments.contains("all")));
      case "tx.show" -> then.accept(rows(List.of(named(arguments))));
      case "tx.commit" -> decide(named(arguments), true, then);
      case "tx.rollback" -> decide(named(arguments), false, then);
      case "tx.forget" -> then.accept(forget(named(arguments)));
      default ->
          throw new CoreException(ErrorCode.UNSUPPORTED, "there is no operation " + operation);
    }
  }

  private AdminResult list(boolean all) {
    return rows(
        branches.all().stream().filter(branch -> all || Branches.isInDoubt(branch)).toList());
  }

  private AdminResult rows(List<Branch<TransactionWork>> list) {
    List<Map<String, String>> rows = new ArrayList<>();
    list.forEach(branch -> rows.add(row(branch)));
    return new AdminResult(rows);
  }

  private Branch<TransactionWork> named(List<String> arguments) {
    if (arguments.size() != 1) {
      throw new CoreException(ErrorCode.ILLEGAL_STATE, "name one branch by its Xid");
    }
    WireXid xid =
        XidText.parse(arguments.get(0))
            .orElseThrow(
                () ->
                    new CoreException(
                        ErrorCode.ILLEGAL_STATE,
                        "'"
                            + arguments.get(0)
                            + "' is no Xid: give format id, global id and branch qualifier in hex,"
                            + " with colons between, as 'tx list' shows it"));
    Branch<TransactionWork> branch = branches.find(xid);
    if (branch == null) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE,
          "there is no branch " + xid + "; 'tx list' shows those there are");
    }
    return branch;
  }

  private void decide(Branch<TransactionWork> branch, boolean commit, Consumer<AdminResult> then) {
    if (branch.life().phase() != Phase.PREPARED) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE,
          "branch "
              + branch.xid()
              + " is "
              + state(branch.life())
              + "; only a prepared one waits for a decision");
    }
    ledger.decide(branch, commit, () -> then.accept(rows(List.of(branch))));
  }

  private AdminResult forget(Branch<TransactionWork> branch) {
    Phase phase = branch.life().phase();
    if (phase != Phase.HEURISTICALLY_COMMITTED && phase != Phase.HEURISTICALLY_ROLLED_BACK) {
      throw new CoreException(
          ErrorCode.ILLEGAL_STATE,
          "branch "
              + branch.xid()
              + " is "
              + state(branch.life())
              + "; commit it or roll it back before its decision can be forgotten");
    }
    ledger.forget(branch);
    Map<String, String> row = new LinkedHashMap<>(row(branch));
    row.put("state", "forgotten");
    branches.remove(branch);
    return new AdminResult(List.of(row));
  }

  private Map<String, String> row(Branch<TransactionWork> branch) {
    Map<String, String> row = new LinkedHashMap<>();
    WireXid xid = branch.xid();
    row.put("xid", xid.toString());
    row.put("format", Integer.toString(xid.formatId()));
    row.put("gtrid", XidText.hex(xid.globalId()));
    row.put("bqual", XidText.hex(xid.branchQualifier()));
    row.put("narayana", XidText.narayana(xid));
    row.put("state", state(branch.life()));
    row.put("age", age(branch));
    row.put("client", branch.client() == null ? "" : branch.client());
    row.put("sends", sends(branch.work()));
    row.put("acknowledges", acknowledges(branch.work()));
    return row;
  }

  static String state(BranchLife life) {
    return switch (life.phase()) {
      case PREPARED -> "prepared";
      case HEURISTICALLY_COMMITTED -> "heuristically committed";
      case HEURISTICALLY_ROLLED_BACK -> "heuristically rolled back";
      case TOMBSTONE ->
          switch (life.doom()) {
            case Xa.RBTIMEOUT -> "rolled back (timed out)";
            case Xa.RBCOMMFAIL -> "rolled back (connection lost)";
            default -> "rolled back";
          };
      case OPEN ->
          life.doom() != 0
              ? "rollback-only"
              : life.hasActiveMembers() ? "active" : life.hasMembers() ? "suspended" : "idle";
    };
  }

  private String age(Branch<TransactionWork> branch) {
    long seconds = Math.max(0, moment.now() - branch.startedAt()) / 1000;
    if (branch.startedAt() == 0) {
      return "unknown";
    }
    if (seconds < 120) {
      return seconds + " s";
    }
    long minutes = seconds / 60;
    return minutes < 120 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
  }

  private String sends(TransactionWork work) {
    Map<String, Integer> counts = new TreeMap<>();
    for (PreparedSend send : work.sends) {
      Destination destination = destinations.byId(send.destinationId());
      counts.merge(
          destination == null ? "a deleted destination" : destination.toString(), 1, Integer::sum);
    }
    if (work.spill != null) {
      for (Entry.Extent extent : work.spill.all()) {
        for (Entry.Share share : extent.messages()) {
          Destination destination = destinations.byId(share.destinationId());
          counts.merge(
              destination == null ? "a deleted destination" : destination.toString(),
              share.messages(),
              Integer::sum);
        }
      }
    }
    return text(counts);
  }

  private static String acknowledges(TransactionWork work) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Delivery delivery : work.held) {
      counts.merge(delivery.subscription.destination.toString(), 1, Integer::sum);
    }
    return text(counts);
  }

  private static String text(Map<String, Integer> counts) {
    return counts.entrySet().stream()
        .map(one -> one.getValue() + " x " + one.getKey())
        .collect(Collectors.joining(", "));
  }

  TransactionFigures figures(int local) {
    int active = 0;
    int prepared = 0;
    int heuristic = 0;
    long oldest = 0;
    for (Branch<TransactionWork> branch : branches.all()) {
      switch (branch.life().phase()) {
        case OPEN -> active++;
        case PREPARED -> {
          prepared++;
          oldest = Math.max(oldest, moment.now() - branch.preparedAt());
        }
        case HEURISTICALLY_COMMITTED, HEURISTICALLY_ROLLED_BACK -> heuristic++;
        case TOMBSTONE -> {
          // rolled back: nobody waits for anything but its reason
        }
      }
    }
    return new TransactionFigures(local, active, prepared, oldest, heuristic);
  }
}
