package io.metaq.broker.core;

import io.metaq.wire.DestinationKind;
import io.metaq.wire.TransactionFrames.WireXid;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * A durable change of the core's state, as a fact: whatever was decided when it was made
 * (positions, segment rolls, due times, settings in force) stands in it, so that applying it needs
 * nothing else. {@link EntryCodec} turns it into bytes.
 */
public sealed interface Entry {

  /** All or nothing. */
  record Group(List<Entry> parts) implements Entry {
    public Group {
      parts = List.copyOf(parts);
    }
  }

  /**
   * A destination begins. Its partitions continue at the given positions, behind those of a former
   * incarnation of the same name.
   *
   * @param queueSubscriptionId the subscription that a queue is created with, 0 for a topic
   * @param subscriptions those that durable subscriptions on matching patterns have on a topic from
   *     its start
   */
  record DestinationCreated(
      long destinationId,
      DestinationKind kind,
      String name,
      long queueSubscriptionId,
      List<Position> partitions,
      List<SubscriptionCreated> subscriptions)
      implements Entry {
    public DestinationCreated {
      partitions = List.copyOf(partitions);
      subscriptions = List.copyOf(subscriptions);
    }
  }

  /** Where a partition goes on: next sequence and next byte offset. */
  record Position(long sequence, long offset) {}

  /** A destination ends, with its subscriptions and all it holds. */
  record DestinationDeleted(long destinationId) implements Entry {}

  /**
   * A durable subscription begins. {@code clientId} is null for none, {@code selector} null for
   * none.
   *
   * @param patternId the durable subscription on a pattern of which it is the part on this topic, 0
   *     for none
   * @param from per partition, the first sequence it is to get
   */
  record SubscriptionCreated(
      long destinationId,
      long subscriptionId,
      long patternId,
      boolean shared,
      String clientId,
      String name,
      String selector,
      boolean noLocal,
      List<Long> from)
      implements Entry {
    public SubscriptionCreated {
      from = List.copyOf(from);
    }
  }

  record SubscriptionDeleted(long destinationId, long subscriptionId) implements Entry {}

  /**
   * A durable subscription on all topics that match a pattern begins: in a group with its parts on
   * those that there are. {@code clientId} and {@code selector} are null for none.
   */
  record PatternCreated(
      long patternId,
      String clientId,
      String name,
      String pattern,
      boolean shared,
      String selector,
      boolean noLocal)
      implements Entry {}

  /** It ends: in a group with its parts. */
  record PatternDeleted(long patternId) implements Entry {}

  /**
   * A message stands in a partition log. Partition {@link Partition#DELAYED} holds the messages
   * that are not yet due.
   *
   * @param offset absolute byte offset of the record
   * @param newSegment whether a new segment begins with it
   * @param producer the sending JMS connection, null if none
   * @param session the sending session of that connection
   * @param sendSequence the number of this send in its session, by which a resend is known
   * @param notFor subscriptions with this id or a higher one began after it was sent and don't get
   *     it; 0 = all get it
   * @param record the whole record, header included
   */
  record Appended(
      long destinationId,
      int partition,
      long sequence,
      long offset,
      boolean newSegment,
      UUID producer,
      int session,
      long sendSequence,
      long notFor,
      ByteBuffer record)
      implements Entry {
    @Override
    public String toString() {
      return "Appended["
          + destinationId
          + "/"
          + partition
          + " sequence "
          + sequence
          + " offset "
          + offset
          + (newSegment ? " new segment" : "")
          + " "
          + record.remaining()
          + " bytes]";
    }
  }

  /**
   * A delayed message is due and has left the partition of delayed ones: in a group with its own
   * {@link Appended}.
   */
  record Due(long destinationId, long sequence) implements Entry {}

  /** Sequences of a lane are done with for a subscription; both ends included. */
  record Acked(long destinationId, long subscriptionId, int lane, long first, long last)
      implements Entry {}

  /**
   * A message was handed to an application {@code count} times and came back, to come again not
   * before the given time. With the time -1 it is out once more, which counts after an unclean end.
   */
  record Counted(
      long destinationId, long subscriptionId, int lane, long sequence, int count, long notBefore)
      implements Entry {}

  /**
   * Messages below {@code upTo} may have been dispatched: after an unclean end, those of them that
   * are not acknowledged may have been seen. 0 after an orderly stop, which counted what was seen.
   */
  record Dispatched(long destinationId, long subscriptionId, int lane, long upTo)
      implements Entry {}

  /** Segments that lie wholly below {@code first} are no longer needed. */
  record SegmentsDropped(long destinationId, int partition, long first) implements Entry {}

  /** The sends of these JMS connections can no longer be told from resends. */
  record ProducersForgotten(List<UUID> producers) implements Entry {
    public ProducersForgotten {
      producers = List.copyOf(producers);
    }
  }

  /** A local transaction is committed; the outcome is remembered, the parts are its effects. */
  record TransactionCommitted(UUID connectionId, int session, long transaction, List<Entry> parts)
      implements Entry {
    public TransactionCommitted {
      parts = List.copyOf(parts);
    }
  }

  /**
   * A message that a transaction will send: everything but its place.
   *
   * @param dueAt 0 = at once
   * @param record the record without message id and checksums
   */
  record PreparedSend(
      long destinationId,
      UUID producer,
      int session,
      long sendSequence,
      long dueAt,
      ByteBuffer record) {}

  /** A message that a prepared branch acknowledges, with what its place in the dispatch needs. */
  record Held(
      long destinationId,
      long subscriptionId,
      int lane,
      long sequence,
      int priority,
      long messageId,
      int size) {}

  /** How many messages of an extent go to a destination. */
  record Share(long destinationId, int messages) {}

  /**
   * A durable file of the body store with messages of a transaction, in order; see {@link
   * SpillPiece}.
   *
   * @param bodies large bodies that its messages name
   */
  record Extent(long fileId, long length, List<Share> messages, List<Long> bodies) {
    public Extent {
      messages = List.copyOf(messages);
      bodies = List.copyOf(bodies);
    }
  }

  /**
   * A branch is prepared: what it sends and what it holds. A large one names its messages by
   * extents.
   */
  record BranchPrepared(
      WireXid xid,
      long handle,
      long at,
      String client,
      List<PreparedSend> sends,
      List<Held> held,
      List<Extent> extents)
      implements Entry {
    public BranchPrepared {
      sends = List.copyOf(sends);
      held = List.copyOf(held);
      extents = List.copyOf(extents);
    }
  }

  /**
   * Part of the commit of a large transaction: its messages are sent, and get their places one
   * after the other from here on.
   *
   * @param id the file of its first extent
   */
  record ExtentsCommitted(long id, List<Extent> extents) implements Entry {
    public ExtentsCommitted {
      extents = List.copyOf(extents);
    }
  }

  /**
   * In a group with the messages themselves: those of committed extents have their places up to
   * here.
   *
   * @param extent the number of the next extent to read, from 0; as many as there are: done
   * @param offset where in it the next piece begins
   */
  record ExtentsPlaced(long id, int extent, long offset) implements Entry {}

  /**
   * A branch is over; {@code heuristic} when an operator decided, to be remembered until forgotten.
   */
  record BranchCompleted(
      WireXid xid, long handle, boolean committed, boolean heuristic, List<Entry> parts)
      implements Entry {
    public BranchCompleted {
      parts = List.copyOf(parts);
    }
  }

  /** A heuristic decision is forgotten. */
  record BranchForgotten(WireXid xid, long handle) implements Entry {}

  /**
   * A piece of an entry that is too large for one; does nothing by itself.
   *
   * @param number from 0: a first piece makes those before it void, since their end never came
   */
  record Chunk(int number, List<Entry> parts) implements Entry {
    public Chunk {
      parts = List.copyOf(parts);
    }
  }

  /** The end of a large entry, which counts only with it: {@code pieces} stand before it. */
  record ChunkEnd(int pieces, Entry last) implements Entry {}
}
