package io.metaq.broker.store;

import java.util.List;

/**
 * What recovery found: where the journal ends and which files there are. The next {@link Journal}
 * continues from it in a new file.
 *
 * @param lastIndex of the last entry, 0 for an empty journal
 * @param end position behind the last batch, 0 when there is none
 * @param checksum of the last batch
 * @param highestGeneration of any file, so that the next is higher
 * @param files with entries, oldest first
 * @param spares files that hold nothing needed any more
 * @param droppedBytes behind the end that were not a complete batch (a torn tail) or were
 *     quarantined
 * @param quarantined damage was found and set aside: entries may be missing, and a snapshot must be
 *     taken before anybody is served, so that no later recovery has to cross the gap
 * @param reports what an operator should know
 */
public record JournalTail(
    long lastIndex,
    long end,
    int checksum,
    long highestGeneration,
    List<FileRange> files,
    List<String> spares,
    long droppedBytes,
    boolean quarantined,
    List<String> reports) {

  public JournalTail {
    files = List.copyOf(files);
    spares = List.copyOf(spares);
    reports = List.copyOf(reports);
  }

  /**
   * A file of the journal.
   *
   * @param firstIndex of its first entry
   * @param end the byte behind its last batch
   */
  public record FileRange(long generation, long firstIndex, long end) {}
}
