package io.metaq.jms;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.XAJMSContext;
import javax.transaction.xa.XAResource;

/** A context whose work belongs to XA branches. */
final class MetaqXAContext extends MetaqContext implements XAJMSContext {
  private MetaqXAContext(ContextConnection connection) {
    super(connection, AckMode.AUTO);
  }

  static MetaqXAContext first(ConnectionCore core) {
    return new MetaqXAContext(new ContextConnection(core));
  }

  @Override
  MetaqSession makeSession(ConnectionCore core) throws JMSException {
    return new MetaqXASession(core.createSession(AckMode.AUTO), Domain.COMMON);
  }

  @Override
  public JMSContext getContext() {
    return this;
  }

  @Override
  public XAResource getXAResource() {
    return Failures.simplified(() -> ((MetaqXASession) session()).getXAResource());
  }
}
