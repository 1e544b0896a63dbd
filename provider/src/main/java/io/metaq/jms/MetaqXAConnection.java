package io.metaq.jms;

import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAQueueConnection;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XASession;
import jakarta.jms.XATopicConnection;
import jakarta.jms.XATopicSession;

/**
 * A connection whose XA sessions take part in distributed transactions; its plain sessions do not.
 * Thread-safe.
 */
public final class MetaqXAConnection extends MetaqConnection
    implements XAConnection, XAQueueConnection, XATopicConnection {
  MetaqXAConnection(ConnectionCore core, Domain domain) {
    super(core, domain);
  }

  private MetaqXASession xaSession(Domain of) throws JMSException {
    use();
    return new MetaqXASession(core().createSession(AckMode.AUTO), of);
  }

  @Override
  public XASession createXASession() throws JMSException {
    return xaSession(domain());
  }

  @Override
  public XAQueueSession createXAQueueSession() throws JMSException {
    return xaSession(Domain.QUEUE);
  }

  @Override
  public XATopicSession createXATopicSession() throws JMSException {
    return xaSession(Domain.TOPIC);
  }
}
