package io.metaq.broker.core;

import java.util.List;

/**
 * Gives segments back that no subscription needs any more: at once, or, where the configuration
 * keeps a topic's history, when they have grown old.
 */
final class Retention {
  private final Destinations destinations;
  private final Recorder recorder;

  Retention(Destinations destinations, Recorder recorder) {
    this.destinations = destinations;
    this.recorder = recorder;
  }

  /** What need not grow old. */
  void run() {
    for (Destination destination : List.copyOf(destinations.all())) {
      if (!destination.kind.isTemporary() && !destination.settings.history().isKept()) {
        dropNotNeeded(destination, Long.MAX_VALUE);
      }
      if (destination.delayed != null) {
        long lowest = destination.delays.lowest(destination.delayed.next);
        drop(destination, destination.delayed, lowest, Long.MAX_VALUE);
      }
    }
  }

  /** History that has grown old, where it is looked for at these times. */
  void dropHistory(String when, long now) {
    for (Destination destination : List.copyOf(destinations.all())) {
      DestinationSettings.History history = destination.settings.history();
      if (history.isKept() && history.when().equals(when)) {
        dropNotNeeded(destination, now - history.millis());
      }
    }
  }

  private void dropNotNeeded(Destination destination, long endedBy) {
    for (Partition partition : destination.partitions) {
      drop(destination, partition, destination.needed(partition.number), endedBy);
    }
  }

  private void drop(Destination destination, Partition partition, long needed, long endedBy) {
    long below = partition.droppableBelow(needed, endedBy);
    if (below > partition.first) {
      recorder.record(new Entry.SegmentsDropped(destination.id, partition.number, below), false);
    }
  }
}
