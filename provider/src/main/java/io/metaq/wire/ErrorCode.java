package io.metaq.wire;

/**
 * Why a request was refused. Numbers are part of the protocol; the client maps each to the
 * exception its API names.
 */
public enum ErrorCode {
  /** Not a frame, or not here. The connection is closed. */
  PROTOCOL(1),
  INTERNAL(2),
  /** Wrong or missing credentials, or no permission. */
  SECURITY(3),
  INVALID_CLIENT_ID(4),
  INVALID_DESTINATION(5),
  /** {@code detail} is the position in the selector. */
  INVALID_SELECTOR(6),
  ILLEGAL_STATE(7),
  /** A limit of a destination or the broker is reached. */
  RESOURCE_LIMIT(8),
  /** The disk is full, or a write to this partition failed; what was sent is not stored. */
  STORAGE(9),
  /** The transaction is rolled back. */
  ROLLED_BACK(10),
  /** {@code detail} is the XA error code. */
  XA(11),
  /** A resend came too late to tell whether the first one was stored. */
  OUTCOME_UNKNOWN(12),
  /** The destination or subscription of this id no longer exists. */
  STALE(13),
  UNSUPPORTED(14),
  /** The subscription is in use, so that it can't be changed or deleted. */
  IN_USE(15),
  /** Another socket took this connection over, or the broker is going down. */
  CLOSING(16);

  private final int code;

  ErrorCode(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  public static ErrorCode of(int code) {
    for (ErrorCode value : values()) {
      if (value.code == code) {
        return value;
      }
    }
    throw new WireException("unknown error code " + code);
  }
}
