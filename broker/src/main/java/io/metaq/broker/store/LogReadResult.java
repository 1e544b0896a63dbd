package io.metaq.broker.store;

import java.util.List;
import java.util.Optional;

/**
 * What a read of a partition log found.
 *
 * @param records intact records in order
 * @param nextSeq where to read on: behind the records, or behind the dead range
 * @param dead a damaged range that stands right behind the records; report it and see that it is
 *     marked dead
 */
public record LogReadResult(List<LogRecord> records, long nextSeq, Optional<DeadRange> dead) {
  public LogReadResult {
    records = List.copyOf(records);
  }
}
