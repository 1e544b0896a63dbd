package io.metaq.broker.engine;

import io.metaq.broker.core.ReadRequest;
import io.metaq.broker.core.ReadResult;
import io.metaq.broker.store.DeadRange;
import io.metaq.broker.store.LogReadResult;
import io.metaq.broker.store.LogRecord;
import io.metaq.broker.store.PartitionLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a partition log for the core and looks for matches of a selector in it, on a reader thread.
 * One read is bounded in records, bytes and records looked at, so that a search through a long
 * backlog shares the readers with everyone else's reads.
 */
final class Readers {
  private static final Logger LOG = LoggerFactory.getLogger(Readers.class);
  private static final int CHUNK_RECORDS = 512;
  private static final int CHUNK_BYTES = 256 << 10;

  private Readers() {}

  /** Carries out a request; every failure stands in the result. */
  static ReadResult read(ReadRequest request, PartitionLog log) {
    Search search = new Search(request, log);
    try {
      search.run();
    } catch (IOException e) {
      LOG.error(
          "cannot read partition {} of {} from record {} on; it is tried again: {}",
          request.partition(),
          log.name().name(),
          search.next,
          e.toString());
      search.failure = "partition " + request.partition() + " of " + log.name().name() + ": " + e;
    }
    return search.result();
  }

  /** The state of one read under way. */
  private static final class Search {
    private final ReadRequest request;
    private final PartitionLog log;
    private final List<ReadResult.Record> found = new ArrayList<>();
    private final List<ReadResult.Dead> dead = new ArrayList<>();
    private final long end;
    private long next;
    private int wantedAt;
    private int scanned;
    private long bytes;
    private String failure;

    Search(ReadRequest request, PartitionLog log) {
      this.request = request;
      this.log = log;
      this.end = Math.min(request.end(), log.nextSeq());
      this.next = request.from();
    }

    ReadResult result() {
      return new ReadResult(request.token(), found, next, dead, failure);
    }

    void run() throws IOException {
      while (next < end && !isFull()) {
        long from = wantedFrom(next);
        if (from >= end) {
          next = end;
          return;
        }
        LogReadResult chunk = log.read(from, chunkRecords(from), chunkBytes());
        take(chunk.records());
        if (isFull()) {
          return;
        }
        if (chunk.dead().isPresent()) {
          quarantine(chunk.dead().get());
        }
        if (chunk.nextSeq() <= from) {
          throw new IOException("record " + from + " is missing");
        }
        next = Math.max(next, Math.min(chunk.nextSeq(), end));
      }
    }

    private boolean isFull() {
      return found.size() >= request.maxRecords()
          || bytes >= request.maxBytes()
          || scanned >= request.maxScanned();
    }

    /** The first sequence at or behind {@code from} that is wanted. */
    private long wantedFrom(long from) {
      long[] wanted = request.wanted();
      if (wanted == null) {
        return from;
      }
      while (wantedAt < wanted.length && wanted[wantedAt] < from) {
        wantedAt++;
      }
      return wantedAt < wanted.length ? wanted[wantedAt] : Long.MAX_VALUE;
    }

    private int chunkRecords(long from) {
      if (request.filter() == null && request.wanted() == null) {
        return request.maxRecords() - found.size();
      }
      if (request.wanted() == null) {
        return Math.min(CHUNK_RECORDS, request.maxScanned() - scanned);
      }
      int run = 1;
      long[] wanted = request.wanted();
      while (wantedAt + run < wanted.length && wanted[wantedAt + run] == from + run) {
        run++;
      }
      return Math.min(CHUNK_RECORDS, run);
    }

    private int chunkBytes() {
      long room = request.maxBytes() - bytes;
      return (int) (request.filter() == null ? Math.max(1, room) : CHUNK_BYTES);
    }

    private void take(List<LogRecord> records) {
      for (LogRecord record : records) {
        if (record.seq() >= end || isFull()) {
          return;
        }
        scanned++;
        next = record.seq() + 1;
        if (request.filter() == null) {
          keep(record.seq(), record.bytes());
        } else if (request.filter().test(record.bytes())) {
          keep(record.seq(), copy(record.bytes()));
        }
      }
    }

    private void keep(long sequence, ByteBuffer record) {
      found.add(new ReadResult.Record(sequence, record));
      bytes += record.remaining();
    }

    /** A match must not keep the whole chunk that was read around it in memory. */
    private static ByteBuffer copy(ByteBuffer record) {
      return ByteBuffer.allocate(record.remaining()).put(record.duplicate()).flip();
    }

    private void quarantine(DeadRange range) throws IOException {
      Optional<String> copy = log.markDead(range);
      LOG.error(
          "records {} to {} of partition {} of {} are damaged (bytes {} to {}) and will not be"
              + " delivered; {}",
          range.fromSeq(),
          range.toSeq() - 1,
          request.partition(),
          log.name().name(),
          range.fromOffset(),
          range.toOffset(),
          copy.map(path -> "a copy is kept in " + path).orElse("no bytes are left of them"));
      dead.add(new ReadResult.Dead(range.fromSeq(), range.toSeq() - 1));
    }
  }
}
