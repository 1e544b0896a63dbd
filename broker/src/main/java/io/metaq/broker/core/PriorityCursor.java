package io.metaq.broker.core;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * How far a scan has looked through the messages of one priority in one lane. Each message is
 * looked at once; what is not in memory is read in batches, and only what matched is kept from
 * them, up to a bound. While the second half of a batch is handed out the next one is read.
 */
final class PriorityCursor {
  private static final int MOST_RECORDS = 256;
  private static final int MOST_BYTES = 128 * 1024;
  private static final int MOST_SCANNED = 20_000;

  private final Scan scan;
  private final Lane lane;
  private final int priority;
  private final ArrayDeque<Delivery> ahead = new ArrayDeque<>(4);
  private long next;
  private boolean reading;
  private int half;

  PriorityCursor(Scan scan, Lane lane, int priority, long next) {
    this.scan = scan;
    this.lane = lane;
    this.priority = priority;
    this.next = next;
  }

  /** Finds the next message, or tells the scan why there is none yet. */
  Delivery head() {
    while (true) {
      Delivery found = ahead.peek();
      if (found != null) {
        if (scan.isFree(found)) {
          return found;
        }
        poll();
        continue;
      }
      if (reading) {
        scan.waitForRead();
        return null;
      }
      long sequence = candidate();
      if (sequence < 0) {
        next = end();
        return null;
      }
      if (!scan.isFree(lane.number, sequence)) {
        next = scan.passTaken(lane.number, sequence);
        continue;
      }
      if (!scan.spend()) {
        return null;
      }
      ByteBuffer record = lane.record(sequence);
      if (record != null) {
        next = sequence + 1;
        examine(sequence, record);
      } else if (lane.isDurable()) {
        read(sequence);
        scan.waitForRead();
      } else {
        next = sequence + 1;
      }
    }
  }

  void poll() {
    ahead.poll();
    if (!reading && half > 0 && ahead.size() == half) {
      half = 0;
      readAhead();
    }
  }

  /** Only where a read is what {@link #head} would come to next. */
  private void readAhead() {
    long sequence = candidate();
    if (sequence >= 0
        && lane.isDurable()
        && scan.isFree(lane.number, sequence)
        && lane.record(sequence) == null) {
      read(sequence);
    }
  }

  /** The next message of this priority, looked at or not, or -1. */
  private long candidate() {
    return next >= end() ? -1 : lane.priorities.next(priority, Math.max(next, lane.first), end());
  }

  private long end() {
    return scan.end(lane);
  }

  private void examine(long sequence, ByteBuffer record) {
    if (scan.matches(record)) {
      scan.found(new Delivery(scan.subscription, lane.number, sequence, record), ahead);
    } else {
      scan.passOver(lane.number, sequence, sequence);
    }
  }

  private void read(long sequence) {
    next = sequence;
    reading = true;
    long[] wanted = null;
    if (priority != PriorityIndex.DEFAULT) {
      wanted = wanted();
    }
    scan.read(lane.number, next, end(), wanted, MOST_RECORDS, MOST_BYTES, MOST_SCANNED, this::read);
  }

  private long[] wanted() {
    long[] wanted = new long[MOST_RECORDS];
    int count = 0;
    long at = lane.priorities.next(priority, next, end());
    while (at >= 0 && count < wanted.length) {
      wanted[count++] = at;
      at = lane.priorities.next(priority, at + 1, end());
    }
    return java.util.Arrays.copyOf(wanted, count);
  }

  private void read(ReadResult result) {
    reading = false;
    for (ReadResult.Dead dead : result.dead()) {
      scan.dead(lane.number, dead);
    }
    for (ReadResult.Record record : result.records()) {
      long sequence = record.sequence();
      if (RecordView.priority(record.bytes()) == priority && sequence >= next) {
        passOver(next, sequence - 1);
        scan.found(new Delivery(scan.subscription, lane.number, sequence, record.bytes()), ahead);
        next = sequence + 1;
      }
    }
    if (result.scannedTo() > next) {
      passOver(next, result.scannedTo() - 1);
      next = result.scannedTo();
    }
    half = ahead.size() / 2;
  }

  /**
   * What was read and did not match; messages of other priorities in between are not judged here.
   */
  private void passOver(long first, long last) {
    long from = lane.priorities.next(priority, first, last + 1);
    while (from >= 0) {
      long to = from;
      if (priority == PriorityIndex.DEFAULT) {
        long other = lane.priorities.nextOther(from);
        to = other < 0 ? last : Math.min(last, other - 1);
      }
      scan.passOver(lane.number, from, to);
      from = lane.priorities.next(priority, to + 1, last + 1);
    }
  }
}
