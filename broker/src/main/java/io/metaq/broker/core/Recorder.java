package io.metaq.broker.core;

/**
 * Makes a durable change: the entry goes to the journal and is applied at once, so that the next
 * command sees it.
 */
interface Recorder {
  /** With {@code force}, answers sent from now on wait until it is committed. */
  void record(Entry entry, boolean force);
}
