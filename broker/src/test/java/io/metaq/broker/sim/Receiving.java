package io.metaq.broker.sim;

import io.metaq.broker.sim.Model.Fate;
import io.metaq.broker.sim.Model.Sub;
import io.metaq.broker.sim.Model.View;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Ok;
import io.metaq.wire.Content;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.Credit;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Handed;
import io.metaq.wire.MessageFrames.Range;
import io.metaq.wire.MessageFrames.Recover;
import io.metaq.wire.MessageFrames.Release;
import io.metaq.wire.SubscriptionFrames.CloseConsumer;
import io.metaq.wire.SubscriptionFrames.Consume;
import io.metaq.wire.SubscriptionFrames.Consuming;
import io.metaq.wire.SubscriptionFrames.SubscriptionKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A session with one consumer: receives, hands over, acknowledges in its mode, and now and then
 * changes its mind.
 */
final class Receiving implements SimClient.Actor, SimClient.Receiver {

  /** How messages are acknowledged. */
  enum Mode {
    AUTO,
    CLIENT
  }

  private final SimClient client;
  private final Random random;
  private final Model model;
  private final int session;
  private final SubscriptionKind kind;
  private final DestinationKind destinationKind;
  private final Sub sub;
  private final String subscription;
  private final Mode mode;
  private final boolean alone;
  private final int prefetch;
  private final ArrayDeque<Deliver> unseen = new ArrayDeque<>();
  private final List<Deliver> seen = new ArrayList<>();
  private View view;
  private int consumer;
  private boolean consuming;
  private boolean busy;

  /**
   * @param alone whether nobody else consumes the subscription, so that order can be told
   */
  Receiving(
      SimClient client,
      Random random,
      Model model,
      int session,
      SubscriptionKind kind,
      DestinationKind destinationKind,
      Sub sub,
      String subscription,
      Mode mode,
      boolean alone) {
    this.client = client;
    this.random = random;
    this.model = model;
    this.session = session;
    this.kind = kind;
    this.destinationKind = destinationKind;
    this.sub = sub;
    this.subscription = subscription;
    this.mode = mode;
    this.alone = alone;
    this.prefetch = 1 + random.nextInt(10);
    this.consumer = session * 1_000;
  }

  @Override
  public void connected() {
    open();
  }

  private void open() {
    busy = true;
    consumer++;
    client.receiver(consumer, this);
    view = new View(sub);
    Consume consume =
        new Consume(
            consumer,
            session,
            kind,
            destinationKind,
            sub.destination,
            subscription,
            null,
            false,
            false,
            0);
    client.ask(consume, this::opening, this::opened);
  }

  private void opening(Frame answer) {
    if (answer instanceof Consuming) {
      sub.exists = true;
    }
  }

  private void opened(Frame answer) {
    busy = false;
    if (answer instanceof Consuming) {
      consuming = true;
      client.tell(new Credit(consumer, prefetch, 1 << 20, false));
    } else if (!(answer instanceof Failure)) {
      throw new Model.Broken("creating a consumer was answered by " + answer);
    }
  }

  @Override
  public void lost() {
    unseen.clear();
    seen.clear();
    consuming = false;
    busy = false;
  }

  @Override
  public void observed(Deliver deliver) {
    if (deliver.consumerId() == consumer) {
      model.delivered(view, id(deliver), deliver.deliveryCount(), alone);
    }
  }

  @Override
  public void delivered(Deliver deliver) {
    if (deliver.consumerId() == consumer && consuming && !busy) {
      unseen.add(deliver);
    }
  }

  @Override
  public void drained() {
    throw new Model.Broken("nobody asked to drain");
  }

  static String id(Deliver deliver) {
    return Content.of(deliver.content()).block().messageId();
  }

  @Override
  public boolean act() {
    if (busy) {
      return false;
    }
    if (!consuming) {
      open();
      return true;
    }
    int dice = random.nextInt(100);
    if (dice < 2) {
      close();
    } else if (dice < 4) {
      recover();
    } else if (mode == Mode.CLIENT && !seen.isEmpty() && dice < 30) {
      acknowledgeAll();
    } else if (dice < 33 && !unseen.isEmpty()) {
      giveBack();
    } else if (!unseen.isEmpty()) {
      hand(unseen.remove());
    } else if (mode == Mode.CLIENT && !seen.isEmpty()) {
      acknowledgeAll();
    } else {
      return false;
    }
    return true;
  }

  /** The application gets the next message. */
  private void hand(Deliver deliver) {
    Fate fate = sub.fate(id(deliver));
    if (mode == Mode.AUTO) {
      fate.ackSent = true;
      client.acknowledge(List.of(range(deliver)), () -> fate.ackConfirmed = true);
      client.tell(new Credit(consumer, 1, deliver.content().remaining(), false));
    } else {
      seen.add(deliver);
      fate.handed = true;
      client.tell(new Handed(consumer, deliver.ordinal()));
      client.tell(new Credit(consumer, 1, deliver.content().remaining(), false));
    }
  }

  private static Range range(Deliver deliver) {
    return Range.of(deliver);
  }

  private void acknowledgeAll() {
    List<Fate> fates = seen.stream().map(deliver -> sub.fate(id(deliver))).toList();
    List<Range> ranges = seen.stream().map(Receiving::range).toList();
    fates.forEach(fate -> fate.ackSent = true);
    seen.clear();
    client.ask(
        new Ack(client.nextAck(), 0, ranges),
        answer -> {
          if (answer instanceof Ok) {
            fates.forEach(fate -> fate.ackConfirmed = true);
          }
        },
        answer -> {
          if (answer instanceof Failure failure) {
            throw new Model.Broken("an acknowledgement was answered by " + failure);
          }
        });
  }

  /** The next message is given back, seen or unseen. */
  private void giveBack() {
    Deliver deliver = unseen.remove();
    boolean counted = random.nextBoolean();
    Fate fate = sub.fate(id(deliver));
    fate.handed |= counted;
    view.here.remove(id(deliver));
    view.returned.add(id(deliver));
    client.tell(new Release(counted, List.of(range(deliver))));
    client.tell(new Credit(consumer, 1, deliver.content().remaining(), false));
  }

  private void recover() {
    busy = true;
    List<Range> handed = seen.stream().map(Receiving::range).toList();
    seen.clear();
    unseen.clear();
    client.ask(
        new Recover(session, handed),
        answer -> view = new View(sub),
        answer -> {
          busy = false;
          client.tell(new Credit(consumer, prefetch, 1 << 20, false));
        });
  }

  /** What was handed over and not acknowledged stays with the session: it is recovered first. */
  private void close() {
    busy = true;
    List<Range> handed = seen.stream().map(Receiving::range).toList();
    seen.clear();
    unseen.clear();
    consuming = false;
    client.ask(new Recover(session, handed), answer -> view = new View(sub), answer -> {});
    client.ask(new CloseConsumer(consumer, 0), answer -> {}, answer -> busy = false);
  }
}
