package io.metaq.broker.store;

/** What a start does when it finds damage that no power cut explains. */
public enum RecoveryMode {
  /** Stop with an error that says what is damaged; change nothing. The default. */
  STRICT,

  /**
   * Keep what stands before the damage, copy the rest into the directory {@code quarantine}, report
   * it, and go on.
   */
  QUARANTINE
}
