package io.metaq.broker.config;

import java.time.Duration;

/**
 * When a send receipt waits for a force.
 *
 * @param unflushThreshold 0 or less: every receipt waits (group commit); else that of every so
 *     many-th message
 * @param unflushInterval longest time a message stays unforced when receipts do not wait
 */
public record FlushConfig(int unflushThreshold, Duration unflushInterval) {

  /** Whether every receipt waits for the force that covers it. */
  public boolean groupCommit() {
    return unflushThreshold <= 0;
  }
}
