package io.metaq.broker.store;

import io.metaq.wire.RecordFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Finds out how far damage in a segment reaches. It knows a sound place behind the damage (an index
 * mark, or the end of the segment) with its sequence, and looks for the earliest record from which
 * intact records lead exactly to that place; counting them back from it gives their sequences. So
 * one bad body costs one record, and a bad length no more than the records it really hit.
 */
final class DamageProbe {
  /**
   * Beyond this the search for a record boundary, byte by byte, would cost more than the records
   * are worth.
   */
  private static final int SEARCH_LIMIT = 4 << 20;

  private final RecordScanner scanner;

  DamageProbe(RecordScanner scanner) {
    this.scanner = scanner;
  }

  /**
   * @param badSeq the record that is damaged, and the offset where it begins
   * @param soundSeq the record that begins at the sound offset behind it
   */
  DeadRange probe(long badSeq, long badOffset, long soundSeq, long soundOffset) throws IOException {
    long hop = badOffset;
    long seq = badSeq;
    while (hop < soundOffset && seq < soundSeq) {
      int length = scanner.recordLength(hop);
      if (length < 0 || isZero(hop)) {
        break;
      }
      hop += length;
      seq++;
    }
    if (hop == soundOffset && seq == soundSeq) {
      // The lengths are right, so only this record's body is hit; others may follow and are found
      // when they are read.
      return new DeadRange(
          badSeq, badSeq + 1, badOffset, badOffset + scanner.recordLength(badOffset));
    }
    long limit = Math.min(soundOffset, badOffset + SEARCH_LIMIT);
    for (long candidate = badOffset + 1; candidate < limit; candidate++) {
      long records = intactRecordsTo(candidate, soundOffset);
      if (records > 0 && soundSeq - records > badSeq) {
        return new DeadRange(badSeq, soundSeq - records, badOffset, candidate);
      }
    }
    return new DeadRange(badSeq, soundSeq, badOffset, soundOffset);
  }

  /** How many intact records lead from one offset exactly to another; 0 when they do not. */
  private long intactRecordsTo(long from, long to) throws IOException {
    long count = 0;
    long at = from;
    while (at < to) {
      // An empty body has no checksum to speak of: it is no proof that a record begins here.
      if (at == from && scanner.recordLength(at) <= RecordFormat.HEADER_SIZE) {
        return 0;
      }
      Optional<ByteBuffer> record = scanner.recordAt(at);
      if (record.isEmpty()) {
        return 0;
      }
      at += record.get().remaining();
      count++;
    }
    return at == to ? count : 0;
  }

  private boolean isZero(long offset) throws IOException {
    return scanner.recordLength(offset) == RecordFormat.HEADER_SIZE
        && scanner.recordAt(offset).isEmpty();
  }
}
