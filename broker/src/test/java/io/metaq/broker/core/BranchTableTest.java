package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.broker.core.TransactionTable.Cell;
import io.metaq.broker.core.tx.Xa;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.DestinationFrames.Delete;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaInDoubt;
import io.metaq.wire.TransactionFrames.XaRecover;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaStarted;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Walks the table of docs/transactions.md, cell by cell, through frames into the core. */
class BranchTableTest {
  private static final WireXid XID = new WireXid(1, new byte[] {1}, new byte[] {2});
  private static final WireXid ELSEWHERE = new WireXid(1, new byte[] {1}, new byte[] {3});

  @Test
  void theTableCoversEveryCallAndState() {
    List<Cell> cells = TransactionTable.read();
    assertThat(cells.stream().map(Cell::state).distinct())
        .containsExactlyInAnyOrder(
            "none",
            "active",
            "suspended",
            "idle",
            "rollback-only",
            "prepared",
            "heuristic commit",
            "heuristic rollback",
            "timed out",
            "member lost");
    // Whoever adds a call or a flag says here what must be known of it.
    List<String> calls =
        List.of(
            "start(TMNOFLAGS)",
            "start(TMJOIN)",
            "start(TMRESUME)",
            "end(TMSUCCESS)",
            "end(TMFAIL)",
            "end(TMSUSPEND)",
            "prepare",
            "commit(one phase)",
            "commit(two phases)",
            "rollback",
            "forget",
            "recover(TMSTARTRSCAN)");
    for (String call : calls) {
      List<Cell> rows =
          cells.stream().filter(cell -> cell.toString().startsWith(call + " in state")).toList();
      assertThat(rows.stream().map(Cell::state).distinct())
          .as(call + " without any condition")
          .hasSizeGreaterThanOrEqualTo(call.startsWith("end") ? 9 : 10);
      assertThat(with(cells, call, "connection cut during the call")).as(call).hasSize(10);
    }
    for (String call : calls.subList(6, 12)) {
      assertThat(with(cells, call, "disk full")).as(call).hasSize(10);
      assertThat(with(cells, call, "the broker was restarted")).as(call).hasSize(10);
    }
  }

  private static List<Cell> with(List<Cell> cells, String call, String condition) {
    return cells.stream()
        .filter(cell -> cell.toString().startsWith(call + ", " + condition + ","))
        .toList();
  }

  /** X3. */
  @Test
  void noRollbackAsksForARetryAndNoOnePhaseCommitAnswersAHeuristicNobodyTook() {
    for (Cell cell : TransactionTable.read()) {
      assertThat(cell.codes()).as(cell.toString()).doesNotContain("RETRY", "RMERR");
      if (!cell.state().startsWith("heuristic") || cell.flag().equals("one phase")) {
        assertThat(cell.codes())
            .as(cell.toString())
            .doesNotContain("HEURCOM", "HEURRB", "HEURMIX", "HEURHAZ");
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> everyCellHolds() {
    return TransactionTable.read().stream()
        .filter(cell -> !cell.condition().equals("connection cut during the call"))
        // A scan is the client's, with flags that never reach the broker.
        .filter(cell -> !cell.call().equals("recover") || cell.flag().startsWith("TMSTART"))
        .map(
            cell ->
                dynamicTest(
                    cell.toString(), () -> assertThat(new Rig(cell).call()).isIn(cell.codes())));
  }

  private static final class Rig {
    private final CoreHarness broker = new CoreHarness();
    private final Client member = broker.client(1);
    private Client other = broker.client(2);
    private Client coordinator = broker.client(3);
    private final long queue = member.queue("q");
    private final Cell cell;
    private final boolean work;

    Rig(Cell cell) {
      this.cell = cell;
      this.work = !cell.condition().equals("nothing was sent or acknowledged");
    }

    String call() {
      bring();
      boolean lost = cell.state().equals("member lost");
      Client caller = cell.call().equals("end") && !lost ? member : other;
      switch (cell.condition()) {
        case "", "nothing was sent or acknowledged" -> {}
        case "caller is the member" -> caller = member;
        case "caller is no member" -> caller = other;
        case "caller is active in another branch" -> start(other, ELSEWHERE, Xa.TMNOFLAGS);
        case "caller has open local work" -> send(other, 7);
        case "another member failed", "caller is the member, another one failed" -> {
          caller = member;
          start(other, XID, Xa.TMJOIN);
          assertThat(code(other.request(end(Xa.TMFAIL)))).isEqualTo("OK");
        }
        case "disk full" -> broker.core.storageTrouble("no space left");
        // Brought about while the branch was open.
        case "a send of it was refused", "a queue that it sent to was deleted" -> {}
        case "the broker was restarted" -> {
          broker.restart();
          other = broker.client(4);
          coordinator = broker.client(5);
          caller = other;
        }
        default -> throw new IllegalArgumentException("unknown condition " + cell.condition());
      }
      return switch (cell.call()) {
        case "start" -> code(caller.request(new XaStart(1, XID, flag(cell.flag()), 0)));
        case "end" -> code(caller.request(end(flag(cell.flag()))));
        case "recover" ->
            ((XaInDoubt) coordinator.request(new XaRecover())).xids().contains(XID)
                ? "listed"
                : "absent";
        default -> complete(verb());
      };
    }

    private void bring() {
      if (cell.state().equals("none")) {
        return;
      }
      long handle = start(member, XID, Xa.TMNOFLAGS);
      if (work) {
        send(member, handle);
      }
      switch (cell.condition()) {
        case "a send of it was refused" ->
            member.oneWay(
                new Send(1, 2, 999, handle, 0, 0, 0, CoreHarness.message("m", 4, true, Map.of())));
        case "a queue that it sent to was deleted" ->
            assertThat(coordinator.request(new Delete(DestinationKind.QUEUE, "q")))
                .isEqualTo(Ok.INSTANCE);
        default -> {}
      }
      switch (cell.state()) {
        case "active" -> {}
        case "suspended" -> endMember(Xa.TMSUSPEND);
        case "rollback-only" -> endMember(Xa.TMFAIL);
        default -> endMember(Xa.TMSUCCESS);
      }
      switch (cell.state()) {
        case "prepared", "heuristic commit", "heuristic rollback" -> {
          assertThat(complete(XaVerb.PREPARE)).isEqualTo("OK");
          if (!cell.state().equals("prepared")) {
            String operation =
                cell.state().equals("heuristic commit") ? "tx.commit" : "tx.rollback";
            coordinator.request(new Admin(operation, List.of(XID.toString())));
          }
        }
        case "timed out" -> broker.pass(301_000);
        case "member lost" -> member.disconnect();
        default -> {}
      }
    }

    private long start(Client client, WireXid xid, int flags) {
      return ((XaStarted) client.request(new XaStart(1, xid, flags, 0))).handle();
    }

    private void send(Client client, long transaction) {
      client.oneWay(
          new Send(1, 1, queue, transaction, 0, 0, 0, CoreHarness.message("m", 4, true, Map.of())));
    }

    private XaEnd end(int flags) {
      return new XaEnd(1, XID, 0, flags, List.of());
    }

    private void endMember(int flags) {
      String refused = cell.condition().equals("a send of it was refused") ? "RBROLLBACK" : "OK";
      assertThat(code(member.request(end(flags)))).isIn("OK", refused);
    }

    private String complete(XaVerb verb) {
      int correlation = coordinator.ask(new XaComplete(verb, XID, 0));
      broker.pass(2_001);
      return code(coordinator.answer(correlation));
    }

    private XaVerb verb() {
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
        default -> 0;
      };
    }

    private static String code(Frame answer) {
      assertThat(answer).as("an answer").isNotNull();
      int code =
          answer instanceof XaDone done
              ? done.vote()
              : answer instanceof Failure failure ? failure.detail() : Xa.OK;
      return Xa.name(code).replaceFirst("^XA(ER)?_", "");
    }
  }
}
