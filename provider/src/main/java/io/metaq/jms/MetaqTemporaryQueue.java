package io.metaq.jms;

import io.metaq.wire.DestinationKind;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryQueue;

/** A queue that lives as long as the connection it was created on. */
public final class MetaqTemporaryQueue extends MetaqQueue implements TemporaryQueue {

  private static final long serialVersionUID = 1L;

  private final transient TemporaryOwner owner;

  /** A temporary queue of the given name that its owner can delete. */
  public MetaqTemporaryQueue(String name, TemporaryOwner owner) {
    super(name, ConsumerOptions.NONE);
    this.owner = owner;
  }

  @Override
  public DestinationKind kind() {
    return DestinationKind.TEMPORARY_QUEUE;
  }

  @Override
  public void delete() throws JMSException {
    owner.delete(this);
  }

  /** Read from a stream it no longer belongs to a connection of this process. */
  private Object readResolve() {
    return new MetaqTemporaryQueue(name(), TemporaryOwner.ANOTHER_CONNECTION);
  }
}
