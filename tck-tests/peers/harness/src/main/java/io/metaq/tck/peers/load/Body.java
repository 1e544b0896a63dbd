package io.metaq.tck.peers.load;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.nio.ByteBuffer;
import java.util.Random;

/** A body of a kibibyte that begins with the time it was sent. Used by one thread. */
final class Body {

  static final int SIZE = 1024;

  private final byte[] bytes = new byte[SIZE];

  Body() {
    new Random(1).nextBytes(bytes);
  }

  BytesMessage message(Session session, long nanoTime) throws JMSException {
    ByteBuffer.wrap(bytes).putLong(nanoTime);
    BytesMessage message = session.createBytesMessage();
    message.writeBytes(bytes);
    return message;
  }

  /** Reads the whole body, as an application would, and returns the time at its head. */
  long sentAt(Message message) throws JMSException {
    ((BytesMessage) message).readBytes(bytes);
    return ByteBuffer.wrap(bytes).getLong();
  }
}
