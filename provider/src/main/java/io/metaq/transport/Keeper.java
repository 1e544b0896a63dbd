package io.metaq.transport;

import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The one timer of a connection: writes what has gathered and nobody else wrote, sends heart-beats,
 * and takes a silent peer for dead. A thread of its own, since a socket time-out would cost every
 * read a further system call. While there is traffic it looks once a millisecond, so that nobody
 * has to wake it; without, it sleeps.
 */
final class Keeper implements Runnable {
  private static final System.Logger LOG = System.getLogger(Keeper.class.getName());
  private static final long TICK = TimeUnit.MILLISECONDS.toNanos(1);
  private static final int QUIET_TICKS = 20;

  private final BrokerConnection connection;
  private final long heartbeat;
  private final Thread thread;
  private volatile boolean asleep;
  private volatile boolean ended;

  Keeper(BrokerConnection connection, int heartbeatMillis) {
    this.connection = connection;
    this.heartbeat = TimeUnit.MILLISECONDS.toNanos(heartbeatMillis);
    this.thread = new Thread(null, this, "metaq-keeper", 0, false);
    thread.setContextClassLoader(Keeper.class.getClassLoader());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void end() {
    ended = true;
    LockSupport.unpark(thread);
  }

  /** Something has gathered. */
  void wake() {
    if (asleep) {
      asleep = false;
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void run() {
    int quiet = 0;
    while (!ended) {
      Link link = connection.currentLink();
      if (link != null && link.dirty()) {
        connection.tryFlush();
        quiet = 0;
      } else {
        quiet++;
      }
      if (quiet > QUIET_TICKS) {
        sleep(link);
      } else {
        LockSupport.parkNanos(this, TICK);
      }
      if (link != null) {
        checkLife(link);
      }
    }
  }

  private void sleep(Link link) {
    asleep = true;
    if (link == null || !link.dirty()) { // else someone appended before asleep was seen
      LockSupport.parkNanos(this, heartbeat / 4);
    }
    asleep = false;
  }

  private void checkLife(Link link) {
    long now = System.nanoTime();
    long allowed = TimeUnit.MILLISECONDS.toNanos(connection.welcome().heartbeatMillis()) * 5 / 2;
    if (allowed > 0 && now - link.lastRead() > allowed && !link.dead()) {
      LOG.log(
          Level.WARNING,
          "Broker {0} has been silent for {1} ms: the connection counts as lost",
          link.address(),
          TimeUnit.NANOSECONDS.toMillis(now - link.lastRead()));
      link.kill();
    } else if (now - link.lastWrite() > heartbeat / 2) {
      connection.heartbeat(link);
    }
  }
}
