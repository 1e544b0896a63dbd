package io.metaq.broker.store;

import java.io.IOException;

/**
 * The data directory cannot be used as it is; the message says why and what the operator can do.
 */
public class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
