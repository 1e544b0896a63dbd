package io.metaq.broker.core;

import io.metaq.broker.core.Entry.BranchPrepared;
import io.metaq.broker.core.tx.Branch;
import io.metaq.broker.core.tx.BranchLife;
import io.metaq.broker.core.tx.BranchLife.Phase;
import io.metaq.broker.core.tx.Branches;
import io.metaq.broker.core.tx.Xa;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.TransactionFrames.XaDone;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * What the deeds of branches are: entries, places for messages, holds. Also what a replay and a
 * snapshot make of branches; who may do what when is decided by {@link Branches}.
 */
final class XaBranches implements Branches.Ledger<TransactionWork> {
  private static final Branches.Limits LIMITS =
      new Branches.Limits(300_000, 86_400_000, 600_000, 2_000);

  private final Effects effects;
  private final Holds holds;
  private final TransactionSends sends;
  private final Recorder recorder;
  private final Admission admission;
  private final Moment moment;
  private final Branches<TransactionWork> branches;
  private final Unspooler unspooler;

  /** Whose messages the answer to the commit under way waits for, 0 for none. */
  private long placing;

  XaBranches(
      Effects effects,
      Holds holds,
      TransactionSends sends,
      Recorder recorder,
      Admission admission,
      Unspooler unspooler,
      Moment moment,
      long generation) {
    this.effects = effects;
    this.holds = holds;
    this.sends = sends;
    this.recorder = recorder;
    this.admission = admission;
    this.unspooler = unspooler;
    this.moment = moment;
    this.branches = new Branches<>(LIMITS, this, -(generation << 32));
  }

  Branches<TransactionWork> branches() {
    return branches;
  }

  @Override
  public TransactionWork begin(long handle) {
    return new TransactionWork();
  }

  @Override
  public boolean isReady(Branch<TransactionWork> branch, Runnable then) {
    return sends.isDurable(branch.work(), then);
  }

  @Override
  public boolean prepare(Branch<TransactionWork> branch) {
    TransactionWork work = branch.work();
    if (isHindered(branch) || !admission.hasRoom(promisedBytes() + promise(work))) {
      return false;
    }
    recorder.record(
        new BranchPrepared(
            branch.xid(),
            branch.handle(),
            moment.now(),
            branch.client(),
            sends.facts(work),
            holds.facts(work),
            work.extents()),
        true);
    return true;
  }

  /** A message is written to the journal and to its log. */
  private static long promise(TransactionWork work) {
    long bytes = work.bytes;
    for (Entry.Extent extent : work.extents()) {
      bytes += extent.length();
    }
    return 2 * bytes;
  }

  /** What the disk still has to take of prepared branches and of committed extents. */
  long promisedBytes() {
    long bytes = 2 * unspooler.bytes();
    for (Branch<TransactionWork> branch : branches.all()) {
      if (branch.life().phase() == Phase.PREPARED) {
        bytes += promise(branch.work());
      }
    }
    return bytes;
  }

  private boolean isHindered(Branch<TransactionWork> branch) {
    TransactionWork work = branch.work();
    return work.doom != null
        || sends.obstacle(work) != null
        || work.hasSends() && admission.storageTrouble() != null;
  }

  @Override
  public boolean commit(Branch<TransactionWork> branch) {
    if (branch.life().phase() == Phase.OPEN) {
      if (isHindered(branch)) {
        return false;
      }
      if (branch.work().isEmpty()) {
        return true;
      }
    }
    complete(branch, true, false);
    return true;
  }

  @Override
  public void rollBack(Branch<TransactionWork> branch) {
    if (branch.life().phase() == Phase.PREPARED) {
      complete(branch, false, false);
    } else {
      holds.giveBack(branch.work(), false);
      sends.drop(branch.work());
    }
  }

  @Override
  public void forget(Branch<TransactionWork> branch) {
    if (Branches.isInDoubt(branch)) {
      recorder.record(new Entry.BranchForgotten(branch.xid(), branch.handle()), true);
    }
  }

  /**
   * An operator decides over a prepared branch.
   *
   * @param then run when the messages that this commits have their places
   */
  void decide(Branch<TransactionWork> branch, boolean commit, Runnable then) {
    complete(branch, commit, true);
    long committing = placing;
    placing = 0;
    unspooler.whenPlaced(committing, then);
  }

  private void complete(Branch<TransactionWork> branch, boolean commit, boolean heuristic) {
    TransactionWork work = branch.work();
    placing = commit ? Unspooler.id(work.extents()) : 0;
    boolean prepared = branch.life().phase() == Phase.PREPARED;
    List<Entry> parts = new ArrayList<>();
    if (commit) {
      sends.place(work, parts);
      holds.acknowledge(work, parts);
    }
    if (prepared) {
      sends.pin(work, -1);
    }
    List<Delivery> inMemory = commit ? holds.finish(work, prepared) : List.of();
    if (prepared || !parts.isEmpty()) {
      recorder.record(
          new Entry.BranchCompleted(branch.xid(), branch.handle(), commit, heuristic, parts), true);
    }
    if (commit) {
      holds.settle(inMemory);
      sends.delivered(work);
    } else {
      holds.giveBack(work, prepared);
      sends.drop(work);
    }
  }

  @Override
  public void answer(int connection, int correlation, int code) {
    if (correlation == 0) {
      return;
    }
    long committing = code == Xa.OK ? placing : 0;
    placing -= committing;
    unspooler.whenPlaced(committing, () -> effects.send(connection, correlation, reply(code)));
  }

  static Frame reply(int code) {
    return code == Xa.OK || code == Xa.RDONLY ? new XaDone(code) : refusal(code);
  }

  static Failure refusal(int code) {
    return new Failure(ErrorCode.XA, Xa.name(code), code);
  }

  void apply(long index, BranchPrepared entry) {
    Branch<TransactionWork> branch = branches.find(entry.handle());
    if (branch == null) {
      branch = restored(entry);
      branch.work().changed = index;
      branches.restore(branch);
    } else if (branch.life().phase() == Phase.OPEN) {
      branch.prepared(entry.at());
      branch.work().changed = index;
      holds.pin(branch.work());
      sends.pin(branch.work(), 1);
    }
  }

  private Branch<TransactionWork> restored(BranchPrepared entry) {
    TransactionWork work = new TransactionWork();
    work.restored = true;
    work.facts = entry.held();
    sends.restore(entry.sends(), entry.extents(), work);
    Branch<TransactionWork> branch =
        new Branch<>(
            entry.xid(),
            entry.handle(),
            entry.client(),
            entry.at(),
            BranchLife.recovered(Phase.PREPARED),
            work);
    branch.prepared(entry.at());
    return branch;
  }

  void apply(long index, Entry.BranchCompleted entry) {
    Branch<TransactionWork> branch = branches.find(entry.handle());
    if (!entry.heuristic()) {
      if (branch != null) {
        if (branch.work().facts != null) {
          sends.drop(branch.work());
        }
        branches.remove(branch);
      }
      return;
    }
    if (branch == null) {
      branch =
          restored(
              new BranchPrepared(
                  entry.xid(), entry.handle(), 0, null, List.of(), List.of(), List.of()));
      branches.restore(branch);
    } else if (branch.work().facts != null) {
      sends.drop(branch.work());
      branch.work().facts = List.of();
    }
    branch.life().decided(entry.committed());
    branch.work().changed = index;
  }

  void applyForgotten(Entry.BranchForgotten entry) {
    Branch<TransactionWork> branch = branches.find(entry.handle());
    if (branch != null) {
      branches.remove(branch);
    }
  }

  /** The replay is over: prepared branches take up what they held. */
  void recovered() {
    for (Branch<TransactionWork> branch : branches.all()) {
      TransactionWork work = branch.work();
      if (branch.life().phase() == Phase.PREPARED && work.facts != null) {
        holds.restore(work.facts, work);
        sends.pin(work, 1);
      }
      work.facts = null;
    }
  }

  List<SnapshotUnit> snapshot(long index) {
    List<SnapshotUnit> units = new ArrayList<>();
    for (Branch<TransactionWork> branch : branches.all()) {
      if (Branches.isInDoubt(branch)) {
        units.add(unit(branch, index));
      }
    }
    return units;
  }

  private SnapshotUnit unit(Branch<TransactionWork> branch, long index) {
    WireWriter out = new WireWriter();
    out.u8(branch.life().phase().ordinal());
    EntryCodec.encode(
        new BranchPrepared(
            branch.xid(),
            branch.handle(),
            branch.preparedAt(),
            branch.client(),
            sends.facts(branch.work()),
            holds.facts(branch.work()),
            branch.work().extents()),
        out);
    return new SnapshotUnit(
        SnapshotUnit.Kind.BRANCH, branch.handle(), index, branch.work().changed, out.written());
  }

  void restore(SnapshotUnit unit) {
    WireReader in = new WireReader(unit.bytes());
    Phase phase = Phase.values()[in.u8()];
    BranchPrepared facts = (BranchPrepared) EntryCodec.decode(in.rest());
    Branch<TransactionWork> branch = restored(facts);
    branch.work().changed = unit.changedAt();
    if (phase != Phase.PREPARED) {
      branch.life().decided(phase == Phase.HEURISTICALLY_COMMITTED);
    }
    branches.restore(branch);
  }
}
