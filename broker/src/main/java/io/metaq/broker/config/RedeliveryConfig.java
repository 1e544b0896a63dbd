package io.metaq.broker.config;

import java.time.Duration;
import java.util.Optional;

/**
 * When a message that was not acknowledged comes back, and when it stops coming back.
 *
 * @param delay before the first redelivery
 * @param multiplier factor from one delay to the next
 * @param maxDelay what no delay exceeds
 * @param jitter share of a delay by which it varies, 0 to 1
 * @param maxDeliveries deliveries in all before the message is dead; 0 or less for no limit
 * @param deadLetterQueue where dead messages go; empty to discard them
 */
public record RedeliveryConfig(
    Duration delay,
    double multiplier,
    Duration maxDelay,
    double jitter,
    int maxDeliveries,
    Optional<String> deadLetterQueue) {

  /** Whether a message can ever become dead. */
  public boolean limited() {
    return maxDeliveries > 0;
  }
}
