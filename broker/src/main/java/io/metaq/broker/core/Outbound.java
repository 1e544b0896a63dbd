package io.metaq.broker.core;

import io.metaq.wire.MessageFrames.Range;
import java.util.List;

/** Decides for the dispatcher about messages that are not to go out, and about freed room. */
final class Outbound implements Dispatcher.Policy {
  private final Acknowledgements acknowledgements;
  private final Sends sends;

  Outbound(Acknowledgements acknowledgements, Sends sends) {
    this.acknowledgements = acknowledgements;
    this.sends = sends;
  }

  @Override
  public void expired(Delivery delivery) {
    acknowledgements.acknowledge(
        List.of(
            new Range(
                delivery.subscription.id, delivery.lane, delivery.sequence, delivery.sequence)),
        false);
  }

  @Override
  public void room(Destination destination) {
    sends.room(destination);
  }
}
