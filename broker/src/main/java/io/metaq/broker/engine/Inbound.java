package io.metaq.broker.engine;

import io.metaq.wire.Frame;
import java.util.List;

/** What the network tells the engine. Loop thread only. */
public interface Inbound {

  /** A client speaks the binary protocol; its login comes as a frame. */
  void connected(int connection, String peer);

  /**
   * A frame of a client. Buffers inside it are valid only during the call: what has to be kept is
   * copied.
   */
  void frame(int connection, int correlation, Frame frame);

  /** The connection is gone, in whatever way. Comes once for every {@link #connected}. */
  void disconnected(int connection);

  /**
   * The connection's outgoing buffer is full of what the client does not read, or has room again.
   */
  void writable(int connection, boolean writable);

  /**
   * Answers {@code stats} of the line protocol: lines of a key and values, without line ends.
   *
   * @param item a topic, one of the words MetaQ knows, or empty
   */
  List<String> statistics(String item);
}
