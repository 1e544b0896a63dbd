package io.metaq.broker.core;

import io.metaq.wire.RecordFormat;
import java.nio.ByteBuffer;

/**
 * How a message stands in the log of delayed ones: a MetaQ message whose attribute says when it is
 * due and for whom, and whose payload is the record that will enter its partition.
 */
final class DelayedRecord {
  private static final int ATTRIBUTE = 16;
  private static final int BEFORE_INNER = RecordFormat.HEADER_SIZE + 4 + ATTRIBUTE;

  private DelayedRecord() {}

  static ByteBuffer wrap(ByteBuffer inner, long messageId, long dueAt, long notFor) {
    int body = 4 + ATTRIBUTE + inner.remaining();
    ByteBuffer record = ByteBuffer.allocate(RecordFormat.HEADER_SIZE + body);
    record.putInt(body).putInt(0).putLong(messageId).putInt(RecordFormat.FLAG_ATTRIBUTE);
    record.putInt(ATTRIBUTE).putLong(dueAt).putLong(notFor).put(inner.duplicate()).flip();
    return record.putInt(4, RecordFormat.bodyChecksum(RecordFormat.body(record)));
  }

  static long dueAt(ByteBuffer record) {
    return record.getLong(record.position() + RecordFormat.HEADER_SIZE + 4);
  }

  static long notFor(ByteBuffer record) {
    return record.getLong(record.position() + RecordFormat.HEADER_SIZE + 12);
  }

  static ByteBuffer inner(ByteBuffer record) {
    return record.slice(record.position() + BEFORE_INNER, record.remaining() - BEFORE_INNER);
  }
}
