package io.metaq.transport;

import io.metaq.wire.Frame;
import java.io.IOException;

/**
 * Hears the end of an asynchronous request, exactly once, on the reader thread, or on the calling
 * one where the connection is already lost. Must not wait for anything.
 */
public interface Completion {
  void answered(Frame answer);

  void refused(RequestRefusedException refusal);

  void lost(IOException cause);
}
