package io.metaq.broker.core.tx;

import io.metaq.wire.TransactionFrames.WireXid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One XA branch: its names, its life, the work gathered in it, and who waits for it.
 *
 * @param <W> what work is
 */
public final class Branch<W extends Work> {
  private final WireXid xid;
  private final long handle;
  private final String client;
  private final long startedAt;
  private final BranchLife life;
  private final W work;
  private final Set<Integer> participants = new HashSet<>();
  private final List<HeldCall> heldCalls = new ArrayList<>();
  private int endsWaiting;
  private long deadline;
  private long preparedAt;

  public Branch(WireXid xid, long handle, String client, long startedAt, BranchLife life, W work) {
    this.xid = xid;
    this.handle = handle;
    this.client = client;
    this.startedAt = startedAt;
    this.life = life;
    this.work = work;
    this.deadline = Long.MAX_VALUE;
  }

  public WireXid xid() {
    return xid;
  }

  /** Negative, never used twice: a late frame of an older branch of the same Xid finds nothing. */
  public long handle() {
    return handle;
  }

  /** Who began it, for the operator. */
  public String client() {
    return client;
  }

  public long startedAt() {
    return startedAt;
  }

  public BranchLife life() {
    return life;
  }

  public W work() {
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

  /** Ends that are here and wait for sends of their session. */
  int endsWaiting() {
    return endsWaiting;
  }

  public void endsWaiting(int more) {
    endsWaiting += more;
  }

  /** When the branch times out, or its tombstone is cleared away. */
  long deadline() {
    return deadline;
  }

  void deadline(long at) {
    deadline = at;
  }

  public long preparedAt() {
    return preparedAt;
  }

  public void prepared(long at) {
    preparedAt = at;
    deadline = Long.MAX_VALUE;
    participants.clear();
    life.prepared();
  }
}
