package io.metaq.broker.core;

import io.metaq.wire.DestinationKind;
import io.metaq.wire.TransactionFrames.WireXid;
import io.metaq.wire.WireException;
import io.metaq.wire.WireReader;
import io.metaq.wire.WireWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * Entries as the journal stores them: a kind byte and the fields in order. Its level stands in the
 * directory's format file.
 */
public final class EntryCodec {
  private static final int GROUP = 1;
  private static final int DESTINATION_CREATED = 2;
  private static final int DESTINATION_DELETED = 3;
  private static final int SUBSCRIPTION_CREATED = 4;
  private static final int SUBSCRIPTION_DELETED = 5;
  private static final int APPENDED = 6;
  private static final int DUE = 7;
  private static final int ACKED = 8;
  private static final int COUNTED = 9;
  private static final int DISPATCHED = 10;
  private static final int SEGMENTS_DROPPED = 11;
  private static final int PRODUCERS_FORGOTTEN = 12;
  private static final int PATTERN_CREATED = 13;
  private static final int PATTERN_DELETED = 14;
  private static final int TRANSACTION_COMMITTED = 16;
  private static final int BRANCH_PREPARED = 17;
  private static final int BRANCH_COMPLETED = 18;
  private static final int BRANCH_FORGOTTEN = 19;
  private static final int CHUNK = 20;
  private static final int CHUNK_END = 21;
  private static final int EXTENTS_COMMITTED = 22;
  private static final int EXTENTS_PLACED = 23;

  /** Fewest bytes of a subscription: ids, flags, lengths. */
  private static final int LEAST_SUBSCRIPTION = 30;

  private EntryCodec() {}

  public static void encode(Entry entry, WireWriter out) {
    if (entry instanceof Entry.Appended appended) {
      encode(appended, out);
    } else if (entry instanceof Entry.Acked acked) {
      out.u8(ACKED).i64(acked.destinationId()).i64(acked.subscriptionId()).i32(acked.lane());
      out.i64(acked.first()).i64(acked.last());
    } else if (entry instanceof Entry.Dispatched dispatched) {
      out.u8(DISPATCHED).i64(dispatched.destinationId()).i64(dispatched.subscriptionId());
      out.i32(dispatched.lane()).i64(dispatched.upTo());
    } else if (entry instanceof Entry.Group group) {
      out.u8(GROUP);
      encode(group.parts(), out);
    } else if (entry instanceof Entry.Counted counted) {
      out.u8(COUNTED)
          .i64(counted.destinationId())
          .i64(counted.subscriptionId())
          .i32(counted.lane());
      out.i64(counted.sequence()).i32(counted.count()).i64(counted.notBefore());
    } else if (entry instanceof Entry.Due due) {
      out.u8(DUE).i64(due.destinationId()).i64(due.sequence());
    } else if (entry instanceof Entry.SegmentsDropped dropped) {
      out.u8(SEGMENTS_DROPPED)
          .i64(dropped.destinationId())
          .i32(dropped.partition())
          .i64(dropped.first());
    } else if (entry instanceof Entry.ProducersForgotten forgotten) {
      out.u8(PRODUCERS_FORGOTTEN).i32(forgotten.producers().size());
      forgotten.producers().forEach(out::uuid);
    } else {
      encodeRare(entry, out);
    }
  }

  private static void encodeRare(Entry entry, WireWriter out) {
    if (entry instanceof Entry.DestinationCreated created) {
      out.u8(DESTINATION_CREATED).i64(created.destinationId()).u8(created.kind().ordinal());
      out.string(created.name())
          .i64(created.queueSubscriptionId())
          .i32(created.partitions().size());
      created.partitions().forEach(position -> out.i64(position.sequence()).i64(position.offset()));
      out.i32(created.subscriptions().size());
      created.subscriptions().forEach(subscription -> encode(subscription, out));
    } else if (entry instanceof Entry.DestinationDeleted deleted) {
      out.u8(DESTINATION_DELETED).i64(deleted.destinationId());
    } else if (entry instanceof Entry.SubscriptionCreated created) {
      out.u8(SUBSCRIPTION_CREATED);
      encode(created, out);
    } else if (entry instanceof Entry.SubscriptionDeleted deleted) {
      out.u8(SUBSCRIPTION_DELETED).i64(deleted.destinationId()).i64(deleted.subscriptionId());
    } else if (entry instanceof Entry.PatternCreated created) {
      out.u8(PATTERN_CREATED).i64(created.patternId()).string(created.clientId());
      out.string(created.name()).string(created.pattern()).bool(created.shared());
      out.string(created.selector()).bool(created.noLocal());
    } else if (entry instanceof Entry.PatternDeleted deleted) {
      out.u8(PATTERN_DELETED).i64(deleted.patternId());
    } else if (entry instanceof Entry.TransactionCommitted committed) {
      out.u8(TRANSACTION_COMMITTED).uuid(committed.connectionId()).i32(committed.session());
      out.i64(committed.transaction());
      encode(committed.parts(), out);
    } else if (entry instanceof Entry.BranchPrepared prepared) {
      encode(prepared, out);
    } else if (entry instanceof Entry.BranchCompleted completed) {
      out.u8(BRANCH_COMPLETED);
      xid(completed.xid(), out);
      out.i64(completed.handle()).bool(completed.committed()).bool(completed.heuristic());
      encode(completed.parts(), out);
    } else if (entry instanceof Entry.BranchForgotten forgotten) {
      out.u8(BRANCH_FORGOTTEN);
      xid(forgotten.xid(), out);
      out.i64(forgotten.handle());
    } else if (entry instanceof Entry.ExtentsCommitted committed) {
      out.u8(EXTENTS_COMMITTED).i64(committed.id());
      encodeExtents(committed.extents(), out);
    } else if (entry instanceof Entry.ExtentsPlaced placed) {
      out.u8(EXTENTS_PLACED).i64(placed.id()).i32(placed.extent()).i64(placed.offset());
    } else if (entry instanceof Entry.Chunk chunk) {
      out.u8(CHUNK).i32(chunk.number());
      encode(chunk.parts(), out);
    } else if (entry instanceof Entry.ChunkEnd end) {
      out.u8(CHUNK_END).i32(end.pieces());
      encode(end.last(), out);
    } else {
      throw new IllegalArgumentException("no encoding for " + entry.getClass().getName());
    }
  }

  private static void encode(List<? extends Entry> entries, WireWriter out) {
    out.i32(entries.size());
    entries.forEach(entry -> encode(entry, out));
  }

  private static void encode(Entry.SubscriptionCreated created, WireWriter out) {
    out.i64(created.destinationId()).i64(created.subscriptionId()).i64(created.patternId());
    out.bool(created.shared()).string(created.clientId()).string(created.name());
    out.string(created.selector()).bool(created.noLocal()).i32(created.from().size());
    created.from().forEach(out::i64);
  }

  private static Entry.SubscriptionCreated subscription(WireReader in) {
    return new Entry.SubscriptionCreated(
        in.i64(),
        in.i64(),
        in.i64(),
        in.bool(),
        in.string(),
        in.text(),
        in.string(),
        in.bool(),
        in.list(8, WireReader::i64));
  }

  private static void encode(Entry.Appended appended, WireWriter out) {
    out.u8(APPENDED)
        .i64(appended.destinationId())
        .i32(appended.partition())
        .i64(appended.sequence());
    out.i64(appended.offset()).bool(appended.newSegment());
    producer(appended.producer(), out);
    out.i32(appended.session())
        .i64(appended.sendSequence())
        .i64(appended.notFor())
        .buffer(appended.record());
  }

  private static void encode(Entry.BranchPrepared prepared, WireWriter out) {
    out.u8(BRANCH_PREPARED);
    xid(prepared.xid(), out);
    out.i64(prepared.handle())
        .i64(prepared.at())
        .string(prepared.client())
        .i32(prepared.sends().size());
    prepared.sends().forEach(send -> encode(send, out));
    out.i32(prepared.held().size());
    for (Entry.Held held : prepared.held()) {
      out.i64(held.destinationId()).i64(held.subscriptionId()).i32(held.lane());
      out.i64(held.sequence()).u8(held.priority()).i64(held.messageId()).i32(held.size());
    }
    encodeExtents(prepared.extents(), out);
  }

  static void encode(Entry.PreparedSend send, WireWriter out) {
    out.i64(send.destinationId());
    producer(send.producer(), out);
    out.i32(send.session()).i64(send.sendSequence()).i64(send.dueAt()).buffer(send.record());
  }

  static Entry.PreparedSend decodeSend(WireReader in) {
    return new Entry.PreparedSend(
        in.i64(), producer(in), in.i32(), in.i64(), in.i64(), in.buffer());
  }

  static void encodeExtents(List<Entry.Extent> extents, WireWriter out) {
    out.i32(extents.size());
    for (Entry.Extent extent : extents) {
      out.i64(extent.fileId()).i64(extent.length()).i32(extent.messages().size());
      extent.messages().forEach(share -> out.i64(share.destinationId()).i32(share.messages()));
      out.i32(extent.bodies().size());
      extent.bodies().forEach(out::i64);
    }
  }

  static List<Entry.Extent> decodeExtents(WireReader in) {
    return in.list(
        24,
        extent ->
            new Entry.Extent(
                extent.i64(),
                extent.i64(),
                extent.list(12, share -> new Entry.Share(share.i64(), share.i32())),
                extent.list(8, WireReader::i64)));
  }

  private static void producer(UUID producer, WireWriter out) {
    out.bool(producer != null);
    if (producer != null) {
      out.uuid(producer);
    }
  }

  private static UUID producer(WireReader in) {
    return in.bool() ? in.uuid() : null;
  }

  private static void xid(WireXid xid, WireWriter out) {
    out.i32(xid.formatId()).bytes(xid.globalId()).bytes(xid.branchQualifier());
  }

  private static WireXid xid(WireReader in) {
    return new WireXid(in.i32(), in.bytes(), in.bytes());
  }

  /**
   * Decodes one entry. A record inside shares the buffer's memory.
   *
   * @throws WireException if the bytes are no entry
   */
  public static Entry decode(ByteBuffer bytes) {
    return decode(new WireReader(bytes));
  }

  private static Entry decode(WireReader in) {
    int kind = in.u8();
    return switch (kind) {
      case GROUP -> new Entry.Group(entries(in));
      case DESTINATION_CREATED ->
          new Entry.DestinationCreated(
              in.i64(),
              DestinationKind.of(in.u8()),
              in.text(),
              in.i64(),
              in.list(16, position -> new Entry.Position(position.i64(), position.i64())),
              in.list(LEAST_SUBSCRIPTION, EntryCodec::subscription));
      case DESTINATION_DELETED -> new Entry.DestinationDeleted(in.i64());
      case SUBSCRIPTION_CREATED -> subscription(in);
      case SUBSCRIPTION_DELETED -> new Entry.SubscriptionDeleted(in.i64(), in.i64());
      case PATTERN_CREATED ->
          new Entry.PatternCreated(
              in.i64(), in.string(), in.text(), in.text(), in.bool(), in.string(), in.bool());
      case PATTERN_DELETED -> new Entry.PatternDeleted(in.i64());
      case APPENDED ->
          new Entry.Appended(
              in.i64(),
              in.i32(),
              in.i64(),
              in.i64(),
              in.bool(),
              producer(in),
              in.i32(),
              in.i64(),
              in.i64(),
              in.buffer());
      case DUE -> new Entry.Due(in.i64(), in.i64());
      case ACKED -> new Entry.Acked(in.i64(), in.i64(), in.i32(), in.i64(), in.i64());
      case COUNTED -> new Entry.Counted(in.i64(), in.i64(), in.i32(), in.i64(), in.i32(), in.i64());
      case DISPATCHED -> new Entry.Dispatched(in.i64(), in.i64(), in.i32(), in.i64());
      case SEGMENTS_DROPPED -> new Entry.SegmentsDropped(in.i64(), in.i32(), in.i64());
      case PRODUCERS_FORGOTTEN -> new Entry.ProducersForgotten(in.list(16, WireReader::uuid));
      case TRANSACTION_COMMITTED ->
          new Entry.TransactionCommitted(in.uuid(), in.i32(), in.i64(), entries(in));
      case BRANCH_PREPARED -> prepared(in);
      case BRANCH_COMPLETED ->
          new Entry.BranchCompleted(xid(in), in.i64(), in.bool(), in.bool(), entries(in));
      case BRANCH_FORGOTTEN -> new Entry.BranchForgotten(xid(in), in.i64());
      case CHUNK -> new Entry.Chunk(in.i32(), entries(in));
      case EXTENTS_COMMITTED -> new Entry.ExtentsCommitted(in.i64(), decodeExtents(in));
      case EXTENTS_PLACED -> new Entry.ExtentsPlaced(in.i64(), in.i32(), in.i64());
      case CHUNK_END -> new Entry.ChunkEnd(in.i32(), decode(in));
      default -> throw new WireException("unknown kind of journal entry " + kind);
    };
  }

  private static List<Entry> entries(WireReader in) {
    return in.list(1, EntryCodec::decode);
  }

  private static Entry prepared(WireReader in) {
    WireXid xid = xid(in);
    long handle = in.i64();
    long at = in.i64();
    String client = in.string();
    List<Entry.PreparedSend> sends = in.list(33, EntryCodec::decodeSend);
    List<Entry.Held> held =
        in.list(
            41,
            one ->
                new Entry.Held(
                    one.i64(), one.i64(), one.i32(), one.i64(), one.u8(), one.i64(), one.i32()));
    return new Entry.BranchPrepared(xid, handle, at, client, sends, held, decodeExtents(in));
  }
}
