package io.metaq.broker.engine;

import io.metaq.broker.store.Journal;
import java.util.function.LongSupplier;

/** The journal position that is durable; known before there is a journal, as none. */
final class CommitPosition implements LongSupplier {
  private Journal journal;

  void follow(Journal recovered) {
    journal = recovered;
  }

  @Override
  public long getAsLong() {
    return journal == null ? 0 : journal.committedIndex();
  }
}
