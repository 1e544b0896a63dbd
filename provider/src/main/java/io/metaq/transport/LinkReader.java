package io.metaq.transport;

import io.metaq.wire.FrameCodec.Envelope;
import io.metaq.wire.WireException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Reads the frames of one link, on one thread at a time: a thread of its own, or the only thread
 * that waits for something from the broker, which then has not to be woken. The own thread lends
 * its turn to who asked for it once it has handed over all that had come, and takes it back when
 * nobody used it for about two milliseconds, when several wait, or when it is needed.
 */
final class LinkReader implements Runnable {

  /** What becomes of what is read. */
  interface Sink {
    /** A frame came. On the thread that reads; must not wait for anything. */
    void frame(Envelope envelope) throws IOException;

    /** All that had come has been handed over. */
    void drained();

    /** Whether the turn must not be lent: something is due that no thread waits for. */
    boolean isBusy();

    /** The link is at its end. On the reader's own thread, as the last call. */
    void ended(IOException cause);
  }

  private static final System.Logger LOG = System.getLogger(LinkReader.class.getName());

  /** For so long the own thread leaves the turn to others after they used it. */
  private static final long REST = TimeUnit.MILLISECONDS.toNanos(2);

  /** For so long nothing is lent after several were seen to wait. */
  private static final long CROWDED = TimeUnit.MILLISECONDS.toNanos(100);

  /** A borrower gives the turn back when nothing came for so long. */
  private static final long IDLE = TimeUnit.MILLISECONDS.toNanos(5);

  private final Link link;
  private final Sink sink;
  private final Waiters waiters;
  private final Thread thread;
  private final AtomicBoolean turn = new AtomicBoolean(true);
  private volatile boolean wanted;
  private volatile boolean lent;
  private volatile boolean recalled;
  private volatile long lastUse;
  private volatile long lendAgain = System.nanoTime();

  LinkReader(Link link, Waiters waiters, Sink sink) {
    this.link = link;
    this.waiters = waiters;
    this.sink = sink;
    // Nothing of whoever happened to ask for the connection: in a container it may be undeployed.
    thread = new Thread(null, this, "metaq-reader-" + link.address(), 0, false);
    thread.setContextClassLoader(LinkReader.class.getClassLoader());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  boolean isCurrentThread() {
    return Thread.currentThread() == thread;
  }

  /** Waits until the link is at its end and that has been dealt with. */
  void join(long millis) throws InterruptedException {
    recall();
    thread.join(millis);
  }

  /** Makes the own thread read again, soon. */
  void recall() {
    if (lent) {
      recalled = true;
      LockSupport.unpark(thread);
    }
  }

  /**
   * Reads on the calling thread, if nobody else does, until something has come to pass.
   *
   * @return whether it has; if not, another thread reads and the caller has to wait
   */
  boolean readUntil(BooleanSupplier done, long limitNanos) {
    if (!turn.compareAndSet(false, true)) {
      wanted = true;
      return done.getAsBoolean();
    }
    boolean isDone = false;
    try {
      int slice = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(Math.min(limitNanos, IDLE)));
      boolean came = true;
      while (came && !isDone) {
        came = link.hasWholeFrame() || !done.getAsBoolean() ? read(slice) : true;
        isDone = done.getAsBoolean() && !link.hasWholeFrame();
      }
    } catch (IOException e) {
      link.fail(e);
    } finally {
      lastUse = System.nanoTime();
      turn.set(false);
      boolean crowded = waiters.several();
      if (crowded) {
        lendAgain = lastUse + CROWDED;
      }
      if (!isDone || crowded || sink.isBusy()) {
        recall();
      }
    }
    return isDone;
  }

  @Override
  public void run() {
    try {
      while (true) {
        do {
          read(0);
        } while (!mayLend());
        lend();
      }
    } catch (IOException e) {
      sink.ended(e);
    }
  }

  private boolean mayLend() {
    return wanted
        && !link.hasBuffered()
        && !waiters.several()
        && !sink.isBusy()
        && System.nanoTime() - lendAgain >= 0;
  }

  /** Leaves the turn to others until it comes back. */
  private void lend() {
    wanted = false;
    recalled = false;
    lent = true;
    lastUse = System.nanoTime();
    turn.set(false);
    do {
      LockSupport.parkNanos(this, REST);
    } while (!recalled && System.nanoTime() - lastUse < REST || !turn.compareAndSet(false, true));
    lent = false;
  }

  /**
   * Reads a frame and hands it over.
   *
   * @param millis 0 = no limit
   * @return false if none came in time
   */
  private boolean read(int millis) throws IOException {
    try {
      Envelope envelope = link.read(millis);
      if (envelope == null) {
        return false;
      }
      sink.frame(envelope);
      if (!link.hasBuffered()) {
        sink.drained();
      }
      return true;
    } catch (WireException e) {
      throw new IOException(
          "Broker " + link.address() + " sent what is no frame: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "A frame from broker " + link.address() + " could not be handled", e);
      throw new IOException("A frame could not be handled: " + e, e);
    }
  }
}
