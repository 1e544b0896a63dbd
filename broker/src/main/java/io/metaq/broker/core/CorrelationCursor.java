package io.metaq.broker.core;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * How far a scan whose selector asks for one correlation id has looked through the index of a lane.
 * Only what the index names is looked at.
 */
final class CorrelationCursor {
  private final Scan scan;
  private final Lane lane;
  private final int hash;
  private final ArrayDeque<Delivery> ahead = new ArrayDeque<>(1);
  private long next;
  private boolean reading;

  CorrelationCursor(Scan scan, Lane lane, int hash) {
    this.scan = scan;
    this.lane = lane;
    this.hash = hash;
  }

  /** The next match; null if there is none, or it is being read. */
  Delivery head() {
    while (true) {
      Delivery found = ahead.peek();
      if (found != null) {
        if (scan.isFree(found)) {
          return found;
        }
        ahead.poll();
        continue;
      }
      if (reading) {
        scan.waitForRead();
        return null;
      }
      long sequence = lane.correlations.find(hash, Math.max(next, lane.first));
      if (sequence < 0) {
        next = lane.next;
        return null;
      }
      next = sequence + 1;
      if (scan.isFree(lane.number, sequence)) {
        ByteBuffer record = lane.record(sequence);
        if (record != null) {
          examine(sequence, record);
        } else if (lane.isDurable()) {
          read(sequence);
        }
      }
    }
  }

  private void examine(long sequence, ByteBuffer record) {
    if (scan.matches(record)) {
      scan.found(new Delivery(scan.subscription, lane.number, sequence, record), ahead);
    }
  }

  private void read(long sequence) {
    reading = true;
    scan.read(
        lane.number,
        sequence,
        sequence + 1,
        null,
        1,
        Integer.MAX_VALUE,
        1,
        result -> {
          reading = false;
          result.dead().forEach(dead -> scan.dead(lane.number, dead));
          for (ReadResult.Record record : result.records()) {
            scan.found(
                new Delivery(scan.subscription, lane.number, sequence, record.bytes()), ahead);
          }
        });
  }

  boolean poll(Delivery delivery) {
    if (ahead.peek() == delivery) {
      ahead.poll();
      return true;
    }
    return false;
  }
}
