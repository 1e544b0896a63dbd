package io.metaq.jms;

import jakarta.jms.JMSException;

/**
 * What acknowledge() on a received message does; set by the session that received it.
 *
 * <p>Keeps messages free of sessions: a message stays readable when its session is gone.
 */
@FunctionalInterface
public interface AcknowledgeAction {

  /**
   * Acknowledges what the session's mode says.
   *
   * @throws jakarta.jms.IllegalStateException when the session is closed
   * @throws JMSException when the broker cannot be reached
   */
  void acknowledge() throws JMSException;
}
