package io.metaq.tck.transactions;

import io.metaq.jms.MetaqXAConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;

/** An XA connection with one session, and short words for what tests do with it. */
final class XaClient implements AutoCloseable {
  private final XAConnection connection;
  private final XASession session;
  private final XAResource resource;

  XaClient(String url) throws JMSException {
    connection = new MetaqXAConnectionFactory(url).createXAConnection();
    connection.start();
    session = connection.createXASession();
    resource = session.getXAResource();
  }

  XAConnection connection() {
    return connection;
  }

  XASession session() {
    return session;
  }

  XAResource resource() {
    return resource;
  }

  void start(Xid xid) throws XAException {
    resource.start(xid, XAResource.TMNOFLAGS);
  }

  void end(Xid xid) throws XAException {
    resource.end(xid, XAResource.TMSUCCESS);
  }

  void send(String queue, String... texts) throws JMSException {
    var producer = session.createProducer(session.createQueue(queue));
    for (String text : texts) {
      producer.send(session.createTextMessage(text));
    }
    producer.close();
  }

  /** The next message, or null when none comes in time. */
  Message receive(String queue, long millis) throws JMSException {
    try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
      return millis == 0 ? consumer.receiveNoWait() : consumer.receive(millis);
    }
  }

  String text(String queue, long millis) throws JMSException {
    Message message = receive(queue, millis);
    return message == null ? null : message.getBody(String.class);
  }

  /** All that is there, outside any branch, and gone with it. */
  List<String> drain(String queue) throws JMSException {
    List<String> texts = new ArrayList<>();
    try (MessageConsumer consumer = session.createConsumer(session.createQueue(queue))) {
      for (Message message = consumer.receiveNoWait();
          message != null;
          message = consumer.receiveNoWait()) {
        texts.add(message.getBody(String.class));
      }
    }
    return texts;
  }

  /** A branch of one session, sent and ended. */
  void sendInBranch(Xid xid, String queue, String... texts) throws Exception {
    start(xid);
    send(queue, texts);
    end(xid);
  }

  Xid[] recover() throws XAException {
    return resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
  }

  @Override
  public void close() throws JMSException {
    connection.close();
  }
}
