package io.metaq.jms;

import io.metaq.wire.DestinationKind;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.Topic;
import java.io.Serializable;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.StringRefAddr;

/**
 * A queue or topic: a name and a kind, nothing that needs a connection.
 *
 * <p>Immutable; can be bound in a naming service or serialized. Equal to any other of ours with the
 * same name that is a queue or topic like it, so that a temporary queue found by its name equals
 * the one that was created.
 */
public abstract class MetaqDestination implements Destination, Referenceable, Serializable {

  /** The address in a {@link Reference} that holds the name. */
  public static final String NAME_ADDRESS = "physicalName";

  private static final String OBJECT_FACTORY = "io.metaq.jndi.MetaqObjectFactory";

  private static final long serialVersionUID = 1L;

  /** For the destinations of this package, and for administered objects that add to them. */
  protected MetaqDestination() {}

  /** The destination's name in the broker. */
  public abstract String name();

  /** What its name said of consumers. */
  ConsumerOptions consumerOptions() {
    return ConsumerOptions.of(configured());
  }

  /**
   * The name as an administered object was told it: perhaps with options for consumers behind a
   * {@code ?}.
   */
  protected String configured() {
    return name();
  }

  /** The name, and behind a {@code ?} the options for consumers if it has any. */
  public final String nameWithOptions() {
    return name() + consumerOptions().text();
  }

  /** The name in what an administered object was told. */
  protected static String nameIn(String configured) {
    return ConsumerOptions.name(configured);
  }

  /**
   * @throws IllegalArgumentException listing the faults of the options behind the name
   */
  protected static void checkOptionsIn(String configured) {
    ConsumerOptions.of(configured);
  }

  /** Queue or topic, temporary or not. */
  public abstract DestinationKind kind();

  /**
   * Makes the destination of exactly this name. A temporary one cannot be deleted through it,
   * because it does not belong to a connection.
   */
  public static MetaqDestination of(DestinationKind kind, String name) {
    return switch (kind) {
      case QUEUE -> new MetaqQueue(name, ConsumerOptions.NONE);
      case TOPIC -> new MetaqTopic(name, ConsumerOptions.NONE);
      case TEMPORARY_QUEUE -> new MetaqTemporaryQueue(name, TemporaryOwner.ANOTHER_CONNECTION);
      case TEMPORARY_TOPIC -> new MetaqTemporaryTopic(name, TemporaryOwner.ANOTHER_CONNECTION);
    };
  }

  /**
   * Maps a destination of any provider by its kind and name, as a reply address is mapped.
   *
   * @throws InvalidDestinationException when it is null, neither queue nor topic, or has no name
   */
  public static MetaqDestination map(Destination destination) throws JMSException {
    if (destination instanceof MetaqDestination ours) {
      return ours;
    }
    // Some providers have one class for both; only one of the names is set then.
    if (destination instanceof Queue queue && isName(queue.getQueueName())) {
      boolean temporary = destination instanceof TemporaryQueue;
      return of(
          temporary ? DestinationKind.TEMPORARY_QUEUE : DestinationKind.QUEUE,
          queue.getQueueName());
    }
    if (destination instanceof Topic topic && isName(topic.getTopicName())) {
      boolean temporary = destination instanceof TemporaryTopic;
      return of(
          temporary ? DestinationKind.TEMPORARY_TOPIC : DestinationKind.TOPIC,
          topic.getTopicName());
    }
    throw new InvalidDestinationException(
        destination == null
            ? "The destination is null"
            : "A " + destination.getClass().getName() + " is no queue or topic with a name");
  }

  private static boolean isName(String name) {
    return name != null && !name.isEmpty();
  }

  @Override
  public Reference getReference() throws NamingException {
    if (kind().isTemporary()) {
      throw new NamingException(this + " is temporary and cannot be bound to a name");
    }
    StringRefAddr address = new StringRefAddr(NAME_ADDRESS, nameWithOptions());
    return new Reference(getClass().getName(), address, OBJECT_FACTORY, null);
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof MetaqDestination d
        && d.name().equals(name())
        && d.kind().isQueue() == kind().isQueue();
  }

  @Override
  public final int hashCode() {
    return name().hashCode() * 2 + (kind().isQueue() ? 1 : 0);
  }

  @Override
  public final String toString() {
    return (kind().isQueue() ? "queue://" : "topic://") + name();
  }
}
