package io.metaq.broker.core;

import io.metaq.broker.core.Consumer.Attachment;

/** Keeps messages of one group with one consumer. */
final class MessageGroups {
  boolean mayGet(Attachment candidate, Delivery next) {
    return true;
  }

  void left(Consumer consumer, Subscription subscription) {
    // filled in with groups
  }

  void delivered(Consumer consumer, Delivery delivery) {
    // filled in with groups
  }
}
