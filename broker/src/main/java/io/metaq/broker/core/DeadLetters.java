package io.metaq.broker.core;

import java.util.function.Consumer;

/**
 * Moves messages that failed too often, or whose time is over, to the queue that is configured for
 * them.
 */
final class DeadLetters {
  /** Whether there is anywhere to put it. */
  boolean takes(Delivery delivery) {
    return false;
  }

  /** Moves it; {@code otherwise} if it cannot be. */
  void bury(Delivery delivery, int count, Consumer<Delivery> otherwise) {
    otherwise.accept(delivery);
  }
}
