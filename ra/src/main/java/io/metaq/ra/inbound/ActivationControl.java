package io.metaq.ra.inbound;

/** What an operator sees and does over JMX with a message-driven bean's activation. */
public interface ActivationControl {
  /** Kind and name of what the bean consumes. */
  String getDestination();

  /** Whether delivery rests, after failures in a row or by an operator. */
  boolean isPaused();

  /** Failed deliveries in a row by now. */
  int getFailures();

  /** Stops handing messages to the bean until {@link #resume}; the current ones are finished. */
  void pause();

  /** Goes on at once. */
  void resume();
}
