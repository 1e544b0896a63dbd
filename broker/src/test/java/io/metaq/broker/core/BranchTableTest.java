package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.broker.core.TransactionTable.Cell;
import io.metaq.broker.core.tx.Xa;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.ConnectionFrames.Failure;
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
                    cell.toString(), () -> assertThat(new Rig(cell).call()).isIn(cell.codes())));
  }

  private static final class Rig {
    private final CoreHarness broker = new CoreHarness();
    private final Client member = broker.client(1);
    private final Client other = broker.client(2);
    private final Client coordinator = broker.client(3);
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
      assertThat(code(member.request(end(flags)))).isEqualTo("OK");
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
