package io.metaq.jms;

import io.metaq.wire.DestinationKind;
import jakarta.jms.Queue;

/** A queue by name. */
public class MetaqQueue extends MetaqDestination implements Queue {

  private static final long serialVersionUID = 1L;

  private final String name;
  private final ConsumerOptions options;

  /**
   * A queue of the given name, which must not be empty; whether it exists is not asked. Behind a
   * {@code ?} the name may have options for its consumers, {@code consumer.priority} and {@code
   * consumer.exclusive}.
   *
   * @throws IllegalArgumentException when there is no name, or listing the faults of the options
   */
  public MetaqQueue(String name) {
    this(name == null ? null : ConsumerOptions.name(name), options(name));
  }

  /** Of exactly this name. */
  MetaqQueue(String name, ConsumerOptions options) {
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("A queue needs a name");
    }
    this.name = name;
    this.options = options;
  }

  private static ConsumerOptions options(String name) {
    return name == null ? ConsumerOptions.NONE : ConsumerOptions.of(name);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  final ConsumerOptions consumerOptions() {
    return options;
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
