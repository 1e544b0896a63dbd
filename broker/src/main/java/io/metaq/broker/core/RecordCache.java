package io.metaq.broker.core;

import java.nio.ByteBuffer;

/**
 * Records of partition logs in memory: those the log writer has not written yet, which are nowhere
 * else to be read from, and recent ones up to a bound of bytes, oldest out first.
 */
final class RecordCache {
  /** A record in the cache, linked in order of arrival. */
  static final class Cached {
    private final Partition partition;
    private final long sequence;
    private final ByteBuffer record;
    private Cached older;
    private Cached newer;

    private Cached(Partition partition, long sequence, ByteBuffer record) {
      this.partition = partition;
      this.sequence = sequence;
      this.record = record;
    }

    ByteBuffer record() {
      return record;
    }
  }

  private static final int OVERHEAD = 120;
  private static final int EVICTION_TRIES = 16;

  private final long bound;
  private long bytes;
  private Cached oldest;
  private Cached newest;

  RecordCache(long bound) {
    this.bound = bound;
  }

  long bytes() {
    return bytes;
  }

  void put(Partition partition, long sequence, ByteBuffer record) {
    Cached cached = new Cached(partition, sequence, record);
    Cached before = partition.cached.put(sequence, cached);
    if (before != null) {
      unlink(before);
    }
    link(cached);
    for (int tries = 0; bytes > bound && oldest != cached && tries < EVICTION_TRIES; tries++) {
      Cached victim = oldest;
      unlink(victim);
      if (victim.sequence < victim.partition.written) {
        victim.partition.cached.remove(victim.sequence);
      } else {
        link(victim);
      }
    }
  }

  /** Nobody wants this record any more; one that is not written yet stays with the log writer. */
  void drop(Partition partition, long sequence) {
    Cached cached = partition.cached.remove(sequence);
    if (cached != null) {
      unlink(cached);
    }
  }

  void drop(Partition partition) {
    partition.cached.forEach((cached, sequence) -> unlink(cached));
    partition.cached.clear();
  }

  private void link(Cached cached) {
    bytes += cached.record.remaining() + OVERHEAD;
    cached.older = newest;
    cached.newer = null;
    if (newest == null) {
      oldest = cached;
    } else {
      newest.newer = cached;
    }
    newest = cached;
  }

  private void unlink(Cached cached) {
    bytes -= cached.record.remaining() + OVERHEAD;
    if (cached.older == null) {
      oldest = cached.newer;
    } else {
      cached.older.newer = cached.newer;
    }
    if (cached.newer == null) {
      newest = cached.older;
    } else {
      cached.newer.older = cached.older;
    }
  }
}
