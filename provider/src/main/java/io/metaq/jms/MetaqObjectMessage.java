package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.body.BodyBuffer;
import io.metaq.wire.MessageBlock;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/**
 * A serialized Java object.
 *
 * <p>Serialized when it is set and deserialized only when the application asks for it, each time
 * anew, under the connection's {@link DeserializationPolicy}; forwarding, browsing or printing the
 * message never does.
 */
public final class MetaqObjectMessage extends MetaqMessage implements ObjectMessage {

  /** The object as it was set; null where there is none, or it came with the message. */
  private Body written;

  private boolean isNull = true;
  private boolean readOnly;

  MetaqObjectMessage(MessageSettings settings) {
    super(settings);
  }

  @Override
  public void setObject(Serializable object) throws JMSException {
    if (readOnly) {
      throw MessageErrors.notWriteable();
    }
    if (object == null) {
      written = null;
      isNull = true;
      return;
    }
    BodyBuffer buffer = settings().storage().newBuffer();
    try (ObjectOutputStream out = new ObjectOutputStream(buffer)) {
      out.writeObject(object);
      out.flush();
      written = buffer.snapshot();
      isNull = false;
    } catch (IOException e) {
      throw MessageErrors.format(
          "A " + object.getClass().getName() + " cannot be serialized for a message", e);
    }
  }

  /**
   * Deserializes the object.
   *
   * @throws MessageFormatException when it cannot be deserialized or its class is not allowed
   */
  @Override
  public Serializable getObject() throws JMSException {
    if (isNull) {
      return null;
    }
    Body body = written != null ? written : receivedBody();
    try (FilteredObjectInputStream in = open(body)) {
      return read(in);
    } catch (IOException e) {
      throw unreadable("", e);
    }
  }

  private FilteredObjectInputStream open(Body body) throws IOException {
    return new FilteredObjectInputStream(
        new BufferedInputStream(body.toStream()), settings().deserialization(), body.length());
  }

  /** Hostile bytes may raise about anything out of the readObject methods of allowed classes. */
  private Serializable read(FilteredObjectInputStream in) throws JMSException {
    try {
      return (Serializable) in.readObject();
    } catch (IOException | ClassNotFoundException | RuntimeException e) {
      throw unreadable(in.refusal(), e);
    } catch (LinkageError | StackOverflowError e) {
      throw unreadable(in.refusal(), new IOException(e.toString(), e));
    }
  }

  private MessageFormatException unreadable(String why, Exception cause) {
    return MessageErrors.format(
        "The object of "
            + this
            + " cannot be deserialized"
            + why
            + "; if its classes are to be"
            + " trusted, add them to the connection factory's list of allowed classes",
        cause);
  }

  @Override
  public <T> T getBody(Class<T> c) throws JMSException {
    Object object = getObject();
    if (object != null && !c.isInstance(object)) {
      throw new MessageFormatException("The body of " + this + " is not a " + c.getName());
    }
    return c.cast(object);
  }

  @Override
  int bodyType() {
    return MessageBlock.BODY_OBJECT;
  }

  @Override
  boolean hasNullBody() {
    return isNull;
  }

  @Override
  Body encodeBody() {
    return isNull ? Body.EMPTY : written;
  }

  @Override
  void bodyReceived(boolean isNull) {
    this.isNull = isNull;
    readOnly = true;
  }

  @Override
  void emptyBody() {
    written = null;
    isNull = true;
    readOnly = false;
  }

  @Override
  boolean bodyFits(Class<?> type) {
    if (isNull) {
      return true;
    }
    try {
      return type.isInstance(getObject());
    } catch (JMSException e) {
      System.getLogger(MetaqObjectMessage.class.getName())
          .log(System.Logger.Level.DEBUG, "The body is assignable to nothing", e);
      return false;
    }
  }
}
