/**
 * Everything the broker keeps on disk: the journal that orders all facts, the partition logs
 * derived from it in MetaQ's own byte format, large bodies and snapshots. All of it goes through
 * one seam, {@link io.metaq.broker.store.Disk}, so that tests can lose, tear and reorder what was
 * not forced. Nothing here knows what an entry means.
 */
package io.metaq.broker.store;
