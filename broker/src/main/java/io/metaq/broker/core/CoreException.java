package io.metaq.broker.core;

import io.metaq.wire.ErrorCode;

/** A request is refused: turned into a failure frame where the request came in. */
final class CoreException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final int detail;

  CoreException(ErrorCode code, String message) {
    this(code, message, 0);
  }

  CoreException(ErrorCode code, String message, int detail) {
    super(message, null, false, false);
    this.code = code;
    this.detail = detail;
  }

  ErrorCode code() {
    return code;
  }

  int detail() {
    return detail;
  }
}
