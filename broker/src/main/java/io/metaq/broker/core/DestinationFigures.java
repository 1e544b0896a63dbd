package io.metaq.broker.core;

/**
 * What an operator asks of one destination.
 *
 * @param queue whether it is a queue, else a topic
 * @param name of the destination
 * @param partitions on this broker
 * @param waiting messages in a queue, or those that the slowest subscription of a topic still needs
 * @param received messages accepted by the partitions ever
 * @param bytes that its partition logs hold
 * @param subscriptions of it
 * @param consumers attached to those
 */
public record DestinationFigures(
    boolean queue,
    String name,
    int partitions,
    long waiting,
    long received,
    long bytes,
    int subscriptions,
    int consumers) {

  static DestinationFigures of(Destination destination) {
    long received = 0;
    long bytes = 0;
    for (Partition partition : destination.partitions) {
      received += partition.next;
      bytes += partition.bytes();
    }
    return new DestinationFigures(
        destination.kind.isQueue(),
        destination.name,
        destination.partitions.length,
        destination.depth(),
        received,
        bytes,
        destination.subscriptions.size(),
        destination.subscriptions.stream().mapToInt(s -> s.attachments.size()).sum());
  }
}
