package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.body.BodyCodec;
import io.metaq.body.BodyStorage;
import io.metaq.wire.Content;
import io.metaq.wire.MessageBlock;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.util.UUID;

/** Sends a message through the wire format and receives it, without a broker. */
final class Wire {

  static final UUID PUBLISHER = new UUID(1, 2);

  private Wire() {}

  static MessageFactory factory() {
    return new MessageFactory(MessageSettings.defaults());
  }

  static MessageFactory factory(int memoryLimit, int compressAbove) {
    return factory(memoryLimit, compressAbove, BodyCodec.DEFLATE);
  }

  static MessageFactory factory(int memoryLimit, int compressAbove, BodyCodec codec) {
    return new MessageFactory(
        new MessageSettings(
            new BodyStorage(null, memoryLimit),
            DeserializationPolicy.closed(),
            compressAbove,
            codec));
  }

  static OutgoingMessage send(MetaqMessage message) throws JMSException {
    if (message.getJMSDestination() == null) {
      message.setJMSDestination(new MetaqQueue("orders"));
    }
    return message.snapshotForSend(PUBLISHER, "client");
  }

  @SuppressWarnings("unchecked")
  static <M extends MetaqMessage> M receive(OutgoingMessage sent, int deliveryCount) {
    try {
      Content content = Content.of(Content.build(sent.block(), sent.payload().toBuffer()));
      MessageBlock block = content.block();
      return (M) factory().received(block, Body.of(content.payload()), deliveryCount);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Sends and receives for the first time. */
  static <M extends MetaqMessage> M roundTrip(M message) throws JMSException {
    return receive(send(message), 1);
  }
}
