package io.metaq.broker.config;

/** What happens to a send that would pass a destination's limit. */
public enum LimitPolicy {
  /** The sender waits until there is room. */
  BLOCK,
  /** The send fails at once. */
  FAIL,
  /** The oldest message makes room. */
  DROP_OLDEST
}
