package io.metaq.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The part of a session that an application server's pool uses: messages that a ConnectionConsumer
 * loads, run through the session's own listener by a thread of the server.
 */
final class ServerSessionWork {
  private static final System.Logger LOG = System.getLogger(ServerSessionWork.class.getName());

  private final SessionCore session;
  private final Queue<Handover.Unsettled> loaded = new ConcurrentLinkedQueue<>();
  private volatile MessageListener listener;

  ServerSessionWork(SessionCore session) {
    this.session = session;
  }

  MessageListener listener() {
    return listener;
  }

  void listener(MessageListener to) {
    listener = to;
  }

  void load(List<Handover.Unsettled> messages) {
    session.takesFromOthers();
    loaded.addAll(messages);
  }

  void run() {
    session.serverWorkBegins();
    try {
      Handover.Unsettled next = loaded.poll();
      while (next != null) {
        try {
          run(next);
        } catch (JMSException e) {
          session.connection().report(e);
        }
        next = loaded.poll();
      }
    } finally {
      session.serverWorkEnds();
    }
  }

  private void run(Handover.Unsettled message) throws JMSException {
    MessageListener now = listener;
    if (now == null || session.isClosed()) {
      session.handover().giveBack(message, false);
      throw new IllegalStateException(
          "A message was loaded into a session without MessageListener, or closed");
    }
    session.handover().handOver(message);
    boolean settles = !session.mode().keepsUnacknowledged();
    boolean done = false;
    try {
      now.onMessage(message.message());
      done = true;
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "The MessageListener of a server session threw", e);
    } finally {
      if (settles && done) {
        session.handover().settle(message);
      } else if (settles) {
        session.handover().giveBack(message, true);
      }
    }
  }
}
