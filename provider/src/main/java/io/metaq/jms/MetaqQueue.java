package io.metaq.jms;

import io.metaq.wire.DestinationKind;
import jakarta.jms.Queue;

/** A queue by name. */
public class MetaqQueue extends MetaqDestination implements Queue {

  private static final long serialVersionUID = 1L;

  private final String name;

  /** A queue of the given name, which must not be empty; whether it exists is not asked. */
  public MetaqQueue(String name) {
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("A queue needs a name");
    }
    this.name = name;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public DestinationKind kind() {
    return DestinationKind.QUEUE;
  }

  @Override
  public String getQueueName() {
    return name;
  }
}
