package io.metaq.broker.core;

/** A read-only walk over a queue up to the end it had when the walk began. */
final class Browser {
  private final Session session;
  private final int id;
  boolean ready;
  boolean closed;

  Browser(Session session, int id) {
    this.session = session;
    this.id = id;
  }

  int id() {
    return id;
  }

  Session session() {
    return session;
  }

  void close() {
    closed = true;
  }

  /** One message at most; true if there is more to do at once. */
  boolean step(long now) {
    return false;
  }
}
