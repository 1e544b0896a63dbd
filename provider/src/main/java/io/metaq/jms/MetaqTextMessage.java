package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.wire.MessageBlock;
import io.metaq.wire.WireException;
import io.metaq.wire.WireWriter;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.io.IOException;

/** A string; on the wire UTF-8, decoded when it is first asked for. */
public final class MetaqTextMessage extends MetaqMessage implements TextMessage {

  private String text;
  private boolean isNull = true;
  private boolean readOnly;

  MetaqTextMessage(MessageSettings settings) {
    super(settings);
  }

  @Override
  public void setText(String string) throws JMSException {
    if (readOnly) {
      throw MessageErrors.notWriteable();
    }
    text = string;
    isNull = string == null;
  }

  @Override
  public String getText() throws JMSException {
    if (text == null && !isNull) {
      text = decode(receivedBody());
    }
    return text;
  }

  private String decode(Body body) throws JMSException {
    try {
      byte[] bytes = body.toByteArray();
      return WireWriter.Text.decode(bytes, 0, bytes.length);
    } catch (IOException | WireException e) {
      throw MessageErrors.io("The text of " + this + " cannot be read", e);
    }
  }

  @Override
  int bodyType() {
    return MessageBlock.BODY_TEXT;
  }

  @Override
  boolean hasNullBody() {
    return isNull;
  }

  @Override
  Body encodeBody() {
    return text == null ? Body.EMPTY : Body.of(WireWriter.Text.encode(text));
  }

  @Override
  void bodyReceived(boolean isNull) {
    this.isNull = isNull;
    readOnly = true;
  }

  @Override
  void emptyBody() {
    text = null;
    isNull = true;
    readOnly = false;
  }

  @Override
  Object bodyValue() throws JMSException {
    return getText();
  }

  @Override
  boolean bodyFits(Class<?> type) {
    return isNull || type.isAssignableFrom(String.class);
  }
}
