package io.metaq.broker.core;

import io.metaq.wire.ErrorCode;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether durable messages can be taken at all: not while the disk is short of space, and not for a
 * partition whose log cannot be written. What consumers do goes on.
 */
final class Admission {
  private record LogId(long destinationId, int partition) implements Comparable<LogId> {
    @Override
    public int compareTo(LogId other) {
      int byDestination = Long.compare(destinationId, other.destinationId);
      return byDestination != 0 ? byDestination : Integer.compare(partition, other.partition);
    }
  }

  private final Map<LogId, String> partitions = new TreeMap<>();
  private String storage;
  private long room = Long.MAX_VALUE;

  /** Null when there is space again. */
  void storage(String trouble) {
    storage = trouble;
  }

  /** Bytes that the disk can take beside what is kept free. */
  void room(long bytes) {
    room = bytes;
  }

  boolean hasRoom(long bytes) {
    return room >= bytes;
  }

  /** Null when the log can be written again. */
  void partition(long destinationId, int partition, String trouble) {
    LogId id = new LogId(destinationId, partition);
    if (trouble == null) {
      partitions.remove(id);
    } else {
      partitions.put(id, trouble);
    }
  }

  /** Why nothing more can be stored, or null. */
  String storageTrouble() {
    return storage;
  }

  void checkStorage(Destination destination) {
    if (storage != null) {
      throw new CoreException(
          ErrorCode.STORAGE, "nothing more can be stored in " + destination + ": " + storage);
    }
  }

  void check(Destination destination, Partition partition) {
    if (partitions.isEmpty()) {
      return;
    }
    String trouble = partitions.get(new LogId(destination.id, partition.number));
    if (trouble != null) {
      throw new CoreException(
          ErrorCode.STORAGE,
          "partition "
              + partition.number
              + " of "
              + destination
              + " cannot be written at present: "
              + trouble);
    }
  }
}
