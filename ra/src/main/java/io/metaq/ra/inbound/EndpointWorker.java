package io.metaq.ra.inbound;

import io.metaq.jms.ManagedSession;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageListener;
import jakarta.resource.ResourceException;
import jakarta.resource.spi.UnavailableException;
import jakarta.resource.spi.endpoint.MessageEndpoint;
import jakarta.resource.spi.endpoint.MessageEndpointFactory;
import jakarta.resource.spi.work.HintsContext;
import jakarta.resource.spi.work.Work;
import jakarta.resource.spi.work.WorkContext;
import jakarta.resource.spi.work.WorkContextProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * One session of an activation on one container thread: takes a message, opens the container's
 * transaction around the endpoint (Connectors 14.5.6 option B), hands the message over inside it,
 * and closes it on the same thread whatever happened. A message that could not be handed over goes
 * back uncounted.
 */
final class EndpointWorker implements Work, WorkContextProvider {
  private static final Logger LOG = System.getLogger(EndpointWorker.class.getName());
  private static final long TAKE_MILLIS = 500;
  private static final long UNAVAILABLE_MILLIS = 200;
  private static final long serialVersionUID = 1L;

  private final transient Activation activation;
  private final transient MessageEndpointFactory endpoints;
  private final transient Method onMessage;
  private final boolean transacted;
  private final transient ManagedSession session;
  private final transient InboundDestination destination;
  private final transient FailurePause pause;
  private final transient CountDownLatch ended = new CountDownLatch(1);
  private final transient CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean running;

  EndpointWorker(
      Activation activation,
      MessageEndpointFactory endpoints,
      Method onMessage,
      boolean transacted,
      ManagedSession session,
      InboundDestination destination,
      FailurePause pause) {
    this.activation = activation;
    this.endpoints = endpoints;
    this.onMessage = onMessage;
    this.transacted = transacted;
    this.session = session;
    this.destination = destination;
    this.pause = pause;
  }

  /** It runs as long as the bean is deployed, so a container may give it a thread of that kind. */
  @Override
  public List<WorkContext> getWorkContexts() {
    HintsContext hints = new HintsContext();
    hints.setHint(HintsContext.LONGRUNNING_HINT, Boolean.TRUE);
    return List.of(hints);
  }

  void requestStop() {
    stopped.countDown();
  }

  /** A worker that its container never got round to start is at its end already. */
  void awaitEnd(long deadline) {
    try {
      long left = Math.max(1, deadline - System.nanoTime());
      if (running && !ended.await(left, TimeUnit.NANOSECONDS)) {
        LOG.log(
            Level.WARNING,
            "A listener on {0} still runs after its bean was stopped",
            activation.getDestination());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void release() {
    requestStop();
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  @Override
  public void run() {
    running = true;
    try {
      serve();
    } catch (JMSException e) {
      if (!isStopped()) {
        LOG.log(Level.DEBUG, "A session on " + activation.getDestination() + " ended", e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // However it came to this: without this worker the activation is not what it should be.
      if (!isStopped()) {
        activation.reportBroken();
      }
      ended.countDown();
    }
  }

  /** The consumer comes with the thread, lest messages wait at a worker that has none yet. */
  private MessageConsumer consumer() throws JMSException {
    try {
      MessageConsumer consumer = destination.createConsumer(session);
      activation.serving();
      return consumer;
    } catch (JMSException e) {
      activation.refused(e);
      throw e;
    }
  }

  private void serve() throws JMSException, InterruptedException {
    if (isStopped()) {
      return;
    }
    MessageConsumer consumer = consumer();
    while (!isStopped()) {
      pause.await();
      if (!isStopped()) {
        Message message = session.take(consumer, TAKE_MILLIS);
        if (message != null) {
          deliver(message);
        }
      }
    }
  }

  private void deliver(Message message) throws JMSException, InterruptedException {
    MessageEndpoint endpoint;
    try {
      endpoint = endpoints.createEndpoint(transacted ? session.getXAResource() : null);
    } catch (UnavailableException | RuntimeException e) {
      session.giveBack(message);
      LOG.log(Level.DEBUG, "No endpoint is free for " + activation.getDestination(), e);
      if (!stopped.await(UNAVAILABLE_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.log(Level.TRACE, "Asking for an endpoint again");
      }
      return;
    }
    try {
      deliver(message, endpoint);
    } finally {
      release(endpoint);
    }
  }

  /** A container that cannot take an endpoint back must not cost the bean its connection. */
  private void release(MessageEndpoint endpoint) {
    try {
      endpoint.release();
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          "The container could not release an endpoint of " + activation.getDestination(),
          e);
    }
  }

  private void deliver(Message message, MessageEndpoint endpoint) throws JMSException {
    try {
      endpoint.beforeDelivery(onMessage);
    } catch (NoSuchMethodException | ResourceException | RuntimeException e) {
      session.giveBack(message);
      failed("The container could not prepare the delivery of a message", e);
      return;
    }
    boolean returned = false;
    try {
      session.handOver(message);
      ((MessageListener) endpoint).onMessage(message);
      returned = true;
    } catch (RuntimeException e) {
      failed("A listener threw an exception", e);
    } finally {
      boolean closed = closeDelivery(endpoint, returned);
      returned = returned && closed;
    }
    if (!transacted) {
      settle(message, returned);
    }
    if (returned && transacted && session.lastBranchFailed()) {
      returned = false; // said by setRollbackOnly, or by the time-out of the transaction
      LOG.log(Level.DEBUG, "A delivery on {0} was rolled back", activation.getDestination());
      pause.failed();
    }
    if (returned) {
      pause.succeeded();
    }
  }

  private void settle(Message message, boolean returned) throws JMSException {
    if (returned) {
      session.acknowledgeTaken(message);
    } else {
      session.giveBack(message);
    }
  }

  /**
   * @param countIt whether a failure here is the delivery's first
   */
  private boolean closeDelivery(MessageEndpoint endpoint, boolean countIt) {
    try {
      endpoint.afterDelivery();
      return true;
    } catch (ResourceException | RuntimeException e) {
      if (countIt) {
        failed("The container rolled the delivery back", e);
      } else {
        LOG.log(Level.DEBUG, "After a failed delivery", e);
      }
      return false;
    }
  }

  private void failed(String what, Exception why) {
    LOG.log(Level.WARNING, what + " (" + activation.getDestination() + "): " + why);
    LOG.log(Level.DEBUG, what, why);
    pause.failed();
  }
}
