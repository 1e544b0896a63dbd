package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.ConnectionLostException;
import io.metaq.transport.RequestRefusedException;
import io.metaq.wire.MessageFrames.Send;
import java.io.IOException;

/**
 * The sends of a session's transactions. They go one-way, for the commit answers for all of them;
 * but now and then one asks for an answer, so that a sender goes no faster than full destinations
 * take its messages. With the order of the session's sends.
 */
final class TransactedSends {
  private static final int MOST_UNANSWERED = 500;
  private static final int MOST_UNANSWERED_BYTES = 1 << 20;

  private final SessionCore session;
  private int unanswered;
  private int unansweredBytes;

  TransactedSends(SessionCore session) {
    this.session = session;
  }

  /** Void after a reconnect, as its transaction is: the commit will tell. */
  void send(Send frame, SessionTransaction.Membership membership)
      throws IOException, RequestRefusedException {
    BrokerConnection broker = session.connection().broker();
    unanswered++;
    unansweredBytes += frame.content().remaining();
    boolean lost = false;
    if (unanswered < MOST_UNANSWERED && unansweredBytes < MOST_UNANSWERED_BYTES) {
      lost = !broker.post(frame, membership.epoch());
    } else {
      unanswered = 0;
      unansweredBytes = 0;
      try {
        broker.requestOnce(frame, membership.epoch());
      } catch (ConnectionLostException e) {
        if (e.isFinal()) {
          throw e;
        }
        lost = true;
      }
    }
    if (lost && membership.transaction() > 0) {
      session.transaction().lost(membership);
    }
  }
}
