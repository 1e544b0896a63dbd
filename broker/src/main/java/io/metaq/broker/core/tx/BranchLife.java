package io.metaq.broker.core.tx;

import io.metaq.wire.TransactionFrames.XaVerb;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The life of one XA branch as the specification draws it: who is associated with it, how far its
 * completion has come, and which code each call gets. It knows no messages, no journal and no
 * clock, so that every cell of the table in {@code docs/transactions.md} can be tested against it;
 * {@link Branches} carries out what its verdicts demand.
 */
public final class BranchLife {
  /** How far a branch is. An open one becomes prepared, or ends; the others only ever end. */
  public enum Phase {
    OPEN,
    PREPARED,
    HEURISTICALLY_COMMITTED,
    HEURISTICALLY_ROLLED_BACK,
    /** Rolled back by the broker; what is left tells the coordinator why. */
    TOMBSTONE
  }

  private enum Membership {
    ACTIVE,
    SUSPENDED
  }

  /** What the owner of the branch must do before it answers. */
  enum Action {
    NONE,
    PREPARE,
    COMMIT,
    ROLL_BACK,
    FORGET
  }

  /** An answer and the deed that makes it true. */
  record Verdict(int code, Action action) {
    static Verdict only(int code) {
      return new Verdict(code, Action.NONE);
    }
  }

  private final Map<SessionRef, Membership> members = new LinkedHashMap<>();
  private Phase phase;
  private int doom;

  private BranchLife(Phase phase) {
    this.phase = phase;
  }

  static BranchLife opened() {
    return new BranchLife(Phase.OPEN);
  }

  public static BranchLife recovered(Phase phase) {
    return new BranchLife(phase);
  }

  public Phase phase() {
    return phase;
  }

  /** The XA_RB* code of a branch that can only roll back, else 0. */
  public int doom() {
    return doom;
  }

  public boolean hasMembers() {
    return !members.isEmpty();
  }

  public boolean hasActiveMembers() {
    return members.containsValue(Membership.ACTIVE);
  }

  public boolean isActive(SessionRef session) {
    return members.get(session) == Membership.ACTIVE;
  }

  public boolean isMember(SessionRef session) {
    return members.containsKey(session);
  }

  Iterable<SessionRef> members() {
    return members.keySet();
  }

  /** Whether the flags are ones that {@code start} knows. */
  static boolean startFlags(int flags) {
    return flags == Xa.TMNOFLAGS || flags == Xa.TMJOIN || flags == Xa.TMRESUME;
  }

  /** The answer to {@code start} for an Xid that no branch has; {@link Xa#OK} means: open one. */
  static int startUnknown(int flags) {
    return flags == Xa.TMNOFLAGS ? Xa.OK : Xa.NOTA;
  }

  /** Associates the session, unless the code says otherwise. The session is active nowhere else. */
  int start(SessionRef session, int flags) {
    if (flags == Xa.TMNOFLAGS) {
      return Xa.DUPID;
    }
    if (isActive(session)) {
      return Xa.PROTO;
    }
    if (phase == Phase.OPEN || phase == Phase.TOMBSTONE) {
      if (doom != 0) {
        return doom;
      }
      Membership before = members.get(session);
      Membership wanted = flags == Xa.TMRESUME ? Membership.SUSPENDED : null;
      if (before == wanted) {
        members.put(session, Membership.ACTIVE);
        return Xa.OK;
      }
    }
    return Xa.PROTO;
  }

  /** Dissociates or suspends the session. A code above 0 has dissociated it all the same. */
  int end(SessionRef session, int flags) {
    if (flags != Xa.TMSUCCESS && flags != Xa.TMFAIL && flags != Xa.TMSUSPEND) {
      return Xa.INVAL;
    }
    if (phase == Phase.TOMBSTONE) {
      members.remove(session);
      return doom;
    }
    Membership membership = members.get(session);
    if (membership == null || membership == Membership.SUSPENDED && flags == Xa.TMSUSPEND) {
      return Xa.PROTO;
    }
    if (flags == Xa.TMFAIL) {
      members.remove(session);
      doom(Xa.RBROLLBACK);
      return Xa.OK;
    }
    if (flags == Xa.TMSUSPEND && doom == 0) {
      members.put(session, Membership.SUSPENDED);
    } else {
      members.remove(session);
    }
    return doom;
  }

  /** Makes an open branch one that can only roll back; the first reason stays. */
  public void doom(int code) {
    if (phase == Phase.OPEN && doom == 0) {
      doom = code;
    }
  }

  /** The session is gone: in order (its work stays) or with its connection (see {@link #doom}). */
  void leave(SessionRef session) {
    members.remove(session);
  }

  /**
   * What a completion call deserves.
   *
   * @param work whether the branch sent or acknowledged anything
   */
  Verdict complete(XaVerb verb, boolean work) {
    return switch (phase) {
      case OPEN -> completeOpen(verb, work);
      case PREPARED -> completePrepared(verb);
      case HEURISTICALLY_COMMITTED -> completeHeuristic(verb, Xa.HEURCOM);
      case HEURISTICALLY_ROLLED_BACK -> completeHeuristic(verb, Xa.HEURRB);
      case TOMBSTONE -> completeTombstone(verb);
    };
  }

  private Verdict completeOpen(XaVerb verb, boolean work) {
    if (!members.isEmpty()) {
      return Verdict.only(Xa.PROTO);
    }
    return switch (verb) {
      case PREPARE -> {
        if (doom != 0) {
          yield new Verdict(doom, Action.ROLL_BACK);
        }
        yield work ? new Verdict(Xa.OK, Action.PREPARE) : new Verdict(Xa.RDONLY, Action.FORGET);
      }
      case COMMIT_ONE_PHASE ->
          doom != 0 ? new Verdict(doom, Action.ROLL_BACK) : new Verdict(Xa.OK, Action.COMMIT);
      case ROLLBACK -> new Verdict(Xa.OK, Action.ROLL_BACK);
      case COMMIT, FORGET -> Verdict.only(Xa.PROTO);
    };
  }

  private static Verdict completePrepared(XaVerb verb) {
    return switch (verb) {
      case COMMIT -> new Verdict(Xa.OK, Action.COMMIT);
      case ROLLBACK -> new Verdict(Xa.OK, Action.ROLL_BACK);
      case PREPARE, COMMIT_ONE_PHASE, FORGET -> Verdict.only(Xa.PROTO);
    };
  }

  private static Verdict completeHeuristic(XaVerb verb, int decision) {
    return switch (verb) {
      case COMMIT, ROLLBACK -> Verdict.only(decision);
      case FORGET -> new Verdict(Xa.OK, Action.FORGET);
      case PREPARE, COMMIT_ONE_PHASE -> Verdict.only(Xa.PROTO);
    };
  }

  private Verdict completeTombstone(XaVerb verb) {
    return switch (verb) {
      case PREPARE, COMMIT_ONE_PHASE -> new Verdict(doom, Action.FORGET);
      case ROLLBACK -> new Verdict(Xa.OK, Action.FORGET);
      case COMMIT, FORGET -> Verdict.only(Xa.PROTO);
    };
  }

  /**
   * What becomes of a call whose deed the store has no room for. Only an un-prepared branch can
   * meet this: prepare reserves what the completion needs.
   */
  static Verdict noRoom() {
    return new Verdict(Xa.RBOTHER, Action.ROLL_BACK);
  }

  /** The vote is given: nothing but its coordinator or an operator ends it now. */
  void prepared() {
    phase = Phase.PREPARED;
    members.clear();
  }

  /** The broker rolls back an open branch by itself; members learn it at their next call. */
  void entomb(int code) {
    doom = doom == 0 ? code : doom;
    phase = Phase.TOMBSTONE;
  }

  /** An operator decided over a prepared branch. */
  public void decided(boolean commit) {
    phase = commit ? Phase.HEURISTICALLY_COMMITTED : Phase.HEURISTICALLY_ROLLED_BACK;
  }
}
