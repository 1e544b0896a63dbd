package io.metaq.broker.core;

import io.metaq.wire.RecordFormat;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds messages of a lane by their correlation id, so that a requester finds its reply on a shared
 * queue however many stale replies lie there. Holds a hash per message of the most recent million,
 * in chunks; full chunks are sorted when first searched.
 */
final class CorrelationIndex {
  private static final int SHIFT = 12;
  private static final int CHUNK = 1 << SHIFT;
  private static final int MOST_CHUNKS = 256;
  private static final int NONE = 0;

  /** Hashes by place; sorted by (hash, place) when it is full and was searched. */
  private static final class Chunk {
    private final int[] hashes = new int[CHUNK];
    private long[] sorted;
  }

  private final TreeMap<Long, Chunk> chunks = new TreeMap<>();
  private long from;
  private long end;

  /** Messages at and above this are found here, those below are not. */
  long from() {
    return from;
  }

  /** Of a message without correlation id, 0. */
  static int hash(ByteBuffer record) {
    if (!RecordFormat.isJms(record)) {
      return NONE;
    }
    int at = record.position() + RecordView.GROUP_ID;
    at += 4 + Math.max(0, record.getInt(at)) + 4;
    int length = record.getInt(at);
    if (length < 0) {
      return NONE;
    }
    int hash = 1;
    for (int i = at + 4; i < at + 4 + length; i++) {
      hash = hash * 31 + record.get(i);
    }
    return mixed(hash);
  }

  static int hash(String correlationId) {
    int hash = 1;
    for (byte b : correlationId.getBytes(StandardCharsets.UTF_8)) {
      hash = hash * 31 + b;
    }
    return mixed(hash);
  }

  private static int mixed(int hash) {
    int mixed = hash * 0x9e3779b9;
    mixed ^= mixed >>> 15;
    return mixed == NONE ? 1 : mixed;
  }

  void add(long sequence, int hash) {
    end = sequence + 1;
    if (hash == NONE) {
      return;
    }
    chunks.computeIfAbsent(sequence >>> SHIFT, key -> new Chunk())
            .hashes[(int) sequence & CHUNK - 1] =
        hash;
    while (chunks.size() > MOST_CHUNKS) {
      from = Math.max(from, chunks.pollFirstEntry().getKey() + 1 << SHIFT);
    }
  }

  /** They are done with. */
  void dropBelow(long sequence) {
    while (!chunks.isEmpty() && chunks.firstKey() < sequence >>> SHIFT) {
      chunks.pollFirstEntry();
    }
  }

  /** First message at or above with this hash, or -1. Another id may have the same hash. */
  long find(int hash, long start) {
    for (Map.Entry<Long, Chunk> entry : chunks.tailMap(start >>> SHIFT, true).entrySet()) {
      long base = entry.getKey() << SHIFT;
      int first = (int) Math.max(0, start - base);
      int place =
          base + CHUNK <= end
              ? search(entry.getValue(), hash, first)
              : walk(entry.getValue(), hash, first, (int) (end - base));
      if (place >= 0) {
        return base + place;
      }
    }
    return -1;
  }

  private static int walk(Chunk chunk, int hash, int first, int last) {
    for (int place = first; place < last; place++) {
      if (chunk.hashes[place] == hash) {
        return place;
      }
    }
    return -1;
  }

  private static int search(Chunk chunk, int hash, int first) {
    if (chunk.sorted == null) {
      chunk.sorted = new long[CHUNK];
      for (int place = 0; place < CHUNK; place++) {
        chunk.sorted[place] = (long) chunk.hashes[place] << SHIFT | place;
      }
      Arrays.sort(chunk.sorted);
    }
    int at = Arrays.binarySearch(chunk.sorted, (long) hash << SHIFT | first);
    at = at < 0 ? -at - 1 : at;
    boolean found = at < CHUNK && chunk.sorted[at] >> SHIFT == hash;
    return found ? (int) chunk.sorted[at] & CHUNK - 1 : -1;
  }

  void encode(WireWriter out) {
    out.i64(from).i64(end).i32(chunks.size());
    chunks.forEach(
        (key, chunk) -> {
          out.i64(key);
          for (int hash : chunk.hashes) {
            out.i32(hash);
          }
        });
  }

  void decode(WireReader in) {
    from = in.i64();
    end = in.i64();
    int count = in.i32();
    for (int i = 0; i < count; i++) {
      Chunk chunk = new Chunk();
      chunks.put(in.i64(), chunk);
      for (int place = 0; place < CHUNK; place++) {
        chunk.hashes[place] = in.i32();
      }
    }
  }
}
