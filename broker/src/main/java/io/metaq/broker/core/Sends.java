package io.metaq.broker.core;

import io.metaq.broker.core.DestinationSettings.Limit;
import io.metaq.broker.core.DestinationSettings.WhenFull;
import io.metaq.broker.core.Session.PendingSend;
import io.metaq.wire.Content;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.RecordFormat;
import io.metaq.wire.RecordFormat.LargeBody;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Accepts messages. A send that must wait, for its large body or for room, holds up the later ones
 * of its session and nobody else's.
 */
final class Sends {
  private final CoreSettings settings;
  private final Destinations destinations;
  private final Effects effects;
  private final Answers answers;
  private final Dispatcher dispatcher;
  private final IdClock ids;
  private final Moment moment;
  private final Timers timers;
  private final DelayedMessages delayed;
  private final Expiry expiry;
  private final Room room;
  private final Bodies bodies;
  private final Admission admission;
  private final LongMap<PendingSend> sealing = new LongMap<>();
  private final LongMap<Session> sealingSessions = new LongMap<>();
  private Recorder recorder;
  private TransactionSink transactions = TransactionSink.NONE;
  private long tokens;

  Sends(
      CoreSettings settings,
      Destinations destinations,
      Effects effects,
      Answers answers,
      Dispatcher dispatcher,
      IdClock ids,
      Moment moment,
      Timers timers,
      DelayedMessages delayed,
      Expiry expiry,
      Room room,
      Bodies bodies,
      Admission admission) {
    this.settings = settings;
    this.destinations = destinations;
    this.effects = effects;
    this.answers = answers;
    this.dispatcher = dispatcher;
    this.ids = ids;
    this.moment = moment;
    this.timers = timers;
    this.delayed = delayed;
    this.expiry = expiry;
    this.room = room;
    this.bodies = bodies;
    this.admission = admission;
  }

  void connect(Recorder entries, TransactionSink sink) {
    this.recorder = entries;
    this.transactions = sink;
  }

  void send(Session session, int correlation, Send send) {
    PendingSend waiting = new PendingSend(correlation, send);
    if (!session.pending.isEmpty()) {
      enqueue(session, waiting);
    } else if (send.uploadId() != 0) {
      enqueue(session, waiting);
      seal(session, waiting);
    } else if (!attempt(session, waiting)) {
      enqueue(session, waiting);
      block(session, waiting);
    }
  }

  private void enqueue(Session session, PendingSend waiting) {
    waiting.keep();
    session.pending.add(waiting);
    room.queued(session, waiting);
  }

  /** A session ends: what still waits was never accepted. */
  void sessionEnds(Session session) {
    withdraw(session, waiting -> true);
    session.afterSends.clear();
  }

  /** A transaction is rolled back: its sends that still wait are not made. */
  void withdraw(Session session, long transaction) {
    withdraw(session, waiting -> waiting.send.transaction() == transaction);
    resume(session);
  }

  private void withdraw(Session session, Predicate<PendingSend> which) {
    for (PendingSend waiting : session.pending.stream().filter(which).toList()) {
      if (waiting.deadline != 0) {
        Destination full = destinations.byId(waiting.send.destinationId());
        if (full != null) {
          full.blocked.remove(session);
        }
      }
      letGo(waiting);
      session.pending.remove(waiting);
      room.left(session, waiting);
    }
  }

  private void letGo(PendingSend waiting) {
    if (waiting.body != null) {
      effects.releaseBody(waiting.body.fileId());
    }
  }

  private void next(Session session) {
    room.left(session, session.pending.poll());
  }

  private void seal(Session session, PendingSend waiting) {
    long token = ++tokens;
    waiting.sealing = true;
    sealing.put(token, waiting);
    sealingSessions.put(token, session);
    effects.sealBody(session.connection.number, waiting.send.uploadId(), token);
  }

  /** The body store has forced a body, or could not. */
  void bodySealed(long token, LargeBody body, String failure) {
    PendingSend waiting = sealing.remove(token);
    Session session = sealingSessions.remove(token);
    if (waiting == null) {
      return;
    }
    waiting.sealing = false;
    if (session.pending.peek() != waiting) {
      if (body != null) {
        effects.releaseBody(body.fileId());
      }
      return;
    }
    if (body == null) {
      next(session);
      fail(session, waiting, ErrorCode.STORAGE, failure);
    } else {
      waiting.body = body;
    }
    resume(session);
  }

  private void fail(Session session, PendingSend waiting, ErrorCode code, String why) {
    letGo(waiting);
    if (waiting.send.transaction() != 0) {
      transactions.sendFailed(session, waiting.correlation, waiting.send.transaction(), why);
    }
    answers.failure(session.connection, waiting.correlation, code, why);
  }

  /** Goes on with the sends of a session that waited. */
  void resume(Session session) {
    PendingSend waiting;
    while ((waiting = session.pending.peek()) != null && !waiting.sealing && !waiting.blocked()) {
      if (waiting.send.uploadId() != 0 && waiting.body == null) {
        seal(session, waiting);
        return;
      }
      if (!attempt(session, waiting)) {
        block(session, waiting);
        return;
      }
      next(session);
    }
    while (session.pending.isEmpty() && !session.afterSends.isEmpty()) {
      session.afterSends.poll().run();
    }
  }

  /**
   * There is room in a destination, or it is gone: those who wait for it try again, first come
   * first served.
   */
  void room(Destination destination) {
    Session session;
    while ((session = destination.blocked.peek()) != null) {
      if (!attempt(session, session.pending.element())) {
        return;
      }
      destination.blocked.poll();
      next(session);
      resume(session);
    }
  }

  /** The destination is full: the sender waits for a bounded time. */
  private void block(Session session, PendingSend waiting) {
    Destination destination = destinations.byId(waiting.send.destinationId());
    waiting.deadline = moment.now() + destination.settings.limit().blockMillis();
    destination.blocked.add(session);
    timers.at(
        waiting.deadline,
        () -> {
          if (session.pending.peek() == waiting) {
            next(session);
            destination.blocked.remove(session);
            fail(
                session,
                waiting,
                ErrorCode.RESOURCE_LIMIT,
                room.full(destination)
                    + " and stayed so for "
                    + destination.settings.limit().blockMillis()
                    + " ms");
            resume(session);
          }
        });
  }

  /** Whether the send was answered, one way or the other; false if it must wait for room. */
  private boolean attempt(Session session, PendingSend waiting) {
    try {
      return accept(session, waiting.correlation, waiting.send, waiting.body);
    } catch (CoreException refused) {
      letGo(waiting);
      answers.failure(session.connection, waiting.correlation, refused);
      return true;
    }
  }

  private boolean accept(Session session, int correlation, Send send, LargeBody body) {
    if (send.transaction() != 0) {
      return transactions.send(
          session, correlation, body == null ? send : withReference(send, body));
    }
    Connection connection = session.connection;
    if (session.producer.hasSeen(send.sequence())) {
      answers.ok(connection, correlation);
      return true;
    }
    if (send.sequence() <= connection.forgottenUpTo) {
      throw new CoreException(
          ErrorCode.OUTCOME_UNKNOWN,
          "send "
              + send.sequence()
              + " of session "
              + session.id
              + " may have been stored more than ten minutes ago");
    }
    Destination destination = checked(send, body);
    ByteBuffer content = body == null ? send.content() : withReference(send, body).content();
    Content view = Content.of(content);
    boolean durable = view.persistent() && !destination.kind.isTemporary();
    if (!room.has(destination, durable, content.remaining())) {
      if (destination.settings.limit().whenFull() == WhenFull.FAIL) {
        throw new CoreException(ErrorCode.RESOURCE_LIMIT, room.full(destination));
      }
      return false;
    }
    if (durable) {
      admission.check(
          destination, partition(destination, session.connection.id, session.id, content));
    }
    session.producer.take(send.sequence());
    if (send.delayMillis() > 0) {
      delayed.accept(session, send, destination, content, durable, body != null);
    } else {
      store(session, send, destination, content, durable, body != null);
    }
    if (durable) {
      answers.ok(connection, correlation);
    } else {
      answers.okNow(connection, correlation);
    }
    return true;
  }

  /** The send's destination, if the send is one it may take at all. */
  Destination checked(Send send, LargeBody body) {
    Destination destination = destinations.byId(send.destinationId());
    if (destination == null) {
      throw new CoreException(
          ErrorCode.STALE,
          "the destination with id "
              + send.destinationId()
              + " no longer exists; look it up again");
    }
    destination.checkPublish();
    if (send.transaction() != 0 || Content.of(send.content()).persistent()) {
      admission.checkStorage(destination);
    }
    Limit limit = destination.settings.limit();
    long most =
        limit.maxMessageSize() > 0
            ? Math.min(limit.maxMessageSize(), settings.maxMessageSize())
            : settings.maxMessageSize();
    long size = send.content().remaining() + (body == null ? 0 : body.length());
    if (size > most) {
      throw new CoreException(
          ErrorCode.RESOURCE_LIMIT,
          "a message of " + size + " bytes exceeds the limit of " + most + " for " + destination);
    }
    return destination;
  }

  private void store(
      Session session,
      Send send,
      Destination destination,
      ByteBuffer content,
      boolean durable,
      boolean large) {
    long now = moment.now();
    long expiration = expiration(now, send.timeToLiveMillis());
    if (!durable) {
      ByteBuffer record = RecordView.make(content, ids.next(now), expiration, now, large);
      remember(destination, record, 0);
      return;
    }
    if (!destination.isStoring()) {
      if (large) {
        effects.releaseBody(Bodies.reference(RecordView.make(content, 0, 0, now, true)).fileId());
      }
      return;
    }
    ByteBuffer record = RecordView.make(content, ids.next(now), expiration, now, large);
    Partition partition = partition(destination, session.connection.id, session.id, content);
    recorder.record(
        Placement.single(
            destination, partition, session.connection.id, session.id, send.sequence(), record),
        destination.isForceDue());
  }

  /**
   * Puts a message into the in-memory lane.
   *
   * @param notFor subscriptions with this id or a higher one don't get it; 0 = all do
   */
  void remember(Destination destination, ByteBuffer record, long notFor) {
    int needed = 0;
    for (Subscription subscription : destination.subscriptions) {
      needed += notFor == 0 || subscription.id < notFor ? 1 : 0;
    }
    if (RecordFormat.isLarge(record)) {
      bodies.hold(Bodies.reference(record).fileId());
    }
    if (needed == 0) {
      bodies.releaseBody(record);
      return;
    }
    long sequence = destination.memory.add(record, needed);
    expiry.add(destination, destination.memory, sequence, record);
    for (Subscription subscription : destination.subscriptions) {
      if (notFor == 0 || subscription.id < notFor) {
        dispatcher.arrived(subscription);
      } else {
        subscription.lane(destination.memory.number).acked.add(sequence, sequence);
      }
    }
  }

  static long expiration(long now, long timeToLive) {
    long at = now + timeToLive;
    return timeToLive <= 0 || at < 0 ? 0 : at;
  }

  /** A session sticks to one partition; messages of a group to that of the group. */
  static Partition partition(
      Destination destination, UUID connection, int session, ByteBuffer content) {
    int count = destination.partitions.length;
    if (count == 1) {
      return destination.partitions[0];
    }
    String group = Content.of(content).groupId();
    int hash = group != null ? group.hashCode() : connection.hashCode() * 31 + session;
    return destination.partitions[Math.floorMod(hash ^ hash >>> 16, count)];
  }

  /** The content with the reference to its body where the payload would stand. */
  private static Send withReference(Send send, LargeBody body) {
    WireWriter out = new WireWriter(send.content().remaining() + LargeBody.SIZE);
    Content view = Content.of(send.content());
    out.raw(send.content().slice(send.content().position(), 4 + view.attributeLength()));
    body.encode(out);
    return new Send(
        send.sessionId(),
        send.sequence(),
        send.destinationId(),
        send.transaction(),
        send.timeToLiveMillis(),
        send.delayMillis(),
        send.uploadId(),
        out.written());
  }
}
