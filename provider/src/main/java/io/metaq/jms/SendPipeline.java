package io.metaq.jms;

import io.metaq.transport.BrokerConnection;
import io.metaq.transport.Completion;
import io.metaq.transport.RequestRefusedException;
import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;
import io.metaq.wire.MessageFrames.Send;
import jakarta.jms.CompletionListener;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The asynchronous sends of a session that are under way: a bounded window of them, and the thread
 * that calls their completion listeners, one at a time and in the order of the sends.
 */
final class SendPipeline {
  private static final System.Logger LOG = System.getLogger(SendPipeline.class.getName());

  private final SessionCore session;
  private final SessionSender sender;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition progress = lock.newCondition();
  private final Condition headDone = lock.newCondition();
  private final SendWindow window;
  private final Deque<Entry> underWay = new ArrayDeque<>();
  private volatile Thread thread;
  private boolean ended;

  SendPipeline(SessionCore session, SessionSender sender) {
    this.session = session;
    this.sender = sender;
    this.window = new SendWindow(session);
  }

  /** One send; the broker's answer, or its work on the callback thread, makes it done. */
  private final class Entry implements Completion {
    private final SessionSender.Outgoing outgoing;
    private final CompletionListener listener;
    private final int size;
    private boolean done;
    private boolean again;
    private JMSException failure;

    Entry(SessionSender.Outgoing outgoing, CompletionListener listener, int size) {
      this.outgoing = outgoing;
      this.listener = listener;
      this.size = size;
    }

    @Override
    public void answered(Frame answer) {
      finish(null, false);
    }

    @Override
    public void refused(RequestRefusedException refusal) {
      finish(Failures.refused(doing(), refusal), refusal.code() == ErrorCode.STALE);
    }

    @Override
    public void lost(IOException cause) {
      finish(Failures.lost(doing(), cause), false);
    }

    private String doing() {
      return "Sending to " + outgoing.destination();
    }

    private void finish(JMSException cause, boolean tryAgain) {
      lock.lock();
      try {
        failure = cause;
        again = tryAgain;
        done = true;
        if (underWay.peek() == this) {
          headDone.signal();
        }
      } finally {
        lock.unlock();
      }
    }

    /** On the callback thread. */
    void call() {
      JMSException outcome = again ? attempt() : failure;
      try {
        outgoing.copyHeadersBack();
        if (outcome == null) {
          listener.onCompletion(outgoing.original());
        } else {
          listener.onException(outgoing.original(), outcome);
        }
      } catch (JMSException | RuntimeException e) {
        LOG.log(Level.WARNING, "A CompletionListener failed", e);
      }
    }

    private JMSException attempt() {
      try {
        sender.deliver(outgoing);
        return null;
      } catch (JMSException e) {
        return e;
      }
    }
  }

  /** Waits until the window has room for one more send of this size. */
  void awaitRoom(int size) throws JMSException {
    if (!isCallbackThread()) {
      window.awaitRoom(size);
    }
  }

  /** Sends; called in the order of the sequences. */
  void submit(SessionSender.Outgoing outgoing, Send frame, CompletionListener listener)
      throws JMSException {
    Entry entry = new Entry(outgoing, listener, frame.content().remaining());
    enqueue(entry);
    boolean sent = false;
    try {
      BrokerConnection broker = session.connection().broker();
      if (outgoing.membership() == null && outgoing.persistent()) {
        broker.requestAsync(frame, entry);
      } else if (outgoing.membership() == null) {
        broker.requestOnceARunAsync(frame, entry);
      } else {
        broker.requestOnceAsync(frame, outgoing.membership().epoch(), entry);
      }
      sent = true;
    } catch (IOException e) {
      throw Failures.lost(entry.doing(), e);
    } finally {
      if (!sent) {
        remove(entry);
      }
    }
  }

  /** A send that is over already. */
  void submitDone(
      SessionSender.Outgoing outgoing, JMSException failure, CompletionListener listener) {
    Entry entry = new Entry(outgoing, listener, 0);
    entry.done = true;
    entry.failure = failure;
    enqueue(entry);
  }

  private void enqueue(Entry entry) {
    lock.lock();
    try {
      underWay.add(entry);
      window.taken(entry.size);
      if (thread == null) {
        thread = new Thread(this::run, "metaq-completions-" + session.id());
        thread.setDaemon(true);
        thread.start();
      } else if (entry.done && underWay.peek() == entry) {
        headDone.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void remove(Entry entry) {
    lock.lock();
    try {
      if (underWay.remove(entry)) {
        window.freed(entry.size);
        progress.signalAll();
        headDone.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  boolean isCallbackThread() {
    return Thread.currentThread() == thread;
  }

  void awaitIdle(long deadlineNanos) throws JMSException {
    lock.lock();
    try {
      while (!underWay.isEmpty() && !isCallbackThread()) {
        session.connection().broker().flush();
        if (progress.awaitNanos(deadlineNanos - System.nanoTime()) <= 0) {
          throw new JMSException(
              "CompletionListeners still were due when the time to wait for them was over");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Failures.caused(
          new JMSException("The thread was interrupted while it waited for CompletionListeners"),
          e);
    } finally {
      lock.unlock();
    }
  }

  void end() {
    lock.lock();
    try {
      ended = true;
      headDone.signalAll();
      progress.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    Entry entry = awaitHead();
    while (entry != null) {
      entry.call();
      remove(entry);
      entry = awaitHead();
    }
  }

  private Entry awaitHead() {
    lock.lock();
    try {
      while (underWay.isEmpty() || !underWay.peek().done) {
        if (ended && underWay.isEmpty()) {
          return null;
        }
        headDone.awaitUninterruptibly();
      }
      return underWay.peek();
    } finally {
      lock.unlock();
    }
  }
}
