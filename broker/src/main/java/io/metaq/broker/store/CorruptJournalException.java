package io.metaq.broker.store;

/**
 * The journal holds bad data below a position that was already forced, or misses entries it must
 * have: not what a power cut leaves behind, so nothing may be dropped without the operator's word.
 */
public final class CorruptJournalException extends StoreException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long position;

  public CorruptJournalException(String file, long position, String what) {
    super(
        "The journal is corrupt: "
            + what
            + " ("
            + file
            + ", byte "
            + position
            + "). Nothing was changed. Restore the file, or start once with recoveryMode=quarantine:"
            + " the broker then keeps everything before this place, copies the rest into the directory"
            + " 'quarantine' for analysis, and reports what is missing.");
    this.file = file;
    this.position = position;
  }

  /** The file, relative to the data directory. */
  public String file() {
    return file;
  }

  /** The byte in the file at which the bad data begins. */
  public long position() {
    return position;
  }
}
