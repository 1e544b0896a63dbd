package io.metaq.broker.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The one journal of the broker.
 *
 * @param path folder under which the journal and its snapshots stand
 * @param fileSize bytes of one preallocated file
 * @param quarantineDamage whether a start goes on without what stands behind damage
 * @param flushTxLogAtCommit MetaQ's setting: 0 leave commits to the system, 1 force each, 2 force
 *     every second; prepare always forces
 * @param inlineForce whether an idle broker forces on its event loop rather than on the journal
 *     thread
 * @param maxCheckpoints snapshots kept
 * @param checkpointInterval longest time between two snapshots
 */
public record JournalConfig(
    Path path,
    int fileSize,
    boolean quarantineDamage,
    int flushTxLogAtCommit,
    boolean inlineForce,
    int maxCheckpoints,
    Duration checkpointInterval) {
  JournalConfig withPath(Path path) {
    return new JournalConfig(
        path,
        fileSize,
        quarantineDamage,
        flushTxLogAtCommit,
        inlineForce,
        maxCheckpoints,
        checkpointInterval);
  }
}
