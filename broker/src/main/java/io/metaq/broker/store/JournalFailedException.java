package io.metaq.broker.store;

/**
 * A write or force of the journal failed before; nothing can be made durable any more and the
 * process must end.
 */
public final class JournalFailedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  public JournalFailedException(Throwable cause) {
    super("the journal failed and takes no further entries: " + cause, cause);
  }
}
