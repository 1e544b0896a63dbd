package io.metaq.broker.store;

/** Hears what became of journal entries. All calls come on the thread that owns the journal. */
public interface JournalListener {

  /** All entries up to the index are durable. May be called from within {@link Journal#pump}. */
  void onForced(long index);

  /**
   * All entries up to the index survive the end of the process, not yet a power cut. May be called
   * from within pump.
   */
  default void onWritten(long index) {}

  /** A write or force failed. Nothing is reported after this; the process must say why and end. */
  void onFatal(Throwable cause);
}
