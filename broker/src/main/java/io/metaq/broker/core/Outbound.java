package io.metaq.broker.core;

/** Decides for the dispatcher about messages that are not to go out, and about freed room. */
final class Outbound implements Dispatcher.Policy {
  private final DeadLetters deadLetters;
  private final Acknowledgements acknowledgements;
  private final Sends sends;

  Outbound(DeadLetters deadLetters, Acknowledgements acknowledgements, Sends sends) {
    this.deadLetters = deadLetters;
    this.acknowledgements = acknowledgements;
    this.sends = sends;
  }

  @Override
  public void expired(Delivery delivery) {
    Subscription subscription = delivery.subscription;
    Lane lane = subscription.destination.lane(delivery.lane);
    if (!deadLetters.buryExpired(subscription, lane, delivery.sequence)) {
      acknowledgements.done(subscription.id, delivery.lane, delivery.sequence);
    }
  }

  @Override
  public void room(Destination destination) {
    sends.room(destination);
  }
}
