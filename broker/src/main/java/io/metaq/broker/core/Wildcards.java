package io.metaq.broker.core;

/** Consumers of all topics that match a pattern, also future ones. */
final class Wildcards {
  void created(Destination destination) {
    // filled in with wildcard subscriptions
  }
}
