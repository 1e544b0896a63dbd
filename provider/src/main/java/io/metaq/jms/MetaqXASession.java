package io.metaq.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TopicSession;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.XAQueueSession;
import jakarta.jms.XATopicSession;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import javax.transaction.xa.XAResource;

/**
 * A session for distributed transactions, and for a resource adapter. Outside of any transaction it
 * acknowledges by itself; what it says of itself stays that it is transacted.
 */
public final class MetaqXASession extends MetaqSession
    implements ManagedSession, XAQueueSession, XATopicSession {
  private final XaAssociation association;
  private final MetaqXAResource resource;
  private final Map<Message, Handover.Unsettled> taken =
      Collections.synchronizedMap(new IdentityHashMap<>());
  private final Map<Message, Boolean> seen = Collections.synchronizedMap(new IdentityHashMap<>());

  MetaqXASession(SessionCore core, Domain domain) {
    super(core, domain);
    this.association = core.associate();
    this.resource = new MetaqXAResource(core, association);
  }

  @Override
  public XAResource getXAResource() {
    return resource;
  }

  @Override
  public Session getSession() throws JMSException {
    core().requireOpen();
    return this;
  }

  @Override
  public QueueSession getQueueSession() throws JMSException {
    core().requireOpen();
    return this;
  }

  @Override
  public TopicSession getTopicSession() throws JMSException {
    core().requireOpen();
    return this;
  }

  @Override
  public boolean getTransacted() throws JMSException {
    core().requireOpen();
    return true;
  }

  @Override
  public int getAcknowledgeMode() throws JMSException {
    core().requireOpen();
    return Session.SESSION_TRANSACTED;
  }

  @Override
  public void commit() throws JMSException {
    core().requireOpen();
    throw new TransactionInProgressException(
        "An XA session is committed through its transaction manager");
  }

  @Override
  public void rollback() throws JMSException {
    core().requireOpen();
    throw new TransactionInProgressException(
        "An XA session is rolled back through its transaction manager");
  }

  // ---- for the resource adapter

  @Override
  public boolean inTransaction() {
    return association.mode() == AckMode.TRANSACTED;
  }

  @Override
  public boolean lastBranchFailed() {
    return resource.lastBranchFailed();
  }

  @Override
  public void beginLocal() throws JMSException {
    core().requireOpen();
    association.beginLocal();
  }

  @Override
  public void commitLocal() throws JMSException {
    requireLocal("commitLocal");
    core().sender().awaitCallbacks(ConsumerCore.FOREVER);
    try {
      core().transaction().commit();
    } finally {
      association.endLocal();
    }
  }

  @Override
  public void rollbackLocal() throws JMSException {
    requireLocal("rollbackLocal");
    core().sender().awaitCallbacks(ConsumerCore.FOREVER);
    try {
      core().transaction().rollback();
    } finally {
      association.endLocal();
    }
  }

  private void requireLocal(String method) throws JMSException {
    core().requireOpen();
    if (!association.isLocal()) {
      throw new IllegalStateException(method + " needs a local transaction that was begun");
    }
  }

  @Override
  public Message take(MessageConsumer consumer, long timeoutMillis) throws JMSException {
    if (!(consumer instanceof MetaqConsumer ours)) {
      throw new JMSException("The consumer is none of this session's: " + consumer);
    }
    Handover.Unsettled next = ours.core().take(MetaqConsumer.nanos(timeoutMillis));
    if (next == null) {
      return null;
    }
    taken.put(next.message(), next);
    return next.message();
  }

  private Handover.Unsettled find(Message message) throws JMSException {
    Handover.Unsettled unsettled = taken.get(message);
    if (unsettled == null) {
      throw new JMSException(
          "The message was not taken from this session, or is settled: " + message);
    }
    return unsettled;
  }

  @Override
  public void handOver(Message message) throws JMSException {
    association.requireUsable("Handing a message over");
    Handover.Unsettled unsettled = find(message);
    core().handover().handOver(unsettled);
    if (inTransaction()) {
      taken.remove(message); // acknowledged as part of the transaction, given back with it
    } else {
      seen.put(message, true);
    }
  }

  @Override
  public void acknowledgeTaken(Message message) throws JMSException {
    core().handover().settle(find(message));
    forget(message);
  }

  @Override
  public void giveBack(Message message) throws JMSException {
    Handover.Unsettled unsettled = find(message);
    boolean handedOver = seen.containsKey(message);
    forget(message);
    core().handover().giveBack(unsettled, handedOver);
  }

  private void forget(Message message) {
    taken.remove(message);
    seen.remove(message);
  }
}
