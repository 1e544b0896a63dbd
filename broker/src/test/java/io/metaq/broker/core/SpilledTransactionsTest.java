package io.metaq.broker.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.metaq.broker.core.CoreHarness.Client;
import io.metaq.broker.core.tx.Xa;
import io.metaq.wire.AdminFrames.Admin;
import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.TransactionFrames.Commit;
import io.metaq.wire.TransactionFrames.Outcome;
import io.metaq.wire.TransactionFrames.QueryOutcome;
import io.metaq.wire.TransactionFrames.Rollback;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaComplete;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.TransactionFrames.XaEnd;
import io.metaq.wire.TransactionFrames.XaStart;
import io.metaq.wire.TransactionFrames.XaStarted;
import io.metaq.wire.TransactionFrames.XaVerb;
import io.metaq.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Transactions larger than what the core keeps of one in memory. */
class SpilledTransactionsTest {
  private static final WireXid XID = new WireXid(1, new byte[] {1}, new byte[] {2});
  private static final int MANY = 40;
  private static final List<String> ALL = IntStream.range(0, MANY).mapToObj(i -> "m" + i).toList();

  /** Pieces of one or two messages, and about ten of them an extent. */
  private CoreHarness broker = new CoreHarness(CoreHarness.withCache(8 << 10));

  private Client client = broker.client(1);
  private final long queue = client.queue("q");
  private final long target = client.queue("target");

  private void send(long transaction, String text) {
    Send plain = client.sendFrame(queue, CoreHarness.message(text, 4, true, Map.of()), 0, 0);
    client.oneWay(new Send(1, plain.sequence(), queue, transaction, 0, 0, 0, plain.content()));
  }

  private void sendAll(long transaction) {
    ALL.forEach(text -> send(transaction, text));
  }

  private Frame settled(Client by, Frame request) {
    int asked = by.ask(request);
    broker.settle();
    return by.answer(asked);
  }

  private static String code(Frame answer) {
    return answer instanceof Failure failure
        ? Xa.name(failure.detail())
        : Xa.name(((XaDone) answer).vote());
  }

  private String complete(Client by, XaVerb verb) {
    return code(settled(by, new XaComplete(verb, XID, 0)));
  }

  private void sendAllInBranch() {
    long handle = ((XaStarted) client.request(new XaStart(1, XID, Xa.TMNOFLAGS, 0))).handle();
    sendAll(handle);
    client.request(new XaEnd(1, XID, 0, Xa.TMSUCCESS, List.of()));
  }

  private List<String> everything() {
    Client other = broker.client(9);
    int consumer = other.consumeQueue("q");
    other.credit(consumer, 1_000);
    broker.settle();
    return other.texts(consumer);
  }

  private void restart() {
    broker.restart();
    broker.settle();
  }

  private static int bytes(Entry entry) {
    WireWriter out = new WireWriter();
    EntryCodec.encode(entry, out);
    return out.position();
  }

  private Entry last(Class<? extends Entry> type) {
    return broker.journal.stream().filter(type::isInstance).reduce((a, b) -> b).orElseThrow();
  }

  private List<Long> bodiesKept() {
    List<Long> kept = new ArrayList<>(broker.extents.keySet());
    kept.removeAll(broker.released);
    return kept;
  }

  @Test
  void onlyAPieceOfALargeTransactionIsInMemory() {
    sendAll(5);
    assertThat(broker.extents.size() + broker.spools.size()).isPositive();
    long gathered = broker.spools.values().stream().mapToLong(spool -> spool.size()).sum();
    assertThat(gathered).isGreaterThan(1_000);
  }

  @Test
  void theCommitOfALargeTransactionIsOneSmallForcedEntryAndEverythingIsThere() {
    sendAll(5);
    assertThat(settled(client, new Commit(1, 5, List.of()))).isEqualTo(Ok.INSTANCE);
    Entry.TransactionCommitted commit =
        (Entry.TransactionCommitted) last(Entry.TransactionCommitted.class);
    assertThat(bytes(commit)).isLessThan(500);
    assertThat(((Entry.ExtentsCommitted) commit.parts().get(0)).extents())
        .as("extents")
        .hasSizeGreaterThan(1);
    assertThat(everything()).isEqualTo(ALL);
    assertThat(bodiesKept()).isEmpty();
  }

  @Test
  void theCommitWaitsUntilItsExtentsAreDurable() {
    sendAll(5);
    int before = broker.journal.size();
    int commit = client.ask(new Commit(1, 5, List.of()));
    assertThat(broker.journal).hasSize(before);
    assertThat(client.answer(commit)).isNull();
    broker.settle();
    assertThat(client.answer(commit)).isEqualTo(Ok.INSTANCE);
  }

  @Test
  void whatASessionSendsAfterTheCommitStandsBehindIt() {
    sendAll(5);
    assertThat(settled(client, new Commit(1, 5, List.of()))).isEqualTo(Ok.INSTANCE);
    client.send(queue, "next");
    assertThat(everything()).hasSize(MANY + 1).endsWith("next").startsWith("m0");
  }

  @Test
  void aLargeTransactionIsAllOrNothingWhereverTheJournalEnds() {
    sendAll(5);
    settled(client, new Commit(1, 5, List.of()));
    List<Entry> journal = List.copyOf(broker.journal);
    int decision = journal.indexOf(last(Entry.TransactionCommitted.class));
    int end = journal.size();
    assertThat(end - decision).as("pieces").isGreaterThan(10);
    for (int length = decision; length <= end; length++) {
      broker.journal.clear();
      broker.journal.addAll(journal.subList(0, length));
      broker.forced.clear();
      journal.subList(0, length).forEach(entry -> broker.forced.add(true));
      broker.crashTo(length);
      broker.settle();
      Client other = broker.client(3);
      boolean committed = length > decision;
      assertThat(settled(other, new QueryOutcome(client.id, 5))).isEqualTo(new Outcome(committed));
      assertThat(everything())
          .as("journal of %s entries", length)
          .isEqualTo(committed ? ALL : List.of());
    }
  }

  @Test
  void aRollbackRemovesTheExtents() {
    sendAll(5);
    broker.settle();
    assertThat(broker.extents).isNotEmpty();
    assertThat(client.request(new Rollback(1, 5, List.of()))).isEqualTo(Ok.INSTANCE);
    broker.settle();
    assertThat(bodiesKept()).isEmpty();
    assertThat(broker.spools).isEmpty();
    assertThat(everything()).isEmpty();
  }

  @Test
  void aLostConnectionRemovesTheExtentsAlsoWhileTheCommitWaitsForThem() {
    sendAll(5);
    client.ask(new Commit(1, 5, List.of()));
    client.disconnect();
    broker.settle();
    assertThat(bodiesKept()).isEmpty();
    Client other = broker.client(3);
    assertThat(settled(other, new QueryOutcome(client.id, 5))).isEqualTo(new Outcome(false));
    assertThat(everything()).isEmpty();
  }

  @Test
  void anExtentThatCannotBeStoredRollsTheTransactionBack() {
    sendAll(5);
    broker.failingSeals = 1;
    assertThat(settled(client, new Commit(1, 5, List.of())))
        .isInstanceOfSatisfying(
            Failure.class, failure -> assertThat(failure.code()).isEqualTo(ErrorCode.ROLLED_BACK));
    assertThat(bodiesKept()).isEmpty();
    assertThat(everything()).isEmpty();
  }

  @Test
  void anExtentThatCannotBeStoredMakesPrepareAnswerThatItIsRolledBack() {
    sendAllInBranch();
    broker.failingSeals = 1;
    assertThat(complete(client, XaVerb.PREPARE)).isEqualTo("XA_RBOTHER");
    assertThat(bodiesKept()).isEmpty();
    assertThat(everything()).isEmpty();
  }

  @Test
  void aLargeBranchIsPreparedAndCommittedAcrossRestartsByOneSmallEntryEach() {
    sendAllInBranch();
    assertThat(complete(client, XaVerb.PREPARE)).isEqualTo("XA_OK");
    assertThat(bytes(last(Entry.BranchPrepared.class))).isLessThan(600);
    restart();
    assertThat(broker.core.liveBodies()).hasSizeGreaterThan(1);
    assertThat(everything()).isEmpty();
    assertThat(complete(broker.client(3), XaVerb.COMMIT)).isEqualTo("XA_OK");
    assertThat(bytes(last(Entry.BranchCompleted.class))).isLessThan(600);
    restart();
    assertThat(everything()).isEqualTo(ALL);
    assertThat(broker.core.liveBodies()).isEmpty();
  }

  @Test
  void aLargePreparedBranchIsRolledBackAfterARestartAndItsExtentsGo() {
    sendAllInBranch();
    complete(client, XaVerb.PREPARE);
    restart();
    assertThat(complete(broker.client(3), XaVerb.ROLLBACK)).isEqualTo("XA_OK");
    assertThat(bodiesKept()).isEmpty();
    assertThat(everything()).isEmpty();
  }

  @Test
  void aCheckpointCarriesLargeBranchesByReference() {
    sendAllInBranch();
    complete(client, XaVerb.PREPARE);
    List<SnapshotUnit> units = broker.snapshot();
    assertThat(units)
        .filteredOn(unit -> unit.kind() == SnapshotUnit.Kind.BRANCH)
        .singleElement()
        .satisfies(unit -> assertThat(unit.bytes().remaining()).isLessThan(600));
    broker.replayInto(units, broker.journal.size());
    broker.settle();
    assertThat(complete(broker.client(3), XaVerb.COMMIT)).isEqualTo("XA_OK");
    assertThat(everything()).isEqualTo(ALL);
  }

  @Test
  void aCheckpointAtAnyMomentOfThePlacingIsGoneOnFrom() {
    sendAll(5);
    client.ask(new Commit(1, 5, List.of()));
    broker.sealExtents();
    List<List<SnapshotUnit>> snapshots = new ArrayList<>();
    List<Integer> lengths = new ArrayList<>();
    do {
      snapshots.add(broker.snapshot());
      lengths.add(broker.journal.size());
    } while (broker.readExtent());
    assertThat(snapshots).hasSizeGreaterThan(10);
    List<Entry> journal = List.copyOf(broker.journal);
    for (int i = 0; i < snapshots.size(); i++) {
      for (int length : List.of(lengths.get(i), journal.size())) {
        broker.journal.clear();
        broker.journal.addAll(journal.subList(0, length));
        broker.crashTo(length);
        broker.replayInto(snapshots.get(i), lengths.get(i));
        broker.settle();
        assertThat(everything()).as("snapshot %s, journal %s", i, length).isEqualTo(ALL);
      }
    }
  }

  @Test
  void prepareReservesTheRoomThatItsCommitNeedsOrRollsBack() {
    sendAllInBranch();
    broker.core.storageRoom(1_000);
    assertThat(complete(client, XaVerb.PREPARE)).isEqualTo("XA_RBOTHER");
    assertThat(bodiesKept()).isEmpty();
    sendAllInBranch();
    broker.core.storageRoom(1_000_000);
    assertThat(complete(client, XaVerb.PREPARE)).isEqualTo("XA_OK");
    long promised = broker.core.promisedBytes();
    assertThat(promised).isGreaterThan(2L * MANY * 100);
    restart();
    assertThat(broker.core.promisedBytes()).isEqualTo(promised);
    broker.core.storageTrouble("the disk is full");
    broker.core.storageRoom(0);
    assertThat(complete(broker.client(3), XaVerb.COMMIT)).isEqualTo("XA_OK");
    assertThat(broker.core.promisedBytes()).isZero();
    assertThat(everything()).isEqualTo(ALL);
  }

  @Test
  void theOperatorSeesWhatALargeBranchSends() {
    sendAllInBranch();
    complete(client, XaVerb.PREPARE);
    AdminResult list = (AdminResult) client.request(new Admin("tx.list", List.of()));
    assertThat(list.rows().get(0).get("sends")).isEqualTo(MANY + " x queue q");
    assertThat(target).isNotEqualTo(queue);
  }

  @Test
  void aPieceThatCannotBeReadAtFirstIsPlacedLaterAndNoneIsSkipped() {
    sendAll(5);
    broker.failingExtentReads = 2;
    int commit = client.ask(new Commit(1, 5, List.of()));
    broker.settle();
    assertThat(client.answer(commit)).isNull();
    broker.pass(5_000);
    assertThat(client.answer(commit)).isEqualTo(Ok.INSTANCE);
    assertThat(everything()).isEqualTo(ALL);
  }

  @Test
  void anOperatorsCommitIsAnsweredWhenTheMessagesHaveTheirPlaces() {
    sendAllInBranch();
    complete(client, XaVerb.PREPARE);
    int decided = client.ask(new Admin("tx.commit", List.of(XID.toString())));
    assertThat(client.answer(decided)).isNull();
    broker.settle();
    AdminResult result = (AdminResult) client.answer(decided);
    assertThat(result.rows().get(0)).containsEntry("state", "heuristically committed");
    assertThat(everything()).isEqualTo(ALL);
  }

  private void damage(long fileId) {
    byte[] file = broker.extents.get(fileId);
    file[file.length / 2] ^= 1;
  }

  @Test
  void aDamagedExtentHoldsUpItsOwnTransactionOnlyAndIsNamed() {
    sendAll(5);
    broker.sealExtents();
    int damaged = client.ask(new Commit(1, 5, List.of()));
    broker.sealExtents();
    damage(1_001);
    Client second = broker.client(2);
    long elsewhere = second.queue("elsewhere");
    ALL.forEach(
        text -> {
          Send plain =
              second.sendFrame(elsewhere, CoreHarness.message(text, 4, true, Map.of()), 0, 0);
          second.oneWay(new Send(1, plain.sequence(), elsewhere, 6, 0, 0, 0, plain.content()));
        });
    assertThat(settled(second, new Commit(1, 6, List.of()))).isEqualTo(Ok.INSTANCE);
    assertThat(client.answer(damaged)).isNull();
    assertThat(broker.reports)
        .anySatisfy(
            report ->
                assertThat(report)
                    .contains("committed transaction", "00000000000003e9.body", "wrong checksum"));
    assertThat(settled(broker.client(3), new QueryOutcome(client.id, 5)))
        .as("whoever asks is not kept waiting")
        .isEqualTo(new Outcome(true));
    assertThat(settled(broker.client(4), new QueryOutcome(second.id, 6)))
        .isEqualTo(new Outcome(true));
    damage(1_001); // the copy that an operator brings back
    broker.pass(130_000);
    assertThat(client.answer(damaged)).isEqualTo(Ok.INSTANCE);
    assertThat(everything()).isEqualTo(ALL);
  }
}
