package io.metaq.broker.core;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a {@link ReadRequest} brought.
 *
 * @param records ascending by sequence
 * @param scannedTo everything wanted below this was looked at; the request's {@code from} if
 *     nothing was
 * @param dead ranges that are quarantined: reported by the reader, passed over by the core
 * @param failure null, or why nothing could be read from {@code scannedTo} on; the core tries again
 *     later
 */
public record ReadResult(
    long token, List<Record> records, long scannedTo, List<Dead> dead, String failure) {
  public ReadResult {
    records = List.copyOf(records);
    dead = List.copyOf(dead);
  }

  /** A record with its place. The bytes are the reader's no longer. */
  public record Record(long sequence, ByteBuffer bytes) {}

  /** Sequences lost to corruption, both ends included. */
  public record Dead(long first, long last) {}
}
