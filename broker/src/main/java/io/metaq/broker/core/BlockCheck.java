package io.metaq.broker.core;

import io.metaq.wire.DestinationKind;
import io.metaq.wire.RecordFormat;
import io.metaq.wire.WireException;
import java.nio.ByteBuffer;

/**
 * Checks the form of a message block before it is accepted, by walking over its lengths without
 * decoding anything: what stands in a log is read again and again, and must never fail there.
 */
final class BlockCheck {
  private static final int SIZE_OF_COUNT = 4;
  private static final int LAST_KIND = DestinationKind.TEMPORARY_TOPIC.ordinal();
  private static final int NO_KIND = 255;

  private final ByteBuffer record;
  private final int end;
  private int at;

  private BlockCheck(ByteBuffer record) {
    this.record = record;
    int content = record.position() + RecordFormat.HEADER_SIZE;
    this.end = content + SIZE_OF_COUNT + record.getInt(content);
    this.at = record.position() + RecordView.GROUP_ID;
  }

  /**
   * Checks a JMS record whose content {@link io.metaq.wire.Content#of} accepts.
   *
   * @throws WireException if its block is malformed
   */
  static void check(ByteBuffer record) {
    new BlockCheck(record).walk();
  }

  private void walk() {
    string(true);
    skip(SIZE_OF_COUNT);
    string(true);
    string(true);
    string(true);
    kind(false);
    string(false);
    kind(true);
    string(true);
    string(true);
    int properties = count();
    for (int i = 0; i < properties; i++) {
      string(false);
      value();
    }
  }

  private void skip(int bytes) {
    if (bytes < 0 || bytes > end - at) {
      throw new WireException("message block ends in the middle of a field");
    }
    at += bytes;
  }

  private int count() {
    int start = at;
    skip(SIZE_OF_COUNT);
    return record.getInt(start);
  }

  private void string(boolean nullable) {
    int length = count();
    if (length >= 0) {
      skip(length);
    } else if (length != -1 || !nullable) {
      throw new WireException("message block with a text of length " + length);
    }
  }

  private void kind(boolean nullable) {
    int start = at;
    skip(1);
    int kind = record.get(start) & 0xff;
    if (kind > LAST_KIND && !(nullable && kind == NO_KIND)) {
      throw new WireException("message block with unknown destination kind " + kind);
    }
  }

  private void value() {
    int start = at;
    skip(1);
    int type = record.get(start);
    switch (type) {
      case 0 -> skip(0);
      case 1, 2 -> skip(1);
      case 3, 9 -> skip(2);
      case 4, 6 -> skip(4);
      case 5, 7 -> skip(8);
      case 8 -> string(false);
      case 10 -> string(true);
      default -> throw new WireException("message block with unknown value type " + type);
    }
  }
}
