package io.metaq.jms;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.XASession;

/**
 * An XA session as a resource adapter drives it: besides XA branches it can run a local transaction
 * that the container demarcates, and it can take a message before the transaction that the message
 * will belong to has begun. Every {@code MetaqXASession} is one. Not thread-safe, like any session.
 */
public interface ManagedSession extends XASession {
  /** Whether sends and acknowledgements belong to an XA branch or a local transaction now. */
  boolean inTransaction();

  /**
   * Begins a local transaction: from here sends and acknowledgements of this session belong to it.
   *
   * @throws jakarta.jms.IllegalStateException if the session is in a local transaction or an XA
   *     branch already
   */
  void beginLocal() throws JMSException;

  /**
   * @throws jakarta.jms.TransactionRolledBackException if it is rolled back instead
   */
  void commitLocal() throws JMSException;

  void rollbackLocal() throws JMSException;

  /**
   * Whether the XA branch that this session worked for last was marked as failed or was rolled back
   * through its resource. A listener that failed quietly is told from one that succeeded by this.
   */
  boolean lastBranchFailed();

  /**
   * Waits for a message and takes it out of the consumer without acknowledging it and without
   * counting it as handed to the application. It must be settled or given back.
   *
   * @param timeoutMillis longest wait in milliseconds, above 0
   * @return null if none came in time, or the consumer was closed
   */
  Message take(MessageConsumer consumer, long timeoutMillis) throws JMSException;

  /**
   * The taken message is handed to the application now: it is counted, and inside an XA branch or
   * local transaction it is acknowledged as part of it. Outside of any, {@link #acknowledgeTaken}
   * follows after the application is done.
   */
  void handOver(Message taken) throws JMSException;

  /** Acknowledges a message that was handed over outside of any transaction. */
  void acknowledgeTaken(Message taken) throws JMSException;

  /**
   * Gives a taken message back, to come again in its place; it counts as delivered only if it was
   * handed over.
   */
  void giveBack(Message taken) throws JMSException;
}
