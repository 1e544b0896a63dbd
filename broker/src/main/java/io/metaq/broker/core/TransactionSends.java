package io.metaq.broker.core;

import io.metaq.broker.core.DestinationSettings.WhenFull;
import io.metaq.broker.core.Entry.Extent;
import io.metaq.broker.core.Entry.PreparedSend;
import io.metaq.broker.core.Entry.Share;
import io.metaq.wire.Content;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.MessageFrames.Send;
import io.metaq.wire.RecordFormat;
import io.metaq.wire.RecordFormat.LargeBody;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Messages of transactions: admitted when they come, so that a refusal reaches the one who sent
 * them, and given a place when the transaction commits.
 */
final class TransactionSends {
  private static final int MESSAGE_ID = 8;

  private final Destinations destinations;
  private final Sends sends;
  private final DelayedMessages delayed;
  private final Room room;
  private final IdClock ids;
  private final Moment moment;
  private final Bodies bodies;
  private final Spills spills;
  private final long spillBytes;
  private final long most;
  private long gathered;

  TransactionSends(
      Destinations destinations,
      Sends sends,
      DelayedMessages delayed,
      Room room,
      IdClock ids,
      Moment moment,
      Bodies bodies,
      Spills spills,
      long spillBytes,
      long most) {
    this.destinations = destinations;
    this.sends = sends;
    this.delayed = delayed;
    this.room = room;
    this.ids = ids;
    this.moment = moment;
    this.bodies = bodies;
    this.spills = spills;
    this.spillBytes = spillBytes;
    this.most = most;
  }

  /**
   * Adds a message to the work, on the clock from now on; false if it must wait for room. What is
   * not committed takes up no room, and what can only be rolled back waits for none.
   */
  boolean admit(Session session, Send send, TransactionWork work) {
    boolean large = send.uploadId() != 0;
    Destination destination =
        sends.checked(send, large ? LargeBody.decode(Content.of(send.content()).payload()) : null);
    boolean durable = !destination.kind.isTemporary();
    if (!room.admits(destination, durable, send.content().remaining())) {
      if (work.doom == null && destination.settings.limit().whenFull() == WhenFull.BLOCK) {
        return false;
      }
      throw new CoreException(ErrorCode.RESOURCE_LIMIT, room.full(destination));
    }
    long now = moment.now();
    ByteBuffer record =
        RecordView.unsealed(
            send.content(), 0, Sends.expiration(now, send.timeToLiveMillis()), now, large);
    if (large) {
      bodies.hold(Bodies.reference(record).fileId());
    }
    work.sends.add(
        new PreparedSend(
            destination.id,
            session.connection.id,
            session.id,
            send.sequence(),
            send.delayMillis() > 0 ? now + send.delayMillis() : 0,
            record));
    work.bytes += record.remaining();
    gathered += record.remaining();
    if (work.bytes > spillBytes || gathered > most) {
      spill(work);
    }
    return true;
  }

  /** It is rolled back: sends of it that wait for room are not made. */
  void withdraw(Session session, long transaction) {
    sends.withdraw(session, transaction);
  }

  private void spill(TransactionWork work) {
    spills.write(work, work.sends);
    work.sends.clear();
    gathered -= work.bytes;
    work.bytes = 0;
  }

  /**
   * Whether what a large transaction has spilled is durable; if not, {@code then} is run when it
   * is.
   */
  boolean isDurable(TransactionWork work, Runnable then) {
    if (work.spill != null && !work.sends.isEmpty()) {
      spill(work);
    }
    return spills.isDurable(work, then);
  }

  /** Throws the messages away. */
  void drop(TransactionWork work) {
    for (PreparedSend send : work.sends) {
      let(send);
    }
    work.sends.clear();
    gathered -= work.bytes;
    work.bytes = 0;
    spills.drop(work);
  }

  private void let(PreparedSend send) {
    if (RecordFormat.isLarge(send.record())) {
      bodies.release(Bodies.reference(send.record()).fileId());
    }
  }

  /** Why the messages can't be placed: a destination is gone; null if they can. */
  String obstacle(TransactionWork work) {
    for (PreparedSend send : work.sends) {
      if (destinations.byId(send.destinationId()) == null) {
        return deleted(send.destinationId());
      }
    }
    if (work.spill != null && work.spill.failure != null) {
      return work.spill.failure;
    }
    for (Extent extent : work.extents()) {
      for (Share share : extent.messages()) {
        if (destinations.byId(share.destinationId()) == null) {
          return deleted(share.destinationId());
        }
      }
    }
    return null;
  }

  private static String deleted(long destinationId) {
    return "a destination that the transaction sent to (id " + destinationId + ") was deleted";
  }

  /** A prepared branch needs its destinations. */
  void pin(TransactionWork work, int by) {
    for (PreparedSend send : work.sends) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination != null) {
        destination.pins += by;
      }
    }
    for (Extent extent : work.extents()) {
      for (Share share : extent.messages()) {
        Destination destination = destinations.byId(share.destinationId());
        if (destination != null) {
          destination.pins += by;
        }
      }
    }
  }

  /** The messages that a restart leaves. */
  List<PreparedSend> facts(TransactionWork work) {
    return work.sends.stream()
        .filter(
            send -> {
              Destination destination = destinations.byId(send.destinationId());
              return destination != null && !destination.kind.isTemporary();
            })
        .toList();
  }

  /** After a restart: takes the messages up again, bodies included. */
  void restore(List<PreparedSend> facts, List<Extent> extents, TransactionWork work) {
    spills.restore(work, extents);
    for (PreparedSend send : facts) {
      work.sends.add(send);
      work.bytes += send.record().remaining();
      gathered += send.record().remaining();
      if (RecordFormat.isLarge(send.record())) {
        bodies.hold(Bodies.reference(send.record()).fileId());
      }
    }
  }

  /**
   * Gives every message its place, one behind the other, in the order they were sent; those of a
   * large transaction later, by {@link Unspooler}.
   */
  void place(TransactionWork work, List<Entry> parts) {
    if (!work.extents().isEmpty()) {
      parts.add(new Entry.ExtentsCommitted(Unspooler.id(work.extents()), work.extents()));
      return;
    }
    place(work.sends, work.restored, parts);
  }

  /**
   * @param shared whether the records share memory with others
   */
  void place(List<PreparedSend> list, boolean shared, List<Entry> parts) {
    Placement placement = new Placement();
    long now = moment.now();
    for (PreparedSend send : list) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination == null || destination.kind.isTemporary()) {
        continue;
      }
      if (send.dueAt() > now) {
        parts.add(delayed.place(placement, destination, send));
      } else if (destination.isStoring()) {
        ByteBuffer record = identified(send, shared);
        Partition partition =
            Sends.partition(
                destination, send.producer(), send.session(), RecordFormat.body(record));
        parts.add(
            placement.place(
                destination,
                partition,
                send.producer(),
                send.session(),
                send.sendSequence(),
                0,
                record));
      }
    }
  }

  /** The complete record. What came from the journal shares its memory and is copied. */
  private ByteBuffer identified(PreparedSend send, boolean shared) {
    long id = ids.next(moment.now());
    if (shared) {
      return RecordView.restamp(send.record(), id);
    }
    ByteBuffer record = send.record();
    record.putLong(record.position() + MESSAGE_ID, id);
    return RecordFormat.seal(record);
  }

  /** After the entry: what lives in memory only goes out, and the work is empty. */
  void delivered(TransactionWork work) {
    deliver(work.sends, work.restored);
    trim(work.sends);
    drop(work);
  }

  /** The messages have their places: those that they push out of their destinations go. */
  void trim(List<PreparedSend> list) {
    for (PreparedSend send : list) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination != null) {
        room.trim(destination, !destination.kind.isTemporary());
      }
    }
  }

  /** What lives in memory only goes out. */
  void deliver(List<PreparedSend> list, boolean shared) {
    for (PreparedSend send : list) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination != null && destination.kind.isTemporary()) {
        ByteBuffer record = identified(send, shared);
        if (send.dueAt() > moment.now()) {
          delayed.remember(destination, record, send.dueAt());
        } else {
          sends.remember(destination, record, 0);
        }
      }
    }
  }
}
