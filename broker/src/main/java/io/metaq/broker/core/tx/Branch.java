package io.metaq.broker.core.tx;

import io.metaq.wire.TransactionFrames.WireXid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One XA branch: its names, its life, the work gathered in it, and who waits for it. */
final class Branch {
  private final WireXid xid;
  private final long handle;
  private final String client;
  private final long startedAt;
  private final BranchLife life;
  private final Work work;
  private final Set<Integer> participants = new HashSet<>();
  private final List<HeldCall> heldCalls = new ArrayList<>();
  private long deadline;
  private long preparedAt;

  Branch(WireXid xid, long handle, String client, long startedAt, BranchLife life, Work work) {
    this.xid = xid;
    this.handle = handle;
    this.client = client;
    this.startedAt = startedAt;
    this.life = life;
    this.work = work;
    this.deadline = Long.MAX_VALUE;
  }

  WireXid xid() {
    return xid;
  }

  /** Negative, never used twice: a late frame of an older branch of the same Xid finds nothing. */
  long handle() {
    return handle;
  }

  /** Who began it, for the operator. */
  String client() {
    return client;
  }

  long startedAt() {
    return startedAt;
  }

  BranchLife life() {
    return life;
  }

  Work work() {
    return work;
  }

  /** Connections whose loss rolls the branch back as long as it is not prepared. */
  Set<Integer> participants() {
    return participants;
  }

  /** Completion calls that overtook an {@code end}. */
  List<HeldCall> heldCalls() {
    return heldCalls;
  }

  /** When the branch times out, or its tombstone is cleared away. */
  long deadline() {
    return deadline;
  }

  void deadline(long at) {
    deadline = at;
  }

  long preparedAt() {
    return preparedAt;
  }

  void prepared(long at) {
    preparedAt = at;
    deadline = Long.MAX_VALUE;
    participants.clear();
    life.prepared();
  }
}
