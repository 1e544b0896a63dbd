package io.metaq.jms;

import jakarta.jms.JMSException;

/**
 * What a temporary destination belongs to: its connection, which alone can delete it.
 *
 * <p>An interface so that destinations know nothing of connections.
 */
@FunctionalInterface
public interface TemporaryOwner {

  /** The owner of a destination that came in a message: some connection that is not ours. */
  TemporaryOwner ANOTHER_CONNECTION =
      destination -> {
        throw new JMSException(
            destination + " can only be deleted through the connection that created it");
      };

  /**
   * Deletes the destination.
   *
   * @throws JMSException when it has consumers, or the connection is lost
   */
  void delete(MetaqDestination destination) throws JMSException;
}
