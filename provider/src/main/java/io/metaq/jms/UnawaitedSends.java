package io.metaq.jms;

import io.metaq.transport.Completion;
import io.metaq.transport.RequestRefusedException;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Send;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * The non-persistent sends of a session: their calls return without the broker's receipt. Receipts
 * still come, and open the window for more; a refusal goes to the ExceptionListener.
 */
final class UnawaitedSends {
  private static final System.Logger LOG = System.getLogger(UnawaitedSends.class.getName());

  private final SessionCore session;
  private final SendWindow window;

  UnawaitedSends(SessionCore session) {
    this.session = session;
    this.window = new SendWindow(session);
  }

  void awaitRoom(int size) throws JMSException {
    window.awaitRoom(size);
  }

  /** Sends; called in the order of the sequences. */
  void submit(MetaqDestination destination, Send frame) throws IOException {
    int size = frame.content().remaining();
    window.taken(size);
    boolean sent = false;
    try {
      session.connection().broker().requestOnceARunAsync(frame, new Receipt(destination, size));
      sent = true;
    } finally {
      if (!sent) {
        window.freed(size);
      }
    }
  }

  /** Waits for all receipts, as long as they can come. */
  void awaitIdle(long deadlineNanos) {
    window.awaitEmpty(deadlineNanos);
  }

  private final class Receipt implements Completion {
    private final MetaqDestination destination;
    private final int size;

    private Receipt(MetaqDestination destination, int size) {
      this.destination = destination;
      this.size = size;
    }

    @Override
    public void answered(Frame answer) {
      window.freed(size);
    }

    @Override
    public void refused(RequestRefusedException refusal) {
      window.freed(size);
      if (refusal.code() == ErrorCode.STALE) { // deleted: the next send looks it up again
        session.connection().destinations().forget(destination);
      }
      session
          .connection()
          .report(Failures.refused("Sending a non-persistent message to " + destination, refusal));
    }

    @Override
    public void lost(IOException cause) {
      window.freed(size);
      LOG.log(Level.DEBUG, "A non-persistent message went away with its connection", cause);
    }
  }
}
