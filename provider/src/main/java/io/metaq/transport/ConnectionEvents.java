package io.metaq.transport;

import io.metaq.wire.Frame;
import java.io.IOException;

/**
 * What a {@link BrokerConnection} tells the API that stands on it. {@link #received} runs on the
 * reader thread and must not wait for anything.
 */
public interface ConnectionEvents {
  /** A frame that is no answer: a delivery, a confirmation. */
  void received(Frame frame);

  /**
   * The connection broke; what is not resent is void. Reconnecting begins after this returns, if at
   * all.
   */
  void lost(IOException cause);

  /**
   * A new socket stands and has logged in. Makes again what lived on the old one, before any
   * waiting request is sent again.
   *
   * @throws IOException if the new socket broke as well
   */
  void resume(Resumption resumption) throws IOException;

  /** The connection stands again: one-way frames are written as usual from here on. */
  void resumed();

  /** The connection is lost for good, and {@link BrokerConnection#close} was not the reason. */
  void failed(IOException cause);
}
