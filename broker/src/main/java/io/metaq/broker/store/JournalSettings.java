package io.metaq.broker.store;

/**
 * How the journal uses the disk. {@link #defaults} suits a broker; tests take smaller files.
 *
 * @param directory of the journal, relative to the data directory
 * @param fileSize of each preallocated file in bytes, a multiple of 4096
 * @param maxEntryBytes the largest single entry
 * @param batchBytes entries gathered in one batch before the next is begun (a larger entry gets a
 *     batch of its own)
 * @param inlineForce whether the calling thread may write and force itself when the journal is idle
 * @param inlineMaxEntries the most waiting entries it does that for
 * @param inlineForceLimitNanos the recent force time above which it leaves that to the journal
 *     thread
 * @param maxSpareFiles freed files kept for re-use, besides the one that is ready
 * @param epoch of the leader that writes; stands in each batch
 */
public record JournalSettings(
    String directory,
    long fileSize,
    int maxEntryBytes,
    int batchBytes,
    boolean inlineForce,
    int inlineMaxEntries,
    long inlineForceLimitNanos,
    int maxSpareFiles,
    long epoch) {

  public JournalSettings {
    if (fileSize % JournalFormat.BLOCK != 0 || fileSize > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "journal file size "
              + fileSize
              + " is not a multiple of "
              + JournalFormat.BLOCK
              + " below 2 GiB");
    }
    if (JournalFormat.batchSize(Math.max(maxEntryBytes + 4L, batchBytes))
        > fileSize - JournalFormat.BLOCK) {
      throw new IllegalArgumentException(
          "a journal file of "
              + fileSize
              + " bytes cannot hold an entry of "
              + maxEntryBytes
              + " bytes");
    }
  }

  /** A file size rounded up to one that a journal can have. */
  public static int wholeBlocks(int bytes) {
    return (bytes + JournalFormat.BLOCK - 1) / JournalFormat.BLOCK * JournalFormat.BLOCK;
  }

  public static JournalSettings defaults() {
    return new JournalSettings("journal", 64 << 20, 16 << 20, 256 << 10, true, 16, 1_000_000, 4, 1);
  }

  /** Other files: {@code fileSize} bytes, entries up to {@code maxEntryBytes}. */
  public JournalSettings withFiles(long newFileSize, int newMaxEntryBytes) {
    return new JournalSettings(
        directory,
        newFileSize,
        newMaxEntryBytes,
        Math.min(batchBytes, newMaxEntryBytes),
        inlineForce,
        inlineMaxEntries,
        inlineForceLimitNanos,
        maxSpareFiles,
        epoch);
  }

  public JournalSettings withInlineForce(boolean newInlineForce) {
    return new JournalSettings(
        directory,
        fileSize,
        maxEntryBytes,
        batchBytes,
        newInlineForce,
        inlineMaxEntries,
        inlineForceLimitNanos,
        maxSpareFiles,
        epoch);
  }

  public JournalSettings withEpoch(long newEpoch) {
    return new JournalSettings(
        directory,
        fileSize,
        maxEntryBytes,
        batchBytes,
        inlineForce,
        inlineMaxEntries,
        inlineForceLimitNanos,
        maxSpareFiles,
        newEpoch);
  }
}
