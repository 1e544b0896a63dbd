package io.metaq.broker.core;

import io.metaq.wire.SubscriptionFrames.Consume;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Consumers of all topics that match a pattern, also of those that come later. Each matching topic
 * gives the consumer a subscription of its own, so that order is kept per topic.
 */
final class Wildcards {
  private record Watcher(Consumer consumer, Consume consume) {}

  private final Destinations destinations;
  private final List<Watcher> watchers = new ArrayList<>();
  private BiConsumer<Consumer, Subscribe> attach = (consumer, subscribe) -> {};

  /** A topic that a consumer's pattern matches. */
  record Subscribe(Consume consume, Destination topic) {}

  Wildcards(Destinations destinations) {
    this.destinations = destinations;
  }

  void connect(BiConsumer<Consumer, Subscribe> attaching) {
    this.attach = attaching;
  }

  void watch(Consumer consumer, Consume consume) {
    for (Destination destination : List.copyOf(destinations.all())) {
      subscribe(consumer, consume, destination);
    }
    watchers.add(new Watcher(consumer, consume));
  }

  /** Temporary topics match no pattern, nor do those that the configuration closes to consumers. */
  static boolean isCovered(Destination destination) {
    return !destination.kind.isQueue()
        && !destination.kind.isTemporary()
        && destination.acceptsConsumers();
  }

  void created(Destination destination) {
    watchers.removeIf(watcher -> watcher.consumer().closed);
    for (Watcher watcher : watchers) {
      subscribe(watcher.consumer(), watcher.consume(), destination);
    }
  }

  private void subscribe(Consumer consumer, Consume consume, Destination destination) {
    if (isCovered(destination) && Wildcard.matches(consume.destination(), destination.name)) {
      attach.accept(consumer, new Subscribe(consume, destination));
    }
  }
}
