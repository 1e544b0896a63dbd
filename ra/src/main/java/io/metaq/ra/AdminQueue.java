package io.metaq.ra;

import io.metaq.jms.MetaqDestination;
import io.metaq.wire.DestinationKind;
import jakarta.jms.Queue;
import jakarta.resource.spi.AdministeredObject;

/**
 * A queue as an administered object: a bean that the container fills in from its configuration and
 * binds to a name.
 */
@AdministeredObject(adminObjectInterfaces = Queue.class)
public final class AdminQueue extends MetaqDestination implements Queue {
  private static final long serialVersionUID = 1L;

  private String physicalName;

  /** Name of the queue on the broker, with the options for its consumers if it was given any. */
  public String getPhysicalName() {
    return physicalName;
  }

  /**
   * @param physicalName the name; behind a {@code ?} it may have options for consumers, {@code
   *     consumer.priority} and {@code consumer.exclusive}
   * @throws IllegalArgumentException listing the faults of the options
   */
  public void setPhysicalName(String physicalName) {
    if (physicalName != null) {
      checkOptionsIn(physicalName);
    }
    this.physicalName = physicalName;
  }

  /**
   * @throws IllegalStateException if the container was not told the name
   */
  @Override
  public String name() {
    if (physicalName == null || physicalName.isBlank()) {
      throw new IllegalStateException(
          "The property physicalName of this administered queue is not set");
    }
    return nameIn(physicalName);
  }

  @Override
  protected String configured() {
    return physicalName;
  }

  @Override
  public DestinationKind kind() {
    return DestinationKind.QUEUE;
  }

  @Override
  public String getQueueName() {
    return name();
  }
}
