package io.metaq.jms;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;

/** Feeds an application server's pool of sessions from one consumer, by a thread of its own. */
final class MetaqConnectionConsumer implements ConnectionConsumer, Runnable {
  private final SessionCore session;
  private final ConsumerCore consumer;
  private final ServerSessionPool pool;
  private final int batch;
  private volatile boolean closed;

  /**
   * @param batch the most messages that one server session is loaded with
   */
  MetaqConnectionConsumer(SessionCore session, ConsumerSpec spec, ServerSessionPool pool, int batch)
      throws JMSException {
    this.session = session;
    this.pool = pool;
    this.batch = batch;
    boolean created = false;
    try {
      this.consumer = session.createConsumer(spec);
      created = true;
    } finally {
      if (!created) {
        session.close(session.connection().closeDeadline());
      }
    }
    Thread thread = new Thread(this, "metaq-connection-consumer-" + session.id());
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void run() {
    while (!closed) {
      try {
        Handover.Unsettled first = consumer.take(ConsumerCore.FOREVER);
        if (first == null) {
          return;
        }
        load(first);
      } catch (JMSException e) {
        if (!closed && !session.isClosed()) {
          session.connection().report(e);
        }
        if (session.isClosed() || session.connection().isLost()) {
          return;
        }
      }
    }
  }

  private void load(Handover.Unsettled first) throws JMSException {
    List<Handover.Unsettled> messages = new ArrayList<>();
    messages.add(first);
    boolean loaded = false;
    try {
      ServerSession serverSession = pool.getServerSession();
      Session target = serverSession.getSession();
      if (!(target instanceof MetaqSession ours)) {
        throw new JMSException(
            "The ServerSessionPool gave a session of another provider: " + target);
      }
      while (messages.size() < batch) {
        Handover.Unsettled next = consumer.takeWaiting();
        if (next == null) {
          break;
        }
        messages.add(next);
      }
      ours.serverWork().load(messages);
      loaded = true;
      serverSession.start();
    } finally {
      if (!loaded) {
        for (Handover.Unsettled message : messages) {
          session.handover().giveBack(message, false);
        }
      }
    }
  }

  @Override
  public ServerSessionPool getServerSessionPool() throws JMSException {
    if (closed) {
      throw new IllegalStateException("The connection consumer is closed");
    }
    return pool;
  }

  @Override
  public void close() throws JMSException {
    if (!closed) {
      closed = true;
      session.close(session.connection().closeDeadline());
    }
  }
}
