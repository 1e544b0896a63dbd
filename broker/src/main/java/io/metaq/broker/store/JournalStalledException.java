package io.metaq.broker.store;

import java.io.IOException;

/**
 * The journal needs a further file and cannot get one now, most likely for want of space. What it
 * holds is unharmed.
 */
final class JournalStalledException extends IOException {
  private static final long serialVersionUID = 1L;

  JournalStalledException(Throwable cause) {
    super("no further journal file can be made: " + cause, cause);
  }
}
