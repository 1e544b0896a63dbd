package io.metaq.broker.store;

/**
 * What the journal did since it was opened.
 *
 * @param batches written
 * @param bytes written, with headers and padding
 * @param forces of the running file
 * @param files begun
 * @param recentForceNanos a moving average of the time a force takes
 */
public record JournalStats(
    long batches, long bytes, long forces, long files, long recentForceNanos) {}
