package io.metaq.broker.core;

import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.buffer.ImmutableRoaringBitmap;

/**
 * A set of sequences, as compressed bitmaps of 2^32 each (in practice one or two). Apart from
 * Roaring's own 64-bit bitmap because this needs range removal and next-absent steps, which that
 * one lacks.
 */
final class SequenceSet {
  private final TreeMap<Long, RoaringBitmap> chunks = new TreeMap<>();

  private RoaringBitmap chunk(long sequence) {
    return chunks.computeIfAbsent(sequence >>> 32, high -> new RoaringBitmap());
  }

  boolean isEmpty() {
    return chunks.isEmpty();
  }

  long size() {
    long size = 0;
    for (RoaringBitmap chunk : chunks.values()) {
      size += chunk.getLongCardinality();
    }
    return size;
  }

  void add(long sequence) {
    chunk(sequence).add((int) sequence);
  }

  /** Both ends included. */
  void add(long first, long last) {
    for (long high = first >>> 32; high <= last >>> 32; high++) {
      long from = Math.max(first, high << 32) & 0xffffffffL;
      long to = Math.min(last, (high << 32) + 0xffffffffL) & 0xffffffffL;
      chunk(high << 32).add(from, to + 1);
    }
  }

  boolean contains(long sequence) {
    if (chunks.isEmpty()) {
      return false;
    }
    RoaringBitmap chunk = chunks.get(sequence >>> 32);
    return chunk != null && chunk.contains((int) sequence);
  }

  void remove(long sequence) {
    RoaringBitmap chunk = chunks.get(sequence >>> 32);
    if (chunk != null) {
      chunk.remove((int) sequence);
      if (chunk.isEmpty()) {
        chunks.remove(sequence >>> 32);
      }
    }
  }

  /** Removes everything below. */
  void removeBelow(long sequence) {
    while (!chunks.isEmpty() && chunks.firstKey() < sequence >>> 32) {
      chunks.pollFirstEntry();
    }
    RoaringBitmap chunk = chunks.get(sequence >>> 32);
    if (chunk != null) {
      chunk.remove(0L, sequence & 0xffffffffL);
      if (chunk.isEmpty()) {
        chunks.remove(sequence >>> 32);
      }
    }
  }

  /** Smallest member at or above, or -1. */
  long next(long sequence) {
    Map.Entry<Long, RoaringBitmap> entry = chunks.ceilingEntry(sequence >>> 32);
    while (entry != null) {
      long high = entry.getKey();
      long found =
          high == sequence >>> 32
              ? entry.getValue().nextValue((int) sequence)
              : entry.getValue().nextValue(0);
      if (found >= 0) {
        return high << 32 | found;
      }
      entry = chunks.higherEntry(high);
    }
    return -1;
  }

  /** Smallest sequence at or above that is no member. */
  long nextAbsent(long sequence) {
    long at = sequence;
    RoaringBitmap chunk;
    while ((chunk = chunks.get(at >>> 32)) != null) {
      long absent = chunk.nextAbsentValue((int) at);
      if (absent >= 0 && absent <= 0xffffffffL) {
        return at >>> 32 << 32 | absent;
      }
      at = (at >>> 32) + 1 << 32;
    }
    return at;
  }

  /** How many members lie in the range, both ends included. */
  long count(long first, long last) {
    long count = 0;
    for (Map.Entry<Long, RoaringBitmap> entry : chunks.entrySet()) {
      long base = entry.getKey() << 32;
      if (base + 0xffffffffL >= first && base <= last) {
        long from = Math.max(first, base) & 0xffffffffL;
        long to = Math.min(last, base + 0xffffffffL) & 0xffffffffL;
        count += entry.getValue().rangeCardinality(from, to + 1);
      }
    }
    return count;
  }

  void encode(WireWriter out) {
    out.i32(chunks.size());
    chunks.forEach(
        (high, chunk) -> {
          RoaringBitmap compact = chunk.clone();
          compact.runOptimize();
          ByteBuffer bytes = ByteBuffer.allocate(compact.serializedSizeInBytes());
          compact.serialize(bytes);
          out.i64(high).buffer(bytes.flip());
        });
  }

  static SequenceSet decode(WireReader in) {
    SequenceSet set = new SequenceSet();
    int count = in.i32();
    for (int i = 0; i < count; i++) {
      long high = in.i64();
      set.chunks.put(high, new ImmutableRoaringBitmap(in.buffer()).toRoaringBitmap());
    }
    return set;
  }
}
