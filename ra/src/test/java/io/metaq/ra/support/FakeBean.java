package io.metaq.ra.support;

import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/**
 * A message-driven bean as its container presents it. In transacted delivery it is a transaction
 * manager with one resource: begins before the delivery, and commits in one phase or rolls back
 * after it. Tests make it fail in each of the places where a container fails.
 */
public final class FakeBean implements MessageEndpointFactory {
  private final boolean transacted;
  private final MessageListener listener;

  /** How many more requests for an endpoint are refused. */
  public final AtomicInteger unavailable = new AtomicInteger();

  /** How many more transactions the container rolls back although the bean returned. */
  public final AtomicInteger rollbacks = new AtomicInteger();

  /** How many more transactions the container rolls back and says so. */
  public final AtomicInteger failedCommits = new AtomicInteger();

  /** Whether giving an endpoint back fails. */
  public volatile boolean releaseFails;

  public FakeBean(boolean transacted, MessageListener listener) {
    this.transacted = transacted;
    this.listener = listener;
  }

  private static boolean take(AtomicInteger count) {
    return count.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  @Override
  public MessageEndpoint createEndpoint(XAResource resource) throws UnavailableException {
    if (take(unavailable)) {
      throw new UnavailableException("no endpoint now");
    }
    if (transacted != (resource != null)) {
      throw new IllegalStateException("transacted is " + transacted + " with " + resource);
    }
    return new Endpoint(resource);
  }

  @Override
  public MessageEndpoint createEndpoint(XAResource resource, long timeout)
      throws UnavailableException {
    return createEndpoint(resource);
  }

  @Override
  public boolean isDeliveryTransacted(Method method) {
    return transacted;
  }

  @Override
  public String getActivationName() {
    return "fake";
  }

  @Override
  public Class<?> getEndpointClass() {
    return Endpoint.class;
  }

  private final class Endpoint implements MessageEndpoint, MessageListener {
    private final XAResource resource;
    private final TestXid xid = new TestXid();
    private Thread thread;
    private boolean failed;

    Endpoint(XAResource resource) {
      this.resource = resource;
    }

    @Override
    public void beforeDelivery(Method method) throws ResourceException {
      thread = Thread.currentThread();
      if (transacted) {
        try {
          resource.start(xid, XAResource.TMNOFLAGS);
        } catch (XAException e) {
          throw new ResourceException("start: " + e.errorCode, e);
        }
      }
    }

    @Override
    public void onMessage(Message message) {
      try {
        listener.onMessage(message);
      } catch (RuntimeException e) {
        failed = true;
        throw e;
      }
    }

    @Override
    public void afterDelivery() throws ResourceException {
      if (thread != Thread.currentThread()) {
        throw new IllegalStateException("afterDelivery comes from another thread");
      }
      if (transacted) {
        try {
          finish();
        } catch (XAException e) {
          throw new ResourceException("completion: " + e.errorCode, e);
        }
      }
    }

    private void finish() throws XAException, ResourceException {
      boolean said = take(failedCommits);
      resource.end(xid, XAResource.TMSUCCESS);
      if (failed || said || take(rollbacks)) {
        resource.rollback(xid);
      } else {
        resource.commit(xid, true);
      }
      if (said) {
        throw new ResourceException("the transaction manager rolled back");
      }
    }

    @Override
    public void release() {
      if (releaseFails) {
        throw new IllegalStateException("the pool of endpoints is confused");
      }
    }
  }
}
