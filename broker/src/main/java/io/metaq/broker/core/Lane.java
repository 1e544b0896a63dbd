package io.metaq.broker.core;

import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.TreeMap;

/**
 * A sequence of messages of a destination that subscriptions walk along: a partition, or the
 * in-memory lane.
 */
abstract class Lane {
  final int number;
  long first;
  long next;

  /** When messages expire: by the end of the time span, those whose time is over then. */
  final TreeMap<Long, SequenceSet> expiries = new TreeMap<>();

  /** For requesters that wait for their reply on a shared queue. */
  final CorrelationIndex correlations = new CorrelationIndex();

  PriorityIndex priorities = new PriorityIndex();

  Lane(int number, long next) {
    this.number = number;
    this.first = next;
    this.next = next;
  }

  /** The record if it is in memory, else null. */
  abstract ByteBuffer record(long sequence);

  /** Whether a record that is not in memory can be read from a log. */
  abstract boolean isDurable();

  /** A subscription has done with a message. */
  abstract void done(long sequence);

  void encodeExpiries(WireWriter out) {
    out.i32(expiries.size());
    expiries.forEach(
        (end, sequences) -> {
          out.i64(end);
          sequences.encode(out);
        });
  }

  void decodeExpiries(WireReader in) {
    int count = in.i32();
    for (int i = 0; i < count; i++) {
      expiries.put(in.i64(), SequenceSet.decode(in));
    }
  }
}
