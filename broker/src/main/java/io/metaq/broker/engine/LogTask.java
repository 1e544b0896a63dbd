package io.metaq.broker.engine;

import io.metaq.broker.store.PartitionLog;
import java.nio.ByteBuffer;

/** Something to be done to a partition log once the journal is durable up to an entry. */
sealed interface LogTask {

  /** The journal entry that demands it. */
  long index();

  PartitionLog log();

  /** Write a record at its place. */
  record Write(
      long index,
      PartitionLog log,
      LogId id,
      long sequence,
      long offset,
      boolean newSegment,
      ByteBuffer record)
      implements LogTask {}

  /** Delete the segments wholly below a sequence. */
  record Drop(long index, PartitionLog log, long first) implements LogTask {}

  /** Delete all records: the destination is gone. */
  record Clear(long index, PartitionLog log) implements LogTask {}
}
