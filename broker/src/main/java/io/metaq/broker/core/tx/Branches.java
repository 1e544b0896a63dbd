package io.metaq.broker.core.tx;

import io.metaq.broker.core.tx.BranchLife.Phase;
import io.metaq.broker.core.tx.BranchLife.Verdict;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.TransactionFrames.XaVerb;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The branches there are: finds them by Xid, by handle and by the session active in them, lets time
 * and lost connections act on them, and carries out the verdicts of {@link BranchLife} through its
 * {@link Ledger}. Knows codes and states; what work means is the ledger's.
 *
 * @param <W> what work is
 */
public final class Branches<W extends Work> {
  /** Makes the deeds durable and moves the messages. */
  public interface Ledger<W extends Work> {
    W begin(long handle);

    /**
     * Whether all of the work is where prepare and commit need it; if not, {@code then} is run when
     * it is.
     */
    boolean isReady(Branch<W> branch, Runnable then);

    /**
     * Whether the branch is now prepared; false: the store has no room for it, nothing happened.
     */
    boolean prepare(Branch<W> branch);

    /** As {@link #prepare}; a prepared branch always has room. */
    boolean commit(Branch<W> branch);

    void rollBack(Branch<W> branch);

    /** Forgets a decision of an operator. */
    void forget(Branch<W> branch);

    void answer(int connection, int correlation, int code);
  }

  /** Times in milliseconds. */
  public record Limits(
      long defaultTimeout, long longestTimeout, long tombstoneRetention, long endOvertakenWait) {}

  private static final int SPARE_DEADLINES = 1_000;

  private final Limits limits;
  private final Ledger<W> ledger;
  private final Map<WireXid, Branch<W>> byXid = new LinkedHashMap<>();
  private final Map<Long, Branch<W>> byHandle = new HashMap<>();
  private final Map<SessionRef, Branch<W>> activeIn = new HashMap<>();
  private final Deadlines deadlines = new Deadlines();
  private long lastHandle;

  /**
   * @param firstHandle handles are given out below it
   */
  public Branches(Limits limits, Ledger<W> ledger, long firstHandle) {
    this.limits = limits;
    this.lastHandle = firstHandle;
    this.ledger = ledger;
  }

  public Collection<Branch<W>> all() {
    return byXid.values();
  }

  public Branch<W> find(WireXid xid) {
    return byXid.get(xid);
  }

  public Branch<W> find(long handle) {
    return byHandle.get(handle);
  }

  public Branch<W> activeBranch(SessionRef session) {
    return activeIn.get(session);
  }

  public long lastHandle() {
    return lastHandle;
  }

  /** Handles go on below this one; a branch seen in recovery has used it. */
  public void handlesUsed(long handle) {
    lastHandle = Math.min(lastHandle, handle);
  }

  /** Takes up a branch that a snapshot or the journal knows as prepared. */
  public void restore(Branch<W> branch) {
    byXid.put(branch.xid(), branch);
    byHandle.put(branch.handle(), branch);
    handlesUsed(branch.handle());
  }

  /**
   * Associates the session.
   *
   * @param localWork whether the session has a local transaction open
   * @return the branch's handle, negative, or the code of the refusal, not negative in its absolute
   *     meaning: see {@link Started}
   */
  public Started start(
      SessionRef session,
      String client,
      WireXid xid,
      int flags,
      int timeoutSeconds,
      boolean localWork,
      long now) {
    if (!BranchLife.startFlags(flags) || timeoutSeconds < 0) {
      return Started.refused(Xa.INVAL);
    }
    if (activeIn.containsKey(session) && activeIn.get(session) != byXid.get(xid)) {
      return Started.refused(Xa.PROTO);
    }
    if (localWork) {
      return Started.refused(Xa.OUTSIDE);
    }
    Branch<W> branch = byXid.get(xid);
    if (branch == null) {
      int code = BranchLife.startUnknown(flags);
      if (code != Xa.OK) {
        return Started.refused(code);
      }
      branch = open(session, client, xid, timeoutSeconds, now);
    } else {
      int code = branch.life().start(session, flags);
      if (code != Xa.OK) {
        return Started.refused(code);
      }
    }
    branch.participants().add(session.connection());
    activeIn.put(session, branch);
    return new Started(Xa.OK, branch.handle());
  }

  /** The answer to {@code start}: a handle with {@link Xa#OK}, or a code that says why not. */
  public record Started(int code, long handle) {
    static Started refused(int code) {
      return new Started(code, 0);
    }
  }

  private Branch<W> open(
      SessionRef session, String client, WireXid xid, int timeoutSeconds, long now) {
    long handle = --lastHandle;
    BranchLife life = BranchLife.opened();
    life.start(session, Xa.TMJOIN);
    Branch<W> branch = new Branch<>(xid, handle, client, now, life, ledger.begin(handle));
    long timeout =
        timeoutSeconds == 0
            ? limits.defaultTimeout()
            : Math.min(timeoutSeconds * 1000L, limits.longestTimeout());
    byXid.put(xid, branch);
    byHandle.put(handle, branch);
    wake(branch, now + timeout);
    return branch;
  }

  private void wake(Branch<W> branch, long at) {
    branch.deadline(at);
    deadlines.add(branch.handle(), at);
  }

  /** Ends the session's association. A handle other than 0 must be the branch's. */
  public int end(SessionRef session, WireXid xid, long handle, int flags, long now) {
    Branch<W> branch = named(xid, handle);
    if (branch == null) {
      activeIn.computeIfPresent(
          session, (key, other) -> other.handle() == handle && handle != 0 ? null : other);
      return Xa.NOTA;
    }
    int code = branch.life().end(session, flags);
    if (code >= 0) {
      activeIn.remove(session, branch);
      runHeldCalls(branch, now);
    }
    return code;
  }

  /** The branch, unless the handle, if known, is that of another one of the same Xid. */
  public Branch<W> named(WireXid xid, long handle) {
    Branch<W> branch = byXid.get(xid);
    return branch != null && (handle == 0 || handle == branch.handle()) ? branch : null;
  }

  /**
   * Prepares, commits, rolls back or forgets, and answers now or when the overtaken end is here.
   */
  public void complete(
      int connection, int correlation, XaVerb verb, WireXid xid, long handle, long now) {
    Branch<W> branch = named(xid, handle);
    if (branch == null) {
      ledger.answer(connection, correlation, Xa.NOTA);
    } else if (endMayBeUnderWay(branch, connection, verb)) {
      long until = now + limits.endOvertakenWait();
      branch.heldCalls().add(new HeldCall(connection, correlation, verb, until));
      deadlines.add(branch.handle(), until);
    } else if (!demandsWork(branch, verb)
        || ledger.isReady(
            branch, () -> complete(connection, correlation, verb, xid, branch.handle(), now))) {
      ledger.answer(connection, correlation, complete(branch, verb));
    }
  }

  private static boolean demandsWork(Branch<?> branch, XaVerb verb) {
    return branch.life().phase() == Phase.OPEN
        && branch.life().doom() == 0
        && !branch.life().hasMembers()
        && (verb == XaVerb.PREPARE || verb == XaVerb.COMMIT_ONE_PHASE);
  }

  private boolean endMayBeUnderWay(Branch<W> branch, int connection, XaVerb verb) {
    if (branch.life().phase() != Phase.OPEN
        || verb == XaVerb.COMMIT
        || verb == XaVerb.FORGET
        || !branch.life().hasMembers()) {
      return false;
    }
    if (branch.endsWaiting() > 0) {
      return true;
    }
    for (SessionRef member : branch.life().members()) {
      if (member.connection() == connection) {
        return false;
      }
    }
    return true;
  }

  private int complete(Branch<W> branch, XaVerb verb) {
    Verdict verdict = branch.life().complete(verb, !branch.work().isEmpty());
    boolean done =
        switch (verdict.action()) {
          case NONE, ROLL_BACK, FORGET -> true;
          case PREPARE -> ledger.prepare(branch);
          case COMMIT -> ledger.commit(branch);
        };
    if (!done) {
      verdict = BranchLife.noRoom();
    }
    switch (verdict.action()) {
      case ROLL_BACK -> {
        ledger.rollBack(branch);
        remove(branch);
      }
      case COMMIT -> remove(branch);
      case FORGET -> {
        ledger.forget(branch);
        remove(branch);
      }
      case NONE, PREPARE -> {
        // the branch stays
      }
    }
    return verdict.code();
  }

  /**
   * Takes the branch out of the books; its held calls, if any, are answered as for an unknown one.
   */
  public void remove(Branch<W> branch) {
    byXid.remove(branch.xid(), branch);
    byHandle.remove(branch.handle());
    if (deadlines.size() > SPARE_DEADLINES + 4 * byHandle.size()) {
      deadlines.keep(byHandle::containsKey);
    }
    for (SessionRef member : branch.life().members()) {
      activeIn.remove(member, branch);
    }
    List<HeldCall> left = List.copyOf(branch.heldCalls());
    branch.heldCalls().clear();
    left.forEach(call -> ledger.answer(call.connection(), call.correlation(), Xa.NOTA));
  }

  /** Ends every branch, whatever it waits for. */
  public void empty() {
    for (Branch<W> branch : List.copyOf(byXid.values())) {
      switch (branch.life().phase()) {
        case OPEN, PREPARED -> ledger.rollBack(branch);
        case HEURISTICALLY_COMMITTED, HEURISTICALLY_ROLLED_BACK -> ledger.forget(branch);
        case TOMBSTONE -> {
          // it holds nothing
        }
      }
      remove(branch);
    }
  }

  private void runHeldCalls(Branch<W> branch, long now) {
    if (branch.life().phase() == Phase.OPEN && branch.life().hasMembers()) {
      return;
    }
    while (!branch.heldCalls().isEmpty()) {
      HeldCall call = branch.heldCalls().remove(0);
      complete(
          call.connection(), call.correlation(), call.verb(), branch.xid(), branch.handle(), now);
    }
  }

  /** A connection broke: what it took part in and is not prepared is rolled back at once. */
  public void lost(int connection, long now) {
    leave(connection, Xa.RBCOMMFAIL, true, now);
  }

  /** A connection ended in order: its ended branches go on, what it left open rolls back. */
  public void closed(int connection, long now) {
    leave(connection, Xa.RBROLLBACK, false, now);
  }

  private void leave(int connection, int code, boolean broken, long now) {
    for (Branch<W> branch : new ArrayList<>(byXid.values())) {
      branch.heldCalls().removeIf(call -> call.connection() == connection);
      if (branch.life().phase() != Phase.OPEN) {
        continue;
      }
      boolean took = branch.participants().remove(connection);
      boolean member = false;
      for (SessionRef session : membersOf(branch, connection)) {
        member = true;
        branch.life().leave(session);
        activeIn.remove(session, branch);
      }
      if (member || broken && took) {
        entomb(branch, code, now);
      }
    }
    activeIn.keySet().removeIf(session -> session.connection() == connection);
  }

  private List<SessionRef> membersOf(Branch<W> branch, int connection) {
    List<SessionRef> found = new ArrayList<>();
    for (SessionRef member : branch.life().members()) {
      if (member.connection() == connection) {
        found.add(member);
      }
    }
    return found;
  }

  private void entomb(Branch<W> branch, int code, long now) {
    ledger.rollBack(branch);
    branch.life().entomb(code);
    wake(branch, now + limits.tombstoneRetention());
    runHeldCalls(branch, now);
  }

  /** Lets time act. */
  public void tick(long now) {
    for (long handle = deadlines.pollDue(now); handle != 0; handle = deadlines.pollDue(now)) {
      Branch<W> branch = byHandle.get(handle);
      if (branch != null) {
        expireHeldCalls(branch, now);
        if (branch.deadline() <= now && branch.life().phase() == Phase.OPEN) {
          entomb(branch, Xa.RBTIMEOUT, now);
        } else if (branch.deadline() <= now && branch.life().phase() == Phase.TOMBSTONE) {
          remove(branch);
        }
      }
    }
  }

  /** When {@link #tick} wants to be called, {@link Long#MAX_VALUE} for never. */
  public long next() {
    return deadlines.next();
  }

  private void expireHeldCalls(Branch<W> branch, long now) {
    for (Iterator<HeldCall> i = branch.heldCalls().iterator(); i.hasNext(); ) {
      HeldCall call = i.next();
      if (call.deadline() <= now) {
        i.remove();
        ledger.answer(call.connection(), call.correlation(), Xa.PROTO);
      }
    }
  }

  /** Xids of what recovery must know: prepared and heuristically completed branches. */
  public List<WireXid> inDoubt() {
    return byXid.values().stream().filter(Branches::isInDoubt).map(Branch::xid).toList();
  }

  public static boolean isInDoubt(Branch<?> branch) {
    Phase phase = branch.life().phase();
    return phase == Phase.PREPARED
        || phase == Phase.HEURISTICALLY_COMMITTED
        || phase == Phase.HEURISTICALLY_ROLLED_BACK;
  }
}
