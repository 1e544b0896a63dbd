package io.metaq.broker.core.tx;

import java.util.PriorityQueue;
import java.util.function.LongPredicate;

/**
 * Wake-up calls by time. A call is not taken back when its branch ends in time: who is woken looks
 * whether there is still something to do. Now and then those of ended branches are thrown out
 * together.
 */
final class Deadlines {
  private record Call(long at, long handle) implements Comparable<Call> {
    @Override
    public int compareTo(Call other) {
      int order = Long.compare(at, other.at);
      return order != 0 ? order : Long.compare(other.handle, handle);
    }
  }

  private final PriorityQueue<Call> calls = new PriorityQueue<>();

  void add(long handle, long at) {
    calls.add(new Call(at, handle));
  }

  int size() {
    return calls.size();
  }

  /** Throws out the calls of all other handles. */
  void keep(LongPredicate wanted) {
    calls.removeIf(call -> !wanted.test(call.handle));
  }

  /** The handle of a call that is due, or 0. */
  long pollDue(long now) {
    return calls.isEmpty() || calls.peek().at > now ? 0 : calls.poll().handle;
  }

  long next() {
    return calls.isEmpty() ? Long.MAX_VALUE : calls.peek().at;
  }
}
