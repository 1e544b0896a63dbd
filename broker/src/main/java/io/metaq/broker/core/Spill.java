package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Extent;
import io.metaq.broker.core.Entry.PreparedSend;
import io.metaq.wire.RecordFormat;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Messages of one transaction that stand in the body store and no longer in memory: the extents
 * that are complete and durable, the one that is being written, and those on their way from one to
 * the other.
 */
final class Spill {

  /** An extent that no file name stands for yet. */
  static final class Open {
    /** Uploads are named by their connection; sockets have positive numbers. */
    final int writer;

    private final TreeMap<Long, Integer> messages = new TreeMap<>();
    private final List<Long> bodies = new ArrayList<>();
    long length;
    Extent sealed;

    Open(int writer) {
      this.writer = writer;
    }

    void add(PreparedSend send) {
      messages.merge(send.destinationId(), 1, Integer::sum);
      if (RecordFormat.isLarge(send.record())) {
        bodies.add(Bodies.reference(send.record()).fileId());
      }
    }

    void sealed(long fileId) {
      sealed = extent(fileId);
    }

    private Extent extent(long fileId) {
      List<Entry.Share> shares = new ArrayList<>();
      messages.forEach((destination, count) -> shares.add(new Entry.Share(destination, count)));
      return new Extent(fileId, length, shares, bodies);
    }
  }

  private final List<Extent> extents = new ArrayList<>();

  /** In order, so that the extents become known in the order of their messages. */
  private final ArrayDeque<Open> sealing = new ArrayDeque<>();

  /** Who waits for all to be durable. */
  final List<Runnable> waiting = new ArrayList<>();

  Open open;

  /** Why not all of it could be stored, or null. */
  String failure;

  /** The transaction is over without them. */
  boolean dropped;

  static Spill of(List<Extent> durable) {
    Spill spill = new Spill();
    spill.extents.addAll(durable);
    return spill;
  }

  /** What is durable, in order. */
  List<Extent> extents() {
    return extents;
  }

  boolean isDurable() {
    return open == null && sealing.isEmpty();
  }

  Open seal() {
    Open full = open;
    open = null;
    sealing.add(full);
    return full;
  }

  /** Files are sealed in the order they were asked to be. */
  Open sealed() {
    return sealing.remove();
  }

  void add(Extent extent) {
    extents.add(extent);
  }

  /** Everything there is, durable or not. */
  List<Extent> all() {
    List<Extent> all = new ArrayList<>(extents);
    sealing.forEach(one -> all.add(one.extent(0)));
    if (open != null) {
      all.add(open.extent(0));
    }
    return all;
  }
}
