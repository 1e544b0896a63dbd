package io.metaq.transport;

import io.metaq.wire.Frame;
import java.io.IOException;

/** The access to a new socket that {@link ConnectionEvents#resume} has to itself. */
public interface Resumption {
  /** What the requests that are made now will belong to. */
  long epoch();

  /** Writes a one-way frame. */
  void post(Frame frame) throws IOException;

  /** Writes a request and waits for its answer. */
  Frame request(Frame frame) throws IOException, RequestRefusedException;
}
