package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Position;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;

/** One incarnation of a queue or topic: its lanes and subscriptions. */
final class Destination {
  final long id;
  final DestinationKind kind;
  final String name;
  final DestinationSettings settings;
  private final RecordCache cache;
  final MemoryLane memory;
  final Partition[] partitions;
  final List<Subscription> subscriptions = new ArrayList<>();

  /** Log of the messages that are not yet due; made when the first one comes. */
  Partition delayed;

  /** When they are due. */
  DelayIndex delays = new DelayIndex();

  /** The JMS connection that a temporary destination belongs to. */
  UUID owner;

  /** Sessions whose next send waits until there is room. */
  final ArrayDeque<Session> blocked = new ArrayDeque<>(0);

  /** Whether the dispatcher is to look after them. */
  boolean freed;

  /**
   * Durable messages that wait in a queue, with their bytes (an estimate after a restart): for its
   * limits.
   */
  long waitingMessages;

  long waitingBytes;

  /** Prepared branches will send so many messages to it. */
  int pins;

  /** Index of the last entry that changed it. */
  long changed;

  /** Entries up to here are reflected by the snapshot it was restored from. */
  long restored = -1;

  boolean deleted;

  /** Messages whose receipts did not wait for a force, since one did. */
  private int unforced;

  Destination(
      long id,
      DestinationKind kind,
      String name,
      DestinationSettings settings,
      List<Position> positions,
      RecordCache cache,
      MemoryLane memory) {
    this.id = id;
    this.kind = kind;
    this.name = name;
    this.settings = settings;
    this.cache = cache;
    this.memory = memory;
    this.partitions = new Partition[positions.size()];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = new Partition(i, positions.get(i), cache);
    }
  }

  private Destination(
      WireReader in,
      RecordCache cache,
      MemoryLane memory,
      BiFunction<DestinationKind, String, DestinationSettings> settings) {
    id = in.i64();
    kind = DestinationKind.of(in.u8());
    name = in.text();
    this.settings = settings.apply(kind, name);
    this.cache = cache;
    this.memory = memory;
    partitions = new Partition[in.i32()];
    for (int i = 0; i < partitions.length; i++) {
      partitions[i] = Partition.decode(in, cache);
    }
    if (in.bool()) {
      delayed = Partition.decode(in, cache);
      delays = DelayIndex.decode(in);
    }
    int count = in.i32();
    for (int i = 0; i < count; i++) {
      subscriptions.add(Subscription.decode(in, this));
    }
  }

  void makeDelayed() {
    delayed = new Partition(Partition.DELAYED, DelayedMessages.start(), cache);
  }

  int laneCount() {
    return partitions.length + 1;
  }

  /** Lane of a number: the in-memory lane or a partition. */
  Lane lane(int number) {
    return number < 0 ? memory : partitions[number];
  }

  /** Any partition of this number, the one of delayed messages included; null if there is none. */
  Partition partition(int number) {
    return number == Partition.DELAYED
        ? delayed
        : number < 0 || number >= partitions.length ? null : partitions[number];
  }

  /** Whether the receipt of the message that is about to be stored waits for a force. */
  boolean isForceDue() {
    unforced++;
    if (unforced < settings.unflushThreshold()) {
      return false;
    }
    unforced = 0;
    return true;
  }

  /** A queue's only subscription. */
  Subscription queue() {
    return subscriptions.get(0);
  }

  boolean isStoring() {
    return !subscriptions.isEmpty() || settings.declared();
  }

  void checkPublish() {
    if (!settings.access().publish() && !kind.isTemporary()) {
      throw new CoreException(
          ErrorCode.INVALID_DESTINATION,
          this + " takes no messages on this broker: its acceptPublish is false");
    }
  }

  boolean acceptsConsumers() {
    return settings.access().subscribe() || kind.isTemporary();
  }

  /** Messages that wait in a queue, or for the slowest subscription of a topic. */
  long depth() {
    long depth = 0;
    for (Subscription subscription : subscriptions) {
      depth = Math.max(depth, subscription.depth());
    }
    return depth;
  }

  /** Bytes of a durable message as it stands in the logs. */
  long averageSize() {
    long messages = 0;
    long bytes = 0;
    for (Partition partition : partitions) {
      messages += partition.next - partition.first;
      bytes += partition.bytes();
    }
    return messages == 0 ? 0 : bytes / messages;
  }

  /** Lowest sequence of a partition that some subscription still needs. */
  long needed(int partition) {
    long needed = partitions[partition].next;
    for (Subscription subscription : subscriptions) {
      needed = Math.min(needed, subscription.lane(partition).acked.watermark());
    }
    return needed;
  }

  SnapshotUnit snapshot(long index) {
    WireWriter out = new WireWriter();
    out.i64(id).u8(kind.ordinal()).string(name).i32(partitions.length);
    for (Partition partition : partitions) {
      partition.encode(out);
    }
    out.bool(delayed != null);
    if (delayed != null) {
      delayed.encode(out);
      delays.encode(out);
    }
    List<Subscription> durable =
        subscriptions.stream().filter(subscription -> subscription.durable).toList();
    out.i32(durable.size());
    durable.forEach(subscription -> subscription.encode(out));
    return new SnapshotUnit(SnapshotUnit.Kind.DESTINATION, id, index, changed, out.written());
  }

  static Destination restore(
      SnapshotUnit unit,
      RecordCache cache,
      MemoryLane memory,
      BiFunction<DestinationKind, String, DestinationSettings> settings) {
    Destination destination =
        new Destination(new WireReader(unit.bytes()), cache, memory, settings);
    destination.restored = unit.index();
    destination.changed = unit.changedAt();
    return destination;
  }

  @Override
  public String toString() {
    return (kind.isQueue() ? "queue " : "topic ") + name;
  }
}
