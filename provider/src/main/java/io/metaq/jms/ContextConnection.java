package io.metaq.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connection behind a family of contexts that were made from one another; ends with the last of
 * them.
 */
final class ContextConnection {
  private final ConnectionCore core;
  private final AtomicInteger contexts = new AtomicInteger();
  private volatile boolean used;

  ContextConnection(ConnectionCore core) {
    this.core = core;
  }

  ConnectionCore core() {
    return core;
  }

  void enter() {
    contexts.incrementAndGet();
  }

  void leave() throws JMSException {
    if (contexts.decrementAndGet() == 0) {
      core.close();
    }
  }

  /** From now on it is too late for a client id. */
  void use() {
    used = true;
  }

  void clientId(String clientId) throws JMSException {
    if (core.clientId() != null) {
      throw new IllegalStateException(
          "The context has the client id " + core.clientId() + " already");
    }
    if (used) {
      throw new IllegalStateException(
          "A client id must be set before anything else is done with the context");
    }
    if (clientId == null || clientId.isEmpty()) {
      throw new InvalidClientIDException("The client id is missing");
    }
    core.claimClientId(clientId);
  }
}
