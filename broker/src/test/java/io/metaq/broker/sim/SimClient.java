package io.metaq.broker.sim;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Hello;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec;
import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.MessageFrames.Ack;
import io.metaq.wire.MessageFrames.AckConfirmed;
import io.metaq.wire.MessageFrames.Deliver;
import io.metaq.wire.MessageFrames.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A JMS connection as a client library would run it: logs in, reconnects under its identity,
 * repeats what was not confirmed. What it asks for is its actors' business. Frames are shown to the
 * model when they reach the socket and to the actors when the client gets round to reading them.
 */
final class SimClient {

  /** Something a client does with a connection. */
  interface Actor {
    /** The connection stands (again). */
    void connected();

    /** The connection is lost. */
    void lost();

    /** Does its next thing; false if it has nothing to do at present. */
    boolean act();
  }

  /** An actor that consumes. */
  interface Receiver {
    void observed(Deliver deliver);

    void delivered(Deliver deliver);

    void drained();
  }

  private record Waiting(Consumer<Frame> observed, Consumer<Frame> reaction) {}

  private record OneWayAck(List<Range> ranges, Runnable confirmed) {}

  private final SimNetwork network;
  private final Random random;
  private final UUID id;
  private final List<Actor> actors = new ArrayList<>();
  private final Map<Integer, Receiver> receivers = new HashMap<>();
  private final Map<Integer, Waiting> waiting = new HashMap<>();
  private final ArrayDeque<Runnable> inbox = new ArrayDeque<>();
  private final TreeMap<Long, OneWayAck> unconfirmed = new TreeMap<>();
  private long generation;
  private int socket;
  private int attempt;
  private int correlation;
  private long ackSequence;
  private boolean loggedIn;
  private boolean paused;

  SimClient(SimNetwork network, Random random, UUID id) {
    this.network = network;
    this.random = random;
    this.id = id;
  }

  UUID id() {
    return id;
  }

  void add(Actor actor) {
    actors.add(actor);
  }

  void receiver(int consumer, Receiver receiver) {
    receivers.put(consumer, receiver);
  }

  /** Of the broker that the client is connected to. */
  long generation() {
    return generation;
  }

  /** One step; false if there was nothing to do. */
  boolean act() {
    if (socket == 0) {
      connect();
      return true;
    }
    if (!inbox.isEmpty() && random.nextInt(4) != 0) {
      inbox.remove().run();
      return true;
    }
    if (!loggedIn || paused || actors.isEmpty()) {
      return false;
    }
    int first = random.nextInt(actors.size());
    for (int i = 0; i < actors.size(); i++) {
      if (actors.get((first + i) % actors.size()).act()) {
        return true;
      }
    }
    return false;
  }

  /** Reads everything that has come. */
  boolean read() {
    boolean any = !inbox.isEmpty();
    while (!inbox.isEmpty()) {
      inbox.remove().run();
    }
    return any;
  }

  private void connect() {
    socket = network.connect(this);
    Hello hello =
        new Hello(
            FrameCodec.PROTOCOL_VERSION, "simulator", id, attempt++, null, null, null, 30_000);
    ask(hello, answer -> {}, this::loggedIn);
  }

  private void loggedIn(Frame answer) {
    if (!(answer instanceof Welcome welcome)) {
      throw new Model.Broken("login was answered by " + answer);
    }
    generation = welcome.generation();
    loggedIn = true;
    unconfirmed.forEach((number, ack) -> tell(new Ack(number, 0, ack.ranges())));
    actors.forEach(Actor::connected);
  }

  void tell(Frame frame) {
    network.toBroker(socket, 0, frame);
  }

  /**
   * @param observed shown the answer when it reaches the socket
   * @param reaction run when the client reads it
   */
  void ask(Frame frame, Consumer<Frame> observed, Consumer<Frame> reaction) {
    int number = ++correlation;
    waiting.put(number, new Waiting(observed, reaction));
    network.toBroker(socket, number, frame);
  }

  /** Acknowledges without an answer; repeated after a reconnect until it is confirmed. */
  void acknowledge(List<Range> ranges, Runnable confirmed) {
    long number = ++ackSequence;
    unconfirmed.put(number, new OneWayAck(ranges, confirmed));
    tell(new Ack(number, 0, ranges));
  }

  /** For an acknowledgement that is answered. */
  long nextAck() {
    return ++ackSequence;
  }

  void receive(Envelope envelope) {
    Frame frame = envelope.frame();
    if (frame instanceof AckConfirmed confirmed) {
      Map<Long, OneWayAck> done = unconfirmed.headMap(confirmed.ackSequence(), true);
      done.values().forEach(ack -> ack.confirmed().run());
      int former = socket;
      inbox.add(() -> forget(former, confirmed.ackSequence()));
    } else if (frame instanceof Deliver deliver) {
      Receiver receiver = receivers.get(deliver.consumerId());
      if (receiver != null) {
        receiver.observed(deliver);
        inbox.add(() -> receiver.delivered(deliver));
      }
    } else if (frame instanceof io.metaq.wire.MessageFrames.Drained drained) {
      Receiver receiver = receivers.get(drained.consumerId());
      inbox.add(receiver::drained);
    } else if (envelope.correlation() != 0) {
      Waiting asked = waiting.remove(envelope.correlation());
      asked.observed().accept(frame);
      inbox.add(() -> asked.reaction().accept(frame));
    } else if (frame instanceof Failure failure) {
      throw new Model.Broken("the broker complains: " + failure);
    }
  }

  private void forget(int former, long upTo) {
    if (former == socket) {
      unconfirmed.headMap(upTo, true).clear();
    }
  }

  void pause(boolean now) {
    paused = now;
  }

  void refused(ErrorCode code, String why) {
    if (code != ErrorCode.CLOSING) {
      throw new Model.Broken("the broker closed a connection: " + code + " " + why);
    }
    lost();
  }

  /** Cuts the connection from this side. */
  void cut() {
    int former = socket;
    lost();
    if (former != 0) {
      network.cut(former);
    }
  }

  /** The connection is gone. What had come in but was not read is lost with it. */
  void lost() {
    socket = 0;
    loggedIn = false;
    paused = false;
    inbox.clear();
    waiting.clear();
    actors.forEach(Actor::lost);
  }
}
