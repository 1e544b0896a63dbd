package io.metaq.broker.core;

import io.metaq.wire.Content;
import io.metaq.wire.RecordFormat;
import io.metaq.wire.RecordFormat.LargeBody;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which records name which bodies of the body store. A body goes when no subscription needs any of
 * the records that name it; a dead-letter copy names the same body again.
 */
final class Bodies {
  private final Effects effects;
  private final TreeMap<Long, Integer> references = new TreeMap<>();

  Bodies(Effects effects) {
    this.effects = effects;
  }

  static LargeBody reference(ByteBuffer record) {
    return LargeBody.decode(Content.of(RecordFormat.body(record)).payload());
  }

  void named(Partition partition, long sequence, ByteBuffer record) {
    named(partition, sequence, reference(record).fileId());
  }

  void named(Partition partition, long sequence, long fileId) {
    if (partition.large == null) {
      partition.large = new TreeMap<>();
    }
    if (partition.large.put(sequence, fileId) == null) {
      hold(fileId);
    }
  }

  /** Names a body from elsewhere than a partition (a transaction). */
  void hold(long fileId) {
    references.merge(fileId, 1, Integer::sum);
  }

  void release(long fileId) {
    if (references.merge(fileId, -1, Integer::sum) <= 0) {
      references.remove(fileId);
      effects.releaseBody(fileId);
    }
  }

  void releaseBody(ByteBuffer record) {
    if (RecordFormat.isLarge(record)) {
      release(reference(record).fileId());
    }
  }

  /** A subscription has done with the message: the body may go if it was the last. */
  void settled(Destination destination, Partition partition, long sequence) {
    if (partition.large.containsKey(sequence)
        && destination.subscriptions.stream()
            .allMatch(other -> other.lane(partition.number).acked.contains(sequence))) {
      release(partition.large.remove(sequence));
    }
  }

  void settledAll(Destination destination, Partition partition) {
    for (Long sequence : Set.copyOf(partition.large.keySet()).stream().sorted().toList()) {
      settled(destination, partition, sequence);
    }
  }

  void forget(Partition partition) {
    if (partition.large != null) {
      partition.large.values().forEach(this::release);
      partition.large = null;
    }
  }

  /** All bodies that are named: others in the store are orphans. */
  Set<Long> live() {
    return Set.copyOf(references.keySet());
  }
}
