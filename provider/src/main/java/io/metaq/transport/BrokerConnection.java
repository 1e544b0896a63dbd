package io.metaq.transport;

import io.metaq.transport.Pending.Fate;
import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ConnectionFrames.Goodbye;
import io.metaq.wire.ConnectionFrames.Heartbeat;
import io.metaq.wire.ConnectionFrames.Welcome;
import io.metaq.wire.Frame;
import io.metaq.wire.FrameCodec.Envelope;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A connection to a broker as an API sees it: requests with answers, one-way frames, and a life
 * longer than one socket's.
 *
 * <p>The calling thread writes itself, under one lock; one reader thread hands answers to those who
 * wait for them, or the only one that waits reads itself. Frames that nobody waits for are gathered
 * and written together, at most about a millisecond late. An <em>epoch</em> is the life of one
 * socket: what must not leave on a later socket than it was meant for names it.
 *
 * <p>Thread-safe.
 */
public final class BrokerConnection {
  private static final System.Logger LOG = System.getLogger(BrokerConnection.class.getName());

  /** What stands behind an epoch of 0: whichever is current. */
  public static final long ANY_EPOCH = 0;

  private enum State {
    OPEN,
    BROKEN,
    RESUMING,
    CLOSED
  }

  private final ConnectionSettings settings;
  private final ConnectionEvents events;
  private final Login login;
  private final Keeper keeper;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Integer, Pending> pending = new ConcurrentHashMap<>();
  private final AtomicInteger asynchronous = new AtomicInteger();
  private volatile State state = State.OPEN;
  private volatile Link link;
  private volatile Welcome welcome;
  private volatile long epoch;
  private volatile long openSince;
  private volatile IOException end;
  private final Waiters waiters = new Waiters();
  private volatile LinkReader reader;
  private volatile Thread resumer;
  private int lastCorrelation;
  private long lastOrder;

  private BrokerConnection(ConnectionSettings settings, ConnectionEvents events) {
    this.settings = settings;
    this.events = events;
    this.login = new Login(settings);
    this.keeper = new Keeper(this, settings.uri().number(ClientOption.HEARTBEAT));
  }

  /**
   * Connects and logs in.
   *
   * @throws IOException if no address can be reached, naming each and what was wrong
   * @throws RequestRefusedException if a broker refuses the login
   */
  public static BrokerConnection open(ConnectionSettings settings, ConnectionEvents events)
      throws IOException, RequestRefusedException {
    BrokerConnection connection = new BrokerConnection(settings, events);
    connection.begin(connection.firstLogin());
    return connection;
  }

  private Login.Result firstLogin() throws IOException, RequestRefusedException {
    Backoff backoff =
        new Backoff(
            settings.uri(), settings.uri().number(ClientOption.STARTUP_TIMEOUT), System.nanoTime());
    while (true) {
      try {
        return login.round();
      } catch (IOException e) {
        if (!backoff.pause(() -> false)) {
          throw e;
        }
      }
    }
  }

  private void begin(Login.Result result) {
    lock.lock();
    try {
      adopt(result);
      state = State.OPEN;
      openSince = System.nanoTime();
      startReader(result.link());
    } finally {
      lock.unlock();
    }
    keeper.start();
  }

  private void adopt(Login.Result result) {
    link = result.link();
    welcome = result.welcome();
    epoch = Math.incrementExact(epoch); // under the lock, so no update is lost
  }

  private void startReader(Link read) {
    reader = new LinkReader(read, waiters, new Incoming(read));
    waiters.reader(reader);
    reader.start();
  }

  /** What the broker said at the last login. */
  public Welcome welcome() {
    return welcome;
  }

  public BrokerAddress address() {
    return link.address();
  }

  public long epoch() {
    return epoch;
  }

  /** Whether a socket stands and is ready for requests. */
  public boolean isOpen() {
    return state == State.OPEN;
  }

  public boolean isClosed() {
    return state == State.CLOSED;
  }

  /** The client id that later logins claim. */
  public void clientId(String id) {
    login.clientId(id);
  }

  /**
   * Waits until the connection stands.
   *
   * @return its epoch
   * @throws ConnectionLostException if it will not any more
   */
  public long awaitOpen() throws IOException {
    if (state == State.OPEN) {
      return epoch;
    }
    lock.lock();
    try {
      while (state != State.OPEN) {
        requireNotClosed();
        changed.awaitUninterruptibly();
      }
      return epoch;
    } finally {
      lock.unlock();
    }
  }

  private void requireNotClosed() throws IOException {
    if (state == State.CLOSED) {
      IOException cause = end;
      throw new ConnectionLostException(
          cause == null
              ? "The connection is closed"
              : "The connection is lost: " + cause.getMessage(),
          cause,
          true);
    }
  }

  /** A request that may go out twice. Waits also while the connection is being made again. */
  public Frame request(Frame frame) throws IOException, RequestRefusedException {
    return await(enqueue(frame, Fate.RESENT, ANY_EPOCH, null));
  }

  /**
   * A request that is written, or will be on the next socket, and whose answer is awaited later by
   * the same thread.
   */
  public Reply begin(Frame frame) throws IOException {
    Pending request = enqueue(frame, Fate.RESENT, ANY_EPOCH, null);
    return () -> await(request);
  }

  /** As {@link #begin}, for what a restarted broker could not know for a repetition. */
  public Reply beginOnceARun(Frame frame) throws IOException {
    Pending request = enqueue(frame, Fate.RESENT_TO_ITS_RUN, ANY_EPOCH, null);
    return () -> await(request);
  }

  /** An answer that is due. */
  @FunctionalInterface
  public interface Reply {
    Frame await() throws IOException, RequestRefusedException;
  }

  /**
   * A request that goes out once, in this epoch or not at all.
   *
   * @throws ConnectionLostException if the connection broke before the answer
   */
  public Frame requestOnce(Frame frame, long inEpoch) throws IOException, RequestRefusedException {
    return await(enqueue(frame, Fate.FAILS, inEpoch, null));
  }

  /**
   * As {@link #requestOnce} in whichever epoch it is, within a time of its own. For the ends of
   * things: a broker that does not read any more holds nobody up.
   */
  public Frame requestWithin(Frame frame, long millis) throws IOException, RequestRefusedException {
    long limit = TimeUnit.MILLISECONDS.toNanos(Math.max(1, millis));
    if (!tryLock(millis)) {
      throw new ConnectionLostException("The broker reads nothing", null, false);
    }
    Pending request;
    try {
      request = enqueue(frame, Fate.FAILS, ANY_EPOCH, null);
    } finally {
      lock.unlock();
    }
    return await(request, limit);
  }

  /** As {@link #request}; the completion hears of the end. */
  public void requestAsync(Frame frame, Completion completion) throws IOException {
    enqueue(frame, Fate.RESENT, ANY_EPOCH, completion);
  }

  /** As {@link #requestAsync}, for what a restarted broker could not know for a repetition. */
  public void requestOnceARunAsync(Frame frame, Completion completion) throws IOException {
    enqueue(frame, Fate.RESENT_TO_ITS_RUN, ANY_EPOCH, completion);
  }

  /** As {@link #requestOnce}; the completion hears of the end. */
  public void requestOnceAsync(Frame frame, long inEpoch, Completion completion)
      throws IOException {
    enqueue(frame, Fate.FAILS, inEpoch, completion);
  }

  private Pending enqueue(Frame frame, Fate fate, long inEpoch, Completion completion)
      throws IOException {
    lock.lock();
    try {
      requireNotClosed();
      if (!fate.isResent() && (state != State.OPEN || inEpoch != ANY_EPOCH && inEpoch != epoch)) {
        throw new ConnectionLostException(
            "The connection broke before the request was sent", null, false);
      }
      return register(frame, fate, completion, state == State.OPEN);
    } finally {
      lock.unlock();
    }
  }

  private Pending register(Frame frame, Fate fate, Completion completion, boolean write) {
    lastCorrelation = lastCorrelation == Integer.MAX_VALUE ? 1 : lastCorrelation + 1;
    Pending request = new Pending(lastCorrelation, ++lastOrder, frame, fate, completion);
    pending.put(lastCorrelation, request);
    if (write) {
      request.written(welcome);
      link.append(lastCorrelation, frame);
      // While answers to others are due, the reader will write what has gathered when they come.
      if (completion == null || asynchronous.get() == 0 || link.gatheredSize() >= Link.FLUSH_SIZE) {
        flushLocked();
      } else {
        keeper.wake();
      }
    }
    if (completion != null) {
      asynchronous.incrementAndGet();
      reader.recall(); // nobody waits, so nobody else reads
    }
    return request;
  }

  private Frame await(Pending request) throws IOException, RequestRefusedException {
    int limit = settings.uri().number(ClientOption.REQUEST_TIMEOUT);
    return await(request, TimeUnit.MILLISECONDS.toNanos(limit));
  }

  private Frame await(Pending request, long limit) throws IOException, RequestRefusedException {
    Frame answer = request.await(limit, now -> state == State.OPEN ? now - openSince : 0, waiters);
    if (answer == null) {
      pending.remove(request.correlation());
      throw new IOException(
          "Broker "
              + address()
              + " gave no answer to "
              + request.frame().type()
              + " within the request time-out");
    }
    return answer;
  }

  /**
   * Appends a one-way frame and lets it go with the next write, at most about a millisecond later.
   *
   * @return false if the epoch is over and the frame is void
   */
  public boolean post(Frame frame, long inEpoch) {
    return append(frame, inEpoch, false);
  }

  /** Writes a one-way frame at once. Returns false if the epoch is over and the frame is void. */
  public boolean postNow(Frame frame, long inEpoch) {
    return append(frame, inEpoch, true);
  }

  private boolean append(Frame frame, long inEpoch, boolean now) {
    lock.lock();
    try {
      if (state != State.OPEN || inEpoch != ANY_EPOCH && inEpoch != epoch) {
        return false;
      }
      link.append(0, frame);
      if (now || link.gatheredSize() >= Link.FLUSH_SIZE) {
        flushLocked();
      } else {
        keeper.wake();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Writes what has gathered. A caller that is about to wait for the broker's reaction calls this
   * first.
   */
  public void flush() {
    Link current = link;
    if (current.dirty()) {
      lock.lock();
      try {
        flushLocked();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits until something has come to pass that a frame from the broker may bring about, as well by
   * reading frames on the calling thread. Ends early if another thread reads or nothing comes: the
   * caller looks again and waits in its own way, until {@link #leave}.
   */
  public boolean readUntil(BooleanSupplier done, long limitNanos) {
    return waiters.readUntil(done, limitNanos);
  }

  /** The calling thread begins to wait for something that a frame may bring about. */
  public void enter() {
    waiters.enter();
  }

  /** The calling thread waits no longer. */
  public void leave() {
    waiters.leave();
  }

  /** For those who must not wait for a writer that the broker holds up. */
  void tryFlush() {
    if (link.dirty() && lock.tryLock()) {
      try {
        flushLocked();
      } finally {
        lock.unlock();
      }
    }
  }

  private void flushLocked() {
    Link current = link;
    try {
      current.flush();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "Writing to broker " + current.address() + " failed", e);
      current.kill(); // the reader notices, and it alone decides what follows
    }
  }

  /** What comes from one link. */
  private final class Incoming implements LinkReader.Sink {
    private final Link link;

    Incoming(Link link) {
      this.link = link;
    }

    @Override
    public void frame(Envelope envelope) throws IOException {
      dispatch(envelope);
    }

    @Override
    public void drained() {
      tryFlush();
    }

    @Override
    public boolean isBusy() {
      return asynchronous.get() > 0;
    }

    @Override
    public void ended(IOException cause) {
      broken(link, cause);
    }
  }

  private void dispatch(Envelope envelope) throws IOException {
    if (envelope.correlation() != 0) {
      Pending request = pending.remove(envelope.correlation());
      if (request != null) {
        if (request.isAsynchronous()) {
          asynchronous.decrementAndGet();
        }
        request.answered(envelope.frame());
      }
    } else if (envelope.frame() instanceof Failure failure) {
      throw new IOException("The broker ended the connection: " + failure.message());
    } else if (!(envelope.frame() instanceof Heartbeat)) {
      events.received(envelope.frame());
    }
  }

  /** Runs on the reader of the broken link, once per link. */
  private void broken(Link broken, IOException cause) {
    broken.kill();
    boolean closed;
    boolean wasOpen;
    lock.lock();
    try {
      closed = state == State.CLOSED;
      wasOpen = state == State.OPEN && link == broken;
      if (wasOpen) {
        state = State.BROKEN;
      }
    } finally {
      lock.unlock();
    }
    if (closed) {
      failPending(
          request -> true,
          end == null ? new IOException("The connection is closed", cause) : end,
          true);
      return;
    }
    failPending(request -> request.fate() == (wasOpen ? Fate.FAILS : Fate.RESUMING), cause, false);
    if (wasOpen) {
      LOG.log(
          Level.INFO, "Connection to broker {0} lost: {1}", broken.address(), cause.getMessage());
      events.lost(cause);
      resumer = Thread.currentThread();
      try {
        reconnect(cause);
      } finally {
        resumer = null;
      }
    }
  }

  private void failPending(Predicate<Pending> which, IOException cause, boolean isFinal) {
    List<Pending> failed = new ArrayList<>();
    pending.values().stream().filter(which).forEach(failed::add);
    failed.sort(Comparator.comparingLong(Pending::order));
    for (Pending request : failed) {
      if (pending.remove(request.correlation()) != null) {
        if (request.isAsynchronous()) {
          asynchronous.decrementAndGet();
        }
        request.lost(
            new ConnectionLostException(
                "The connection is lost: " + cause.getMessage(), cause, isFinal));
      }
    }
  }

  private void reconnect(IOException cause) {
    if (!settings.uri().flag(ClientOption.RECONNECT)) {
      fail(cause);
      return;
    }
    Backoff backoff =
        new Backoff(
            settings.uri(),
            settings.uri().number(ClientOption.RECONNECT_TIMEOUT),
            System.nanoTime());
    IOException last = cause;
    while (state != State.CLOSED) {
      try {
        if (resume(login.round())) {
          return;
        }
      } catch (IOException e) {
        last = e;
        LOG.log(Level.DEBUG, "Reconnecting failed", e);
      } catch (RequestRefusedException e) {
        fail(new IOException("The broker refused the new login: " + e.getMessage(), e));
        return;
      }
      if (!backoff.pause(() -> state == State.CLOSED)) {
        fail(last);
        return;
      }
    }
    failPending(request -> true, last, true);
  }

  /** Returns whether the connection stands again, or is closed. */
  private boolean resume(Login.Result result) throws IOException {
    Link next = result.link();
    lock.lock();
    try {
      if (state == State.CLOSED) {
        next.kill();
        return false;
      }
      adopt(result);
      state = State.RESUMING;
      startReader(next);
    } finally {
      lock.unlock();
    }
    boolean resumed = false;
    try {
      events.resume(new DirectAccess(epoch));
      resumed = reopen(next);
      if (resumed) {
        events.resumed();
      }
    } finally {
      if (!resumed) {
        next.kill();
        lock.lock();
        try {
          if (state == State.RESUMING) {
            state = State.BROKEN;
          }
        } finally {
          lock.unlock();
        }
      }
    }
    return resumed;
  }

  private boolean reopen(Link next) {
    lock.lock();
    try {
      if (state != State.RESUMING || next.dead()) {
        return false;
      }
      List<Pending> again = new ArrayList<>(pending.values());
      again.sort(Comparator.comparingLong(Pending::order));
      for (Pending request : again) {
        if (request.mayGoTo(welcome)) {
          request.written(welcome);
          next.append(request.correlation(), request.frame());
        }
        if (next.gatheredSize() >= Link.FLUSH_SIZE) {
          flushLocked();
        }
      }
      flushLocked();
      state = State.OPEN;
      openSince = System.nanoTime();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    failPending(
        request -> !request.mayGoTo(welcome),
        new IOException("the broker was restarted before it answered"),
        false);
    LOG.log(Level.INFO, "Connected again, to broker {0}", next.address());
    return true;
  }

  /** The writes and requests of a resumption, while all others wait. */
  private final class DirectAccess implements Resumption {
    private final long epoch;

    DirectAccess(long epoch) {
      this.epoch = epoch;
    }

    @Override
    public long epoch() {
      return epoch;
    }

    @Override
    public void post(Frame frame) throws IOException {
      lock.lock();
      try {
        requireResuming();
        link.append(0, frame);
        if (link.gatheredSize() >= Link.FLUSH_SIZE) {
          flushLocked();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Frame request(Frame frame) throws IOException, RequestRefusedException {
      Pending request;
      lock.lock();
      try {
        requireResuming();
        request = register(frame, Fate.RESUMING, null, true);
        if (link
            .dead()) { // its reader may have looked for requests to fail before this one was there
          pending.remove(request.correlation());
          throw new ConnectionLostException("The new connection broke", null, false);
        }
      } finally {
        lock.unlock();
      }
      return await(request);
    }

    private void requireResuming() throws IOException {
      requireNotClosed();
      if (state != State.RESUMING || link.dead()) {
        throw new ConnectionLostException("The new connection broke", null, false);
      }
    }
  }

  private void fail(IOException cause) {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return;
      }
      end = cause;
      state = State.CLOSED;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    keeper.end();
    failPending(request -> true, cause, true);
    events.failed(cause);
  }

  /** What the keeper looks at. */
  Link currentLink() {
    return state == State.OPEN || state == State.RESUMING ? link : null;
  }

  void heartbeat(Link to) {
    if (lock.tryLock()) { // a writer that holds it is sign of life enough
      try {
        if (link == to) {
          to.append(0, Heartbeat.INSTANCE);
          flushLocked();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Closes in order: what was written before is read by the broker. Requests that wait fail. Waits
   * for the broker's end of the connection, within limits; never fails.
   */
  public void close(long timeoutMillis) {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    boolean orderly = false;
    Link last;
    boolean locked = tryLock(timeoutMillis);
    try {
      last = link;
      if (state == State.CLOSED) {
        return;
      }
      if (locked && state == State.OPEN) {
        last.append(0, new Goodbye());
        flushLocked();
        orderly = !last.dead();
      }
      state = State.CLOSED;
      if (locked) {
        changed.signalAll();
      }
    } finally {
      if (locked) {
        lock.unlock();
      }
    }
    keeper.end();
    Thread resuming = resumer;
    if (resuming != null) {
      resuming.interrupt();
    }
    if (orderly && !reader.isCurrentThread()) {
      awaitPeer(last, Math.min(deadline, System.nanoTime() + TimeUnit.SECONDS.toNanos(2)));
    }
    last.kill();
    failPending(request -> true, new IOException("closed"), true);
  }

  private boolean tryLock(long timeoutMillis) {
    try {
      return lock.tryLock(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return lock.tryLock();
    }
  }

  private void awaitPeer(Link last, long deadline) {
    try {
      last.endOutput();
      long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      if (left > 0) {
        reader.join(left);
      }
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "The broker closed first", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Where the connection leads, for messages. */
  @Override
  public String toString() {
    return "connection to broker " + address();
  }
}
