package io.metaq.jms;

import io.metaq.wire.DestinationKind;
import jakarta.jms.Topic;

/** A topic by name. */
public class MetaqTopic extends MetaqDestination implements Topic {

  private static final long serialVersionUID = 1L;

  private final String name;

  /** A topic of the given name, which must not be empty; whether it exists is not asked. */
  public MetaqTopic(String name) {
    if (name == null || name.isEmpty()) {
      throw new IllegalArgumentException("A topic needs a name");
    }
    this.name = name;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public DestinationKind kind() {
    return DestinationKind.TOPIC;
  }

  @Override
  public String getTopicName() {
    return name;
  }
}
