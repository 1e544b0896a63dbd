package io.metaq.broker.core;

import io.metaq.broker.core.Entry.Position;
import java.nio.ByteBuffer;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Gives messages of one entry group their positions. Apart from the partitions, since a group is
 * applied only as a whole: later messages of it stand behind earlier ones that no partition knows
 * yet.
 */
final class Placement {
  private final Map<Partition, Position> ends = new IdentityHashMap<>();
  private final Map<Partition, Long> segmentStarts = new IdentityHashMap<>();

  Entry.Appended place(
      Destination destination,
      Partition partition,
      UUID producer,
      int session,
      long sendSequence,
      long notFor,
      ByteBuffer record) {
    Position end = ends.getOrDefault(partition, partition.position());
    long segmentSize = destination.settings.segmentSize();
    Long started = segmentStarts.get(partition);
    boolean roll =
        started == null
            ? partition.rolls(segmentSize, end.offset())
            : end.offset() - started >= segmentSize;
    if (roll) {
      segmentStarts.put(partition, end.offset());
    }
    ends.put(partition, new Position(end.sequence() + 1, end.offset() + record.remaining()));
    return new Entry.Appended(
        destination.id,
        partition.number,
        end.sequence(),
        end.offset(),
        roll,
        producer,
        session,
        sendSequence,
        notFor,
        record);
  }

  /** The only message of its entry. */
  static Entry.Appended single(
      Destination destination,
      Partition partition,
      UUID producer,
      int session,
      long sendSequence,
      ByteBuffer record) {
    return new Entry.Appended(
        destination.id,
        partition.number,
        partition.next,
        partition.nextOffset(),
        partition.rolls(destination.settings.segmentSize(), partition.nextOffset()),
        producer,
        session,
        sendSequence,
        0,
        record);
  }
}
