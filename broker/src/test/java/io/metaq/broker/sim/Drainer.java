package io.metaq.broker.sim;

import io.metaq.broker.sim.Model.Sub;
import io.metaq.broker.sim.Model.View;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.util.HashSet;
import java.util.Set;

/** Takes everything that a subscription still holds, at the end of a simulation. */
final class Drainer implements SimClient.Actor, SimClient.Receiver {
  private static final int CONSUMER = 1;

  private final SimClient client;
  private final Model model;
  private final Sub sub;
  private final SubscriptionKind kind;
  private final DestinationKind destinationKind;
  private final String subscription;
  private final View view;
  private final Set<String> drained = new HashSet<>();
  private boolean done;

  Drainer(
      SimClient client,
      Model model,
      Sub sub,
      SubscriptionKind kind,
      DestinationKind destinationKind,
      String subscription) {
    this.client = client;
    this.model = model;
    this.sub = sub;
    this.kind = kind;
    this.destinationKind = destinationKind;
    this.subscription = subscription;
    this.view = new View(sub);
  }

  @Override
  public void connected() {
    client.receiver(CONSUMER, this);
    Consume consume =
        new Consume(
            CONSUMER,
            1,
            kind,
            destinationKind,
            sub.destination,
            subscription,
            null,
            false,
            false,
            0);
    client.ask(
        consume,
        answer -> {},
        answer -> {
          if (answer instanceof Failure failure) {
            throw new Model.Broken("draining " + sub.name + " was refused: " + failure);
          }
          client.tell(new Credit(CONSUMER, 1_000_000, 1 << 30, true));
        });
  }

  @Override
  public void observed(Deliver deliver) {
    String id = Receiving.id(deliver);
    model.delivered(view, id, deliver.deliveryCount(), true);
    drained.add(id);
  }

  @Override
  public void delivered(Deliver deliver) {
    // counted when it came
  }

  @Override
  public void drained() {
    done = true;
  }

  boolean isDone() {
    return done;
  }

  Set<String> messages() {
    return drained;
  }

  @Override
  public void lost() {
    if (!done) {
      throw new Model.Broken("the drainer of " + sub.name + " lost its connection");
    }
  }

  @Override
  public boolean act() {
    return false;
  }
}
