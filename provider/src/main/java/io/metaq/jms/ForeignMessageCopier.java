package io.metaq.jms;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.util.Enumeration;

/**
 * Copies messages of other implementations, through the interfaces only (Jakarta Messaging 3.1,
 * section 3.12), and hands the header fields of a send back to them.
 */
public final class ForeignMessageCopier {

  private static final int CHUNK = 1 << 14;

  private final MessageFactory factory;

  ForeignMessageCopier(MessageFactory factory) {
    this.factory = factory;
  }

  MetaqMessage copy(Message foreign) throws JMSException {
    if (foreign == null) {
      throw new MessageFormatException("The message to send is null");
    }
    MetaqMessage copy = copyBody(foreign);
    copyCorrelationId(foreign, copy);
    copy.setJMSReplyTo(foreign.getJMSReplyTo());
    copy.setJMSType(foreign.getJMSType());
    Enumeration<?> names = foreign.getPropertyNames();
    while (names.hasMoreElements()) {
      String name = (String) names.nextElement();
      if (!PropertyNames.staysBehind(name)) {
        copy.setObjectProperty(name, foreign.getObjectProperty(name));
      }
    }
    return copy;
  }

  private static void copyCorrelationId(Message foreign, MetaqMessage copy) throws JMSException {
    copy.setJMSCorrelationID(foreign.getJMSCorrelationID());
    if (copy.getJMSCorrelationID() == null) {
      try {
        copy.setJMSCorrelationIDAsBytes(foreign.getJMSCorrelationIDAsBytes());
      } catch (UnsupportedOperationException noBytes) {
        // A provider without native correlation ids may refuse; there is none to copy then.
        copy.setJMSCorrelationID(null);
      }
    }
  }

  private MetaqMessage copyBody(Message foreign) throws JMSException {
    if (foreign instanceof TextMessage text) {
      return factory.createTextMessage(text.getText());
    }
    if (foreign instanceof BytesMessage bytes) {
      return copyBytes(bytes);
    }
    if (foreign instanceof MapMessage map) {
      return copyMap(map);
    }
    if (foreign instanceof StreamMessage stream) {
      return copyStream(stream);
    }
    if (foreign instanceof ObjectMessage object) {
      return factory.createObjectMessage(object.getObject());
    }
    return factory.createMessage();
  }

  private MetaqMessage copyBytes(BytesMessage foreign) throws JMSException {
    MetaqBytesMessage copy = factory.createBytesMessage();
    foreign.reset();
    byte[] chunk = new byte[CHUNK];
    for (int n = foreign.readBytes(chunk); n > 0; n = foreign.readBytes(chunk)) {
      copy.writeBytes(chunk, 0, n);
    }
    return copy;
  }

  private MetaqMessage copyMap(MapMessage foreign) throws JMSException {
    MetaqMapMessage copy = factory.createMapMessage();
    Enumeration<?> names = foreign.getMapNames();
    while (names.hasMoreElements()) {
      String name = (String) names.nextElement();
      copy.setObject(name, foreign.getObject(name));
    }
    return copy;
  }

  private MetaqMessage copyStream(StreamMessage foreign) throws JMSException {
    MetaqStreamMessage copy = factory.createStreamMessage();
    foreign.reset();
    while (true) {
      Object field;
      try {
        field = foreign.readObject();
      } catch (MessageEOFException endOfStream) {
        return copy;
      }
      copy.writeObject(field);
    }
  }

  /**
   * Sets on a foreign message what sending its copy has set (Jakarta Messaging 3.1, section
   * 3.4.11); does nothing where the message was sent itself.
   *
   * @param sent the copy, sent
   * @param original what the application gave to send
   */
  public static void copyHeadersBack(MetaqMessage sent, Message original) throws JMSException {
    if (sent == original) {
      return;
    }
    original.setJMSDestination(sent.getJMSDestination());
    original.setJMSDeliveryMode(sent.getJMSDeliveryMode());
    original.setJMSExpiration(sent.getJMSExpiration());
    original.setJMSDeliveryTime(sent.getJMSDeliveryTime());
    original.setJMSPriority(sent.getJMSPriority());
    original.setJMSMessageID(sent.getJMSMessageID());
    original.setJMSTimestamp(sent.getJMSTimestamp());
  }
}
