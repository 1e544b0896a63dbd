package io.metaq.transport;

import io.metaq.wire.ConnectionFrames.Failure;
import io.metaq.wire.ErrorCode;

/** The broker answered a request with a failure. The connection stands. */
public final class RequestRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final int detail;

  public RequestRefusedException(Failure failure) {
    super(failure.message());
    this.code = failure.code();
    this.detail = failure.detail();
  }

  public ErrorCode code() {
    return code;
  }

  /** See {@link Failure}. */
  public int detail() {
    return detail;
  }
}
