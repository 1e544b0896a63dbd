package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Extent;
import io.metaq.broker.core.Entry.PreparedSend;
import io.metaq.wire.MessageFrames.UploadChunk;
import io.metaq.wire.RecordFormat.LargeBody;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Moves messages of large transactions out of memory: piece by piece into extents, files of the
 * body store that are made durable one by one while the transaction still gathers, so that its
 * commit finds only the last one left to do.
 */
final class Spills {
  private final Effects effects;
  private final Bodies bodies;
  private final long extentBytes;
  private final LongMap<Spill> sealing = new LongMap<>();
  private long tokens;
  private int writers;

  /**
   * @param extentBytes an extent that has grown to this size is made durable, and the next one
   *     begun
   */
  Spills(Effects effects, Bodies bodies, long extentBytes) {
    this.extentBytes = extentBytes;
    this.effects = effects;
    this.bodies = bodies;
  }

  /** Writes the messages to the transaction's open extent. */
  void write(TransactionWork work, List<PreparedSend> sends) {
    if (work.spill == null) {
      work.spill = new Spill();
    }
    Spill spill = work.spill;
    if (spill.open == null) {
      spill.open = new Spill.Open(--writers);
    }
    sends.forEach(spill.open::add);
    ByteBuffer piece = SpillPiece.encode(sends);
    int size = piece.remaining();
    effects.upload(spill.open.writer, 0, new UploadChunk(0, spill.open.length, false, piece));
    spill.open.length += size;
    if (spill.open.length >= extentBytes) {
      seal(spill);
    }
  }

  private void seal(Spill spill) {
    long token = --tokens;
    sealing.put(token, spill);
    effects.sealBody(spill.seal().writer, 0, token);
  }

  /** Whether a token is one of this class. */
  static boolean isToken(long token) {
    return token < 0;
  }

  /** An extent is durable, or could not be stored. */
  void sealed(long token, LargeBody file, String failure) {
    Spill spill = sealing.remove(token);
    Spill.Open extent = spill.sealed();
    if (file == null) {
      spill.failure = failure;
    }
    if (file != null) {
      extent.sealed(file.fileId());
      bodies.hold(file.fileId());
      spill.add(extent.sealed);
      if (spill.dropped) {
        bodies.release(file.fileId());
      }
    }
    if (spill.isDurable()) {
      List<Runnable> waiting = List.copyOf(spill.waiting);
      spill.waiting.clear();
      waiting.forEach(Runnable::run);
    }
  }

  /**
   * Makes durable what a transaction has spilled.
   *
   * @return whether it is already; else {@code then} is run when it is, or cannot be
   */
  boolean isDurable(TransactionWork work, Runnable then) {
    Spill spill = work.spill;
    if (spill == null || spill.failure != null) {
      return true;
    }
    if (spill.open != null) {
      seal(spill);
    }
    if (spill.isDurable()) {
      return true;
    }
    spill.waiting.add(then);
    return false;
  }

  /** The transaction no longer needs its extents; others may, that have named them by now. */
  void drop(TransactionWork work) {
    Spill spill = work.spill;
    if (spill == null) {
      return;
    }
    work.spill = null;
    spill.dropped = true;
    for (Extent extent : spill.all()) {
      extent.bodies().forEach(bodies::release);
    }
    spill.extents().forEach(extent -> bodies.release(extent.fileId()));
    if (spill.open != null) {
      effects.dropUploads(spill.open.writer);
      spill.open = null;
    }
  }

  /** After a restart: the extents of a prepared branch. */
  void restore(TransactionWork work, List<Extent> extents) {
    if (!extents.isEmpty()) {
      work.spill = Spill.of(extents);
      extents.forEach(this::hold);
    }
  }

  void hold(Extent extent) {
    bodies.hold(extent.fileId());
    extent.bodies().forEach(bodies::hold);
  }

  void release(Extent extent) {
    bodies.release(extent.fileId());
    extent.bodies().forEach(bodies::release);
  }
}
