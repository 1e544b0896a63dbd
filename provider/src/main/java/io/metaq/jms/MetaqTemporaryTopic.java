package io.metaq.jms;

import io.metaq.wire.DestinationKind;
import jakarta.jms.JMSException;
import jakarta.jms.TemporaryTopic;

/** A topic that lives as long as the connection it was created on. */
public final class MetaqTemporaryTopic extends MetaqTopic implements TemporaryTopic {

  private static final long serialVersionUID = 1L;

  private final transient TemporaryOwner owner;

  /** A temporary topic of the given name that its owner can delete. */
  public MetaqTemporaryTopic(String name, TemporaryOwner owner) {
    super(name, ConsumerOptions.NONE);
    this.owner = owner;
  }

  @Override
  public DestinationKind kind() {
    return DestinationKind.TEMPORARY_TOPIC;
  }

  @Override
  public void delete() throws JMSException {
    owner.delete(this);
  }

  /** Read from a stream it no longer belongs to a connection of this process. */
  private Object readResolve() {
    return new MetaqTemporaryTopic(name(), TemporaryOwner.ANOTHER_CONNECTION);
  }
}
