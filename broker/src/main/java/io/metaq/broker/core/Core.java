package io.metaq.broker.core;

import io.metaq.wire.AdminFrames.AdminResult;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.RecordFormat.LargeBody;
import io.metaq.wire.WireException;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The state machine's outside: every input of the core comes in here, with the time it came at. One
 * thread only. Nothing thrown by what a client sends leaves it: a request is answered, or its
 * connection closed.
 */
public final class Core {
  private final CoreParts parts;
  private final EntryChain chain = new EntryChain();
  private long lastIndex;

  public Core(CoreSettings settings, Effects effects) {
    this.parts = new CoreParts(settings, effects, this::record);
  }

  /** For tests of what is inside. */
  CoreParts parts() {
    return parts;
  }

  private void record(Entry entry, boolean force) {
    List<Entry> pieces = chain.split(entry);
    long index = 0;
    for (Entry piece : pieces) {
      index = parts.effects.append(piece, force);
    }
    lastIndex = index;
    parts.applier.apply(index, entry);
  }

  /** A socket of the binary protocol is there; its first frame must be the login. */
  public void connected(int connection, String peer, long now) {
    parts.moment.reached(now);
    parts.connections.connected(connection, peer);
  }

  /** A frame came in. Buffers in it may be reused once this returns. */
  public void frame(int connection, int correlation, Frame frame, long now) {
    parts.moment.reached(now);
    Connection from = parts.connections.socket(connection);
    if (from == null || from.closed) {
      return;
    }
    try {
      parts.router.route(from, correlation, frame);
    } catch (CoreException refused) {
      parts.answers.failure(from, correlation, refused);
    } catch (WireException violation) {
      parts.connections.refuse(from, ErrorCode.PROTOCOL, violation.getMessage());
    } catch (RuntimeException fault) {
      parts.effects.report("a " + frame.type() + " frame of " + from, fault);
      parts.answers.failure(
          from,
          correlation,
          ErrorCode.INTERNAL,
          "the broker failed on this request; its log says more");
    }
  }

  /** A fault of ours is reported and ends only what it happened in. */
  private void guarded(String what, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException fault) {
      parts.effects.report(what, fault);
    }
  }

  /** A socket is gone, for whatever reason. */
  public void disconnected(int connection, long now) {
    parts.moment.reached(now);
    Connection gone = parts.connections.socket(connection);
    if (gone != null) {
      guarded("the end of " + gone, () -> parts.connections.disconnected(gone));
    }
  }

  /** A socket takes no more for now, or takes again: its consumers are passed over meanwhile. */
  public void writable(int connection, boolean writable, long now) {
    parts.moment.reached(now);
    Connection socket = parts.connections.socket(connection);
    if (socket != null && socket.writable != writable) {
      socket.writable = writable;
      if (writable) {
        socket.consumers.values().forEach(parts.consumers::ready);
        socket.browsers.values().forEach(parts.dispatcher::ready);
      }
    }
  }

  /** Answers {@link Effects#read}. */
  public void readDone(ReadResult result, long now) {
    parts.moment.reached(now);
    guarded("a finished read", () -> parts.reads.done(result));
  }

  /**
   * Answers {@link Effects#sealBody}: the body is on disk for good, or {@code failure} says why
   * not.
   *
   * @param body null if it failed
   */
  public void bodySealed(long token, LargeBody body, String failure, long now) {
    parts.moment.reached(now);
    if (Spills.isToken(token)) {
      guarded("a durable extent", () -> parts.spills.sealed(token, body, failure));
    } else {
      parts.sends.bodySealed(token, body, failure);
    }
  }

  /**
   * Answers {@link Effects#readExtent}.
   *
   * @param failure why it could not be read, or null
   */
  public void extentRead(ByteBuffer bytes, String failure, long now) {
    parts.moment.reached(now);
    guarded("the placing of a transaction's messages", () -> parts.unspooler.read(bytes, failure));
  }

  /**
   * A partition's log cannot be written, for this reason, and its senders are refused; null when it
   * can again.
   */
  public void partitionTrouble(long destinationId, int partition, String why) {
    parts.admission.partition(destinationId, partition, why);
  }

  /**
   * The disk is short of space, as described, and senders are refused; null when it no longer is.
   */
  public void storageTrouble(String why) {
    parts.admission.storage(why);
  }

  /** Bytes that the disk can take beside what is kept free: what prepare may promise. */
  public void storageRoom(long bytes) {
    parts.admission.room(bytes);
  }

  /** Bytes on disk that the commits of prepared branches, and committed messages, will need. */
  public long promisedBytes() {
    return parts.transactions.promisedBytes();
  }

  /**
   * The log writer has written a partition up to this sequence, included: it can be read from the
   * log.
   */
  public void written(long destinationId, int partition, long sequence) {
    Destination destination = parts.destinations.byId(destinationId);
    Partition log = destination == null ? null : destination.partition(partition);
    if (log != null) {
      log.written = Math.max(log.written, sequence + 1);
    }
  }

  /** Does what is due; returns when to call again at the latest, at most about a second later. */
  public long tick(long now) {
    parts.moment.reached(now);
    guarded("timers", () -> parts.timers.run(parts.moment.now()));
    guarded("housekeeping", parts.housekeeping::run);
    return nextTick();
  }

  /** When {@link #tick} is to be called at the latest, as of now. */
  public long nextTick() {
    return Math.min(parts.timers.next(), parts.housekeeping.next());
  }

  /** Dispatches, so many steps at most; true if there is more to do. */
  public boolean work(int steps, long now) {
    parts.moment.reached(now);
    try {
      return parts.dispatcher.work(steps);
    } catch (RuntimeException fault) {
      parts.effects.report("dispatch", fault);
      return true;
    }
  }

  /** Applies an entry, live or in recovery. */
  public void apply(long index, Entry entry) {
    lastIndex = index;
    chain.complete(entry).ifPresent(whole -> parts.applier.apply(index, whole));
  }

  /** The replay is over; the core lives from here on. */
  public void recovered(long now) {
    parts.moment.reached(now);
    parts.recovery.run();
  }

  /**
   * Ends all connections in order and leaves marks that nothing was lost on the way: the last thing
   * before a clean stop.
   */
  public void stop(String why, long now) {
    parts.moment.reached(now);
    parts.connections.closeAll(why);
    parts.recovery.markClean();
  }

  /** Rolls back all transactions and deletes all destinations; connections stay. */
  public void empty(long now) {
    parts.moment.reached(now);
    parts.transactions.empty();
    List.copyOf(parts.destinations.all()).forEach(parts.lookup::delete);
  }

  /**
   * Gives back the history that has grown old in the topics that keep one and are looked after at
   * these times; never what a subscription needs.
   *
   * @param when as it stands in {@link DestinationSettings.History}
   */
  public void dropHistory(String when, long now) {
    parts.moment.reached(now);
    guarded("retention", () -> parts.retention.dropHistory(when, parts.moment.now()));
  }

  /** How many transactions there are in which state. */
  public TransactionFigures transactions() {
    return parts.transactions.figures();
  }

  /**
   * An operator's operation {@code tx.*}, asked by this process itself.
   *
   * @param then gets the result, now or when the messages of a commit have their places
   * @throws IllegalArgumentException if it is refused, with the reason
   */
  public void administer(
      String operation, List<String> arguments, long now, Consumer<AdminResult> then) {
    parts.moment.reached(now);
    try {
      parts.transactions.administer(operation, arguments, then);
    } catch (CoreException refused) {
      throw new IllegalArgumentException(refused.getMessage(), refused);
    }
  }

  /** For taking over what another broker wrote. */
  public Adoption adoption(long now) {
    parts.moment.reached(now);
    return parts.adoption;
  }

  /** Figures of a destination; empty if there is none of that name. */
  public Optional<DestinationFigures> destination(String name) {
    return Optional.ofNullable(parts.destinations.byName(name)).map(DestinationFigures::of);
  }

  /** Figures of all destinations that have a name, in its order. */
  public List<DestinationFigures> destinations() {
    return parts.destinations.all().stream().map(DestinationFigures::of).toList();
  }

  /**
   * Every object of the core, each serialised when it is pulled. Pull between inputs; objects may
   * come and go meanwhile.
   */
  public Iterator<SnapshotUnit> snapshot() {
    parts.skipped.flush();
    return new SnapshotWalk(parts, () -> lastIndex);
  }

  /** Before any entry is applied: units in any order. */
  public void restore(SnapshotUnit unit) {
    parts.recovery.restore(unit);
  }

  /** All bodies of the body store that are still named; others are orphans. */
  public Set<Long> liveBodies() {
    return parts.bodies.live();
  }
}
