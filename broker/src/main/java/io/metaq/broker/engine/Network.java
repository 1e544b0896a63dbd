package io.metaq.broker.engine;

import io.metaq.wire.ErrorCode;
import io.metaq.wire.Frame;

/**
 * The way out to clients. Apart from the server so that the engine runs without sockets, in the
 * simulator. Loop thread only; an unknown connection is one that has just gone and is passed over.
 */
public interface Network {

  /** Queues a frame; it leaves with the next {@link #flush()}. */
  void send(int connection, int correlation, Frame frame);

  /** Hands everything queued to the sockets. */
  void flush();

  /** Tells a client why and closes its connection, once what is queued for it has left. */
  void close(int connection, ErrorCode code, String why);

  /** Stops, or resumes, reading from one client. */
  void pauseReading(int connection, boolean paused);

  /** Stops, or resumes, reading from every client: the way to make senders wait. */
  void pauseReading(boolean paused);
}
