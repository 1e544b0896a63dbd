package io.metaq.transport;

import java.io.IOException;

/**
 * The connection broke before the answer came, so that the outcome is unknown; or it is closed for
 * good.
 */
public final class ConnectionLostException extends IOException {
  private static final long serialVersionUID = 1L;

  private final boolean isFinal;

  ConnectionLostException(String message, Throwable cause, boolean isFinal) {
    super(message, cause);
    this.isFinal = isFinal;
  }

  /** Whether no reconnect will follow: closed, given up, or reconnecting is off. */
  public boolean isFinal() {
    return isFinal;
  }
}
