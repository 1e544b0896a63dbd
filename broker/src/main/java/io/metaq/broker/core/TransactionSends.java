package io.metaq.broker.core;

import io.metaq.broker.core.Entry.PreparedSend;
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
      long most) {
    this.destinations = destinations;
    this.sends = sends;
    this.delayed = delayed;
    this.room = room;
    this.ids = ids;
    this.moment = moment;
    this.bodies = bodies;
    this.most = most;
  }

  /** Adds a message to the work, on the clock from now on. */
  void admit(Session session, Send send, TransactionWork work) {
    boolean large = send.uploadId() != 0;
    Destination destination =
        sends.checked(send, large ? LargeBody.decode(Content.of(send.content()).payload()) : null);
    boolean durable = !destination.kind.isTemporary();
    if (!room.has(destination, durable, send.content().remaining())) {
      throw new CoreException(ErrorCode.RESOURCE_LIMIT, room.full(destination));
    }
    if (gathered + send.content().remaining() > most) {
      throw new CoreException(
          ErrorCode.RESOURCE_LIMIT,
          "open transactions hold "
              + gathered
              + " bytes of messages, as much as the broker's memory allows; commit more often");
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
  }

  /** Throws the messages away. */
  void drop(TransactionWork work) {
    for (PreparedSend send : work.sends) {
      let(send);
    }
    work.sends.clear();
    gathered -= work.bytes;
    work.bytes = 0;
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
        return "a destination that the transaction sent to (id "
            + send.destinationId()
            + ") was deleted";
      }
    }
    return null;
  }

  /** A prepared branch needs its destinations. */
  void pin(TransactionWork work, int by) {
    for (PreparedSend send : work.sends) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination != null) {
        destination.pins += by;
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
  void restore(List<PreparedSend> facts, TransactionWork work) {
    for (PreparedSend send : facts) {
      work.sends.add(send);
      work.bytes += send.record().remaining();
      gathered += send.record().remaining();
      if (RecordFormat.isLarge(send.record())) {
        bodies.hold(Bodies.reference(send.record()).fileId());
      }
    }
  }

  /** Gives every message its place, one behind the other, in the order they were sent. */
  void place(TransactionWork work, List<Entry> parts) {
    Placement placement = new Placement();
    long now = moment.now();
    for (PreparedSend send : work.sends) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination == null || destination.kind.isTemporary()) {
        continue;
      }
      if (send.dueAt() > now) {
        parts.add(delayed.place(placement, destination, send));
      } else if (destination.isStoring()) {
        ByteBuffer record = identified(work, send);
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
  private ByteBuffer identified(TransactionWork work, PreparedSend send) {
    long id = ids.next(moment.now());
    if (work.restored) {
      return RecordView.restamp(send.record(), id);
    }
    ByteBuffer record = send.record();
    record.putLong(record.position() + MESSAGE_ID, id);
    return RecordFormat.seal(record);
  }

  /** After the entry: what lives in memory only goes out, and the work is empty. */
  void delivered(TransactionWork work) {
    for (PreparedSend send : work.sends) {
      Destination destination = destinations.byId(send.destinationId());
      if (destination != null && destination.kind.isTemporary()) {
        ByteBuffer record = identified(work, send);
        if (send.dueAt() > moment.now()) {
          delayed.remember(destination, record, send.dueAt());
        } else {
          sends.remember(destination, record, 0);
        }
      }
    }
    drop(work);
  }
}
