package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Appended;
import io.metaq.broker.core.Entry.BranchCompleted;
import io.metaq.broker.core.Entry.BranchPrepared;
import io.metaq.broker.core.Entry.Chunk;
import io.metaq.broker.core.Entry.ChunkEnd;
import io.metaq.broker.core.Entry.Extent;
import io.metaq.broker.core.Entry.Held;
import io.metaq.broker.core.Entry.PreparedSend;
import io.metaq.broker.core.Entry.TransactionCommitted;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes a transaction's entry that is too large for the journal apart into pieces that follow one
 * another, and puts them together again. Only the last piece makes it count, so a crash between
 * them leaves nothing of it; nothing else is ever journaled in between.
 */
public final class EntryChain {
  static final int PIECE_BYTES = 4 << 20;
  private static final int OVERHEAD = 80;

  private final int pieceBytes;
  private final List<Entry> staged = new ArrayList<>();
  private int pieces;

  public EntryChain() {
    this(PIECE_BYTES);
  }

  EntryChain(int pieceBytes) {
    this.pieceBytes = pieceBytes;
  }

  /** The entry itself, or what stands for it in the journal, in order. */
  List<Entry> split(Entry entry) {
    if (entry instanceof TransactionCommitted whole) {
      return split(
          whole.parts(),
          rest ->
              new TransactionCommitted(
                  whole.connectionId(), whole.session(), whole.transaction(), rest),
          entry);
    }
    if (entry instanceof BranchCompleted whole) {
      return split(
          whole.parts(),
          rest ->
              new BranchCompleted(
                  whole.xid(), whole.handle(), whole.committed(), whole.heuristic(), rest),
          entry);
    }
    if (entry instanceof BranchPrepared whole) {
      List<Entry> parts = new ArrayList<>();
      whole.sends().forEach(send -> parts.add(piece(whole, List.of(send), List.of(), List.of())));
      whole.held().forEach(held -> parts.add(piece(whole, List.of(), List.of(held), List.of())));
      return split(parts, rest -> join(whole, rest), entry);
    }
    return List.of(entry);
  }

  private interface Last {
    Entry with(List<Entry> rest);
  }

  private List<Entry> split(List<Entry> parts, Last last, Entry whole) {
    List<Entry> pieces = new ArrayList<>();
    List<Entry> piece = new ArrayList<>();
    int size = 0;
    for (Entry part : parts) {
      if (size > 0 && size + size(part) > pieceBytes) {
        pieces.add(new Chunk(pieces.size(), piece));
        piece = new ArrayList<>();
        size = 0;
      }
      piece.add(part);
      size += size(part);
    }
    if (pieces.isEmpty()) {
      return List.of(whole);
    }
    pieces.add(new ChunkEnd(pieces.size(), last.with(piece)));
    return pieces;
  }

  private static int size(Entry part) {
    if (part instanceof Appended appended) {
      return OVERHEAD + appended.record().remaining();
    }
    if (part instanceof BranchPrepared prepared && !prepared.sends().isEmpty()) {
      return OVERHEAD + prepared.sends().get(0).record().remaining();
    }
    return OVERHEAD;
  }

  private static BranchPrepared piece(
      BranchPrepared whole, List<PreparedSend> sends, List<Held> held, List<Extent> extents) {
    return new BranchPrepared(
        whole.xid(), whole.handle(), whole.at(), whole.client(), sends, held, extents);
  }

  private static BranchPrepared join(BranchPrepared like, List<Entry> parts) {
    List<PreparedSend> sends = new ArrayList<>();
    List<Held> held = new ArrayList<>();
    for (Entry part : parts) {
      BranchPrepared one = (BranchPrepared) part;
      sends.addAll(one.sends());
      held.addAll(one.held());
    }
    return piece(like, sends, held, like.extents());
  }

  /**
   * What an entry of the journal makes complete: itself, a large one at its end, or nothing yet.
   */
  public Optional<Entry> complete(Entry entry) {
    if (entry instanceof Chunk chunk) {
      if (chunk.number() == 0) {
        clear();
      }
      if (chunk.number() == pieces) {
        pieces++;
        staged.addAll(chunk.parts());
      }
      return Optional.empty();
    }
    if (!(entry instanceof ChunkEnd end)) {
      return Optional.of(entry);
    }
    if (pieces != end.pieces()) {
      // Its beginning stood in a journal file that was freed: everything reflects it already.
      clear();
      return Optional.empty();
    }
    List<Entry> parts = new ArrayList<>(staged);
    clear();
    return Optional.of(whole(end.last(), parts));
  }

  private static Entry whole(Entry last, List<Entry> parts) {
    if (last instanceof TransactionCommitted committed) {
      parts.addAll(committed.parts());
      return new TransactionCommitted(
          committed.connectionId(), committed.session(), committed.transaction(), parts);
    }
    if (last instanceof BranchCompleted completed) {
      parts.addAll(completed.parts());
      return new BranchCompleted(
          completed.xid(), completed.handle(), completed.committed(), completed.heuristic(), parts);
    }
    BranchPrepared prepared = (BranchPrepared) last;
    parts.add(prepared);
    return join(prepared, parts);
  }

  private void clear() {
    staged.clear();
    pieces = 0;
  }
}
