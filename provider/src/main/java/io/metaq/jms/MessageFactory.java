package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.WireException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.io.Serializable;

/** Makes all messages of a connection: new ones, delivered ones, and copies of foreign ones. */
public final class MessageFactory {

  private final MessageSettings settings;

  /** Messages made by this factory share the settings. */
  public MessageFactory(MessageSettings settings) {
    this.settings = settings;
  }

  public MetaqMessage createMessage() {
    return new MetaqMessage(settings);
  }

  public MetaqTextMessage createTextMessage() {
    return new MetaqTextMessage(settings);
  }

  /** A text message with a text, which may be null. */
  public MetaqTextMessage createTextMessage(String text) throws JMSException {
    MetaqTextMessage message = createTextMessage();
    message.setText(text);
    return message;
  }

  public MetaqBytesMessage createBytesMessage() {
    return new MetaqBytesMessage(settings);
  }

  public MetaqMapMessage createMapMessage() {
    return new MetaqMapMessage(settings);
  }

  public MetaqStreamMessage createStreamMessage() {
    return new MetaqStreamMessage(settings);
  }

  public MetaqObjectMessage createObjectMessage() {
    return new MetaqObjectMessage(settings);
  }

  /** An object message with an object, which may be null. */
  public MetaqObjectMessage createObjectMessage(Serializable object) throws JMSException {
    MetaqObjectMessage message = createObjectMessage();
    message.setObject(object);
    return message;
  }

  /**
   * Makes the message object of a delivery, read-only, without decoding the body.
   *
   * @param block headers and properties as they arrived
   * @param payload the body as it arrived, possibly compressed; must not change afterwards
   * @param deliveryCount 1 for the first delivery
   * @throws WireException when the block names a kind of body that does not exist
   */
  public MetaqMessage received(MessageBlock block, Body payload, int deliveryCount) {
    MetaqMessage message =
        switch (block.bodyType()) {
          case MessageBlock.BODY_NONE -> createMessage();
          case MessageBlock.BODY_TEXT -> createTextMessage();
          case MessageBlock.BODY_BYTES -> createBytesMessage();
          case MessageBlock.BODY_MAP -> createMapMessage();
          case MessageBlock.BODY_STREAM -> createStreamMessage();
          case MessageBlock.BODY_OBJECT -> createObjectMessage();
          default -> throw new WireException("unknown kind of body " + block.bodyType());
        };
    message.receive(block, payload, deliveryCount);
    return message;
  }

  /**
   * The message itself if it is one of ours, else a copy of it to send.
   *
   * @throws jakarta.jms.MessageFormatException when the message is null
   * @throws JMSException when the foreign message cannot be read
   */
  public MetaqMessage toMetaq(Message message) throws JMSException {
    return message instanceof MetaqMessage ours
        ? ours
        : new ForeignMessageCopier(this).copy(message);
  }
}
