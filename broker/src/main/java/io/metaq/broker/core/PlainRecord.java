package io.metaq.broker.core;

import io.metaq.wire.Content;
import io.metaq.wire.DestinationKind;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.RecordFormat;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;

/**
 * A record without a JMS block, as MetaQ's own clients write it, and the JMS message that it is to
 * a JMS client: persistent, of default priority, with its payload as bytes and its attribute as a
 * property.
 */
final class PlainRecord {
  /** Property that holds MetaQ's attribute; missing where the message has none. */
  static final String ATTRIBUTE = "JMS_MetaQ_Attribute";

  private static final UUID NOBODY = new UUID(0, 0);

  private PlainRecord() {}

  /** The record itself if it is a JMS one, else one that says the same. */
  static ByteBuffer toJms(ByteBuffer record, DestinationKind kind, String destination) {
    if (RecordFormat.isJms(record)) {
      return record;
    }
    ByteBuffer payload = RecordFormat.body(record);
    Map<String, Object> properties = Map.of();
    if ((RecordFormat.flag(record) & RecordFormat.FLAG_ATTRIBUTE) != 0) {
      ByteBuffer attribute = payload.slice(4, payload.getInt(0));
      payload =
          payload.slice(4 + attribute.remaining(), payload.remaining() - 4 - attribute.remaining());
      properties = Map.of(ATTRIBUTE, StandardCharsets.UTF_8.decode(attribute).toString());
    }
    long id = RecordView.messageId(record);
    long time = IdClock.timeOf(id);
    MessageBlock block =
        new MessageBlock(
            MessageBlock.BODY_BYTES,
            MessageBlock.FLAG_PERSISTENT,
            PriorityIndex.DEFAULT,
            time,
            0,
            time,
            0,
            time,
            payload.remaining(),
            NOBODY,
            null,
            null,
            0,
            null,
            "ID:" + HexFormat.of().toHexDigits(id),
            kind,
            destination,
            null,
            null,
            null,
            properties);
    return RecordFormat.jmsRecord(Content.build(block, payload), id, false);
  }
}
