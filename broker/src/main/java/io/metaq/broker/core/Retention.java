package io.metaq.broker.core;

/**
 * Gives segments back that no subscription needs any more, unless the configuration keeps a topic's
 * history.
 */
final class Retention {
  private final Destinations destinations;
  private final Recorder recorder;

  Retention(Destinations destinations, Recorder recorder) {
    this.destinations = destinations;
    this.recorder = recorder;
  }

  void run() {
    for (Destination destination : java.util.List.copyOf(destinations.all())) {
      if (!destination.kind.isTemporary() && !destination.settings.keepHistory()) {
        for (Partition partition : destination.partitions) {
          drop(destination, partition, destination.needed(partition.number));
        }
      }
      if (destination.delayed != null) {
        drop(destination, destination.delayed, destination.delays.lowest(destination.delayed.next));
      }
    }
  }

  void drop(Destination destination, Partition partition, long needed) {
    long below = partition.droppableBelow(needed);
    if (below > partition.first) {
      recorder.record(new Entry.SegmentsDropped(destination.id, partition.number, below), false);
    }
  }
}
