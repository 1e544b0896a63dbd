package io.metaq.broker.core;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.LongSupplier;

/**
 * Walks over all objects of the core, one serialised at a time; those deleted meanwhile are left
 * out.
 */
final class SnapshotWalk implements Iterator<SnapshotUnit> {
  private final CoreParts parts;
  private final LongSupplier index;
  private final ArrayDeque<Destination> left = new ArrayDeque<>();
  private Iterator<SnapshotUnit> transactions;
  private int stage;

  SnapshotWalk(CoreParts parts, LongSupplier index) {
    this.parts = parts;
    this.index = index;
    for (Destination destination : parts.destinations.all()) {
      if (!destination.kind.isTemporary()) {
        left.add(destination);
      }
    }
  }

  @Override
  public boolean hasNext() {
    while (stage == 2 && !left.isEmpty() && left.peek().deleted) {
      left.poll();
    }
    if (stage == 2 && left.isEmpty()) {
      stage = 3;
      transactions = parts.transactions.snapshot(index.getAsLong());
    }
    return stage < 3 || transactions.hasNext();
  }

  @Override
  public SnapshotUnit next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long now = index.getAsLong();
    return switch (stage) {
      case 0 -> {
        stage = 1;
        yield parts.destinations.snapshot(now, parts.ids.last());
      }
      case 1 -> {
        stage = 2;
        yield parts.producers.snapshot(now);
      }
      case 2 -> left.poll().snapshot(now);
      default -> transactions.next();
    };
  }
}
