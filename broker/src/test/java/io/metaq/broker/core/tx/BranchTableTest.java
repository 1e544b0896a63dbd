package io.metaq.broker.core.tx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.metaq.broker.core.tx.TransactionTable.Cell;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Walks the table of docs/transactions.md through the branches, without messages. */
class BranchTableTest {
  private static final WireXid XID = new WireXid(1, new byte[] {1}, new byte[] {2});
  private static final WireXid ELSEWHERE = new WireXid(1, new byte[] {1}, new byte[] {3});
  private static final SessionRef MEMBER = new SessionRef(1, 1);
  private static final SessionRef OTHER = new SessionRef(2, 1);
  private static final int COORDINATOR = 9;

  @Test
  void theTableCoversEveryCallAndState() {
    assertThat(TransactionTable.read()).hasSizeGreaterThan(300);
    assertThat(TransactionTable.read().stream().map(Cell::state).distinct()).hasSize(10);
    assertThat(TransactionTable.read().stream().map(Cell::call).distinct())
        .containsExactlyInAnyOrder(
            "start", "end", "prepare", "commit", "rollback", "forget", "recover");
  }

  @TestFactory
  Stream<DynamicTest> everyCellHolds() {
    return TransactionTable.read().stream()
        .filter(cell -> !cell.condition().equals("connection cut before the reply"))
        .filter(cell -> !cell.condition().equals("no scan is open"))
        .map(
            cell ->
                dynamicTest(
                    cell.toString(),
                    () -> assertThat(cell.codes()).contains(new Rig().call(cell))));
  }

  /** Branches over a ledger that only remembers. */
  private static final class Rig implements Branches.Ledger {
    private final Branches branches =
        new Branches(new Branches.Limits(300_000, 86_400_000, 600_000, 2_000), this);
    private final Map<Integer, Integer> answers = new HashMap<>();
    private boolean room = true;
    private boolean work = true;
    private long now = 1_000;

    String call(Cell cell) {
      work = !cell.condition().equals("nothing was sent or acknowledged");
      bring(cell.state());
      SessionRef caller = cell.call().equals("end") ? MEMBER : OTHER;
      boolean localWork = false;
      switch (cell.condition()) {
        case "", "nothing was sent or acknowledged" -> {}
        case "caller is the member" -> caller = MEMBER;
        case "caller is no member" -> caller = OTHER;
        case "caller is active in another branch" -> start(OTHER, ELSEWHERE, Xa.TMNOFLAGS);
        case "caller has open local work" -> localWork = true;
        case "another member failed", "caller is the member, another one failed" -> {
          caller = MEMBER;
          start(OTHER, XID, Xa.TMJOIN);
          branches.end(OTHER, XID, 0, Xa.TMFAIL, now);
        }
        case "disk full" -> room = false;
        default -> throw new IllegalArgumentException("unknown condition " + cell.condition());
      }
      return switch (cell.call()) {
        case "start" ->
            text(branches.start(caller, "c", XID, flag(cell.flag()), 0, localWork, now).code());
        case "end" -> text(branches.end(caller, XID, 0, flag(cell.flag()), now));
        case "recover" -> branches.inDoubt().contains(XID) ? "listed" : "absent";
        default -> complete(verb(cell));
      };
    }

    private void bring(String state) {
      if (state.equals("none")) {
        return;
      }
      start(MEMBER, XID, Xa.TMNOFLAGS);
      if (work) {
        branches.find(XID).work().acknowledge(List.of(new Range(1, 0, 0, 0)));
      }
      switch (state) {
        case "active" -> {}
        case "suspended" -> end(Xa.TMSUSPEND);
        case "rollback-only" -> end(Xa.TMFAIL);
        case "idle" -> end(Xa.TMSUCCESS);
        case "prepared", "heuristic commit", "heuristic rollback" -> {
          end(Xa.TMSUCCESS);
          complete(XaVerb.PREPARE);
          if (!state.equals("prepared")) {
            decide(branches.find(XID), state.equals("heuristic commit"));
          }
        }
        case "timed out" -> {
          end(Xa.TMSUCCESS);
          now += 300_000;
          branches.tick(now);
        }
        case "member lost" -> {
          end(Xa.TMSUCCESS);
          branches.lost(MEMBER.connection(), now);
        }
        default -> throw new IllegalArgumentException("unknown state " + state);
      }
    }

    private void start(SessionRef session, WireXid xid, int flags) {
      assertThat(branches.start(session, "c", xid, flags, 0, false, now).code()).isZero();
    }

    private void end(int flags) {
      assertThat(branches.end(MEMBER, XID, 0, flags, now)).isZero();
    }

    private String complete(XaVerb verb) {
      branches.complete(COORDINATOR, 1, verb, XID, 0, now);
      now += 2_000;
      branches.tick(now);
      return text(answers.remove(1));
    }

    private static XaVerb verb(Cell cell) {
      return switch (cell.call() + " " + cell.flag()) {
        case "prepare " -> XaVerb.PREPARE;
        case "commit one phase" -> XaVerb.COMMIT_ONE_PHASE;
        case "commit two phases" -> XaVerb.COMMIT;
        case "rollback " -> XaVerb.ROLLBACK;
        case "forget " -> XaVerb.FORGET;
        default -> throw new IllegalArgumentException("unknown call " + cell);
      };
    }

    private static int flag(String name) {
      return switch (name) {
        case "TMNOFLAGS" -> Xa.TMNOFLAGS;
        case "TMJOIN" -> Xa.TMJOIN;
        case "TMRESUME" -> Xa.TMRESUME;
        case "TMSUCCESS" -> Xa.TMSUCCESS;
        case "TMFAIL" -> Xa.TMFAIL;
        case "TMSUSPEND" -> Xa.TMSUSPEND;
        default -> throw new IllegalArgumentException("unknown flag " + name);
      };
    }

    private static String text(int code) {
      return Xa.name(code).replaceFirst("^XA(ER)?_", "");
    }

    @Override
    public Work begin(long handle) {
      return new Work(handle);
    }

    @Override
    public boolean prepare(Branch branch) {
      if (room) {
        branch.prepared(now);
      }
      return room;
    }

    @Override
    public boolean commit(Branch branch) {
      return room || branch.life().phase() == BranchLife.Phase.PREPARED;
    }

    @Override
    public void rollBack(Branch branch) {}

    @Override
    public void forget(Branch branch) {}

    @Override
    public void decide(Branch branch, boolean commit) {
      branch.life().decided(commit);
    }

    @Override
    public void answer(int connection, int correlation, int code) {
      answers.put(correlation, code);
    }
  }
}
