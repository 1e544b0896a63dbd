package io.metaq.wire;

/**
 * Bytes that are not a frame of this protocol, or exceed a bound. The connection that sent them is
 * closed.
 */
public final class WireException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public WireException(String message) {
    super(message);
  }
}
