package io.metaq.broker.core;

import io.metaq.wire.Content;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.RecordFormat;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;

/**
 * What dispatch needs of a record, read in place and without an object of its own. A record that is
 * no JMS message (put by a MetaQ client) has the default priority and never expires.
 */
final class RecordView {
  /** Where JMSXGroupID stands in a JMS record: behind the fields of fixed places. */
  static final int GROUP_ID = RecordFormat.HEADER_SIZE + Content.BLOCK + 68;

  private RecordView() {}

  static int priority(ByteBuffer record) {
    return RecordFormat.isJms(record)
        ? Math.min(PriorityIndex.HIGHEST, content(record).priority())
        : PriorityIndex.DEFAULT;
  }

  static long messageId(ByteBuffer record) {
    return RecordFormat.messageId(record);
  }

  static long expiration(ByteBuffer record) {
    return RecordFormat.isJms(record) ? content(record).brokerExpiration() : 0;
  }

  static UUID publisher(ByteBuffer record) {
    return RecordFormat.isJms(record) ? content(record).publisher() : null;
  }

  /** Slot of its message group, or -1 if it belongs to none. */
  static int groupSlot(ByteBuffer record) {
    if (!RecordFormat.isJms(record)) {
      return -1;
    }
    int at = record.position() + GROUP_ID;
    int length = record.getInt(at);
    return length < 0 ? -1 : MessageGroups.slot(record, at + 4, length);
  }

  /** Whether it ends the message group that it belongs to: its JMSXGroupSeq is -1. */
  static boolean closesGroup(ByteBuffer record) {
    int at = record.position() + GROUP_ID;
    return record.getInt(at + 4 + record.getInt(at)) == -1;
  }

  static Content content(ByteBuffer record) {
    return Content.of(RecordFormat.body(record));
  }

  /** Makes the record of an accepted message: one copy of its content, stamped and sealed. */
  static ByteBuffer make(
      ByteBuffer content, long messageId, long brokerExpiration, long acceptedAt, boolean large) {
    return RecordFormat.seal(unsealed(content, messageId, brokerExpiration, acceptedAt, large));
  }

  /** The same without its checksums, for a message that gets its id later. */
  static ByteBuffer unsealed(
      ByteBuffer content, long messageId, long brokerExpiration, long acceptedAt, boolean large) {
    int length = content.remaining();
    ByteBuffer record = ByteBuffer.allocate(RecordFormat.HEADER_SIZE + length);
    record.putInt(length).putInt(0).putLong(messageId);
    record.putInt(
        RecordFormat.FLAG_ATTRIBUTE
            | RecordFormat.FLAG_JMS
            | (large ? RecordFormat.FLAG_LARGE_BODY : 0));
    record.put(content.duplicate()).flip();
    content(record).stamp(brokerExpiration, acceptedAt);
    BlockCheck.check(record);
    return record;
  }

  /** A copy that is accepted under another id: ids grow along every lane. */
  static ByteBuffer restamp(ByteBuffer record, long messageId) {
    ByteBuffer copy = ByteBuffer.allocate(record.remaining());
    copy.put(record.duplicate()).flip();
    copy.putLong(8, messageId);
    if (RecordFormat.isJms(copy)) {
      RecordFormat.seal(copy);
    }
    return copy;
  }

  /** The block with other properties and no expiration. */
  static MessageBlock with(MessageBlock block, Map<String, Object> properties) {
    return new MessageBlock(
        block.bodyType(),
        block.flags(),
        block.priority(),
        block.timestamp(),
        0,
        block.deliveryTime(),
        0,
        block.acceptedAt(),
        block.bodyLength(),
        block.publisher(),
        block.publisherClientId(),
        block.groupId(),
        block.groupSequence(),
        block.correlationId(),
        block.messageId(),
        block.destinationKind(),
        block.destination(),
        block.replyToKind(),
        block.replyTo(),
        block.type(),
        properties);
  }
}
