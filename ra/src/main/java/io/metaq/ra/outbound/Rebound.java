package io.metaq.ra.outbound;

import io.metaq.jms.ManagedSession;
import io.metaq.ra.Quietly;
import jakarta.jms.JMSException;

/**
 * A producer, consumer or browser behind a handle: made on the session that the handle belongs to
 * now, and made again when the container has moved the handle to another managed connection. Every
 * call goes through here, so that a broken connection is reported before the caller hears of it.
 */
final class Rebound<T extends AutoCloseable> implements AutoCloseable {
  /** Makes the object on a session. */
  interface Maker<T> {
    T on(ManagedSession session) throws JMSException;
  }

  /** A call of the object. */
  interface Call<T, R> {
    R on(T object) throws JMSException;
  }

  /** A call that returns nothing. */
  interface Step<T> {
    void on(T object) throws JMSException;
  }

  private final SessionHandle owner;
  private final Maker<T> maker;
  private ManagedSession madeOn;
  private T object;
  private boolean closed;

  Rebound(SessionHandle owner, Maker<T> maker) throws JMSException {
    this.owner = owner;
    this.maker = maker;
    call(made -> made);
  }

  <R> R call(Call<T, R> call) throws JMSException {
    return owner.onManaged(session -> call.on(current(session)));
  }

  void run(Step<T> step) throws JMSException {
    call(
        current -> {
          step.on(current);
          return current;
        });
  }

  private synchronized T current(ManagedSession now) throws JMSException {
    if (closed) {
      throw new jakarta.jms.IllegalStateException("It is closed");
    }
    if (now != madeOn) {
      T before = object;
      object = maker.on(now);
      Quietly.close(before);
      madeOn = now;
    }
    return object;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      owner.forget(this);
      Quietly.close(object);
    }
  }
}
