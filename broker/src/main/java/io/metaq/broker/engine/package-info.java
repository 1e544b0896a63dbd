/**
 * Binds the core to the store: journals what the core decides, holds answers back until the journal
 * is durable, moves committed records into the partition logs, reads them back, takes checkpoints
 * and recovers. Owns no thread and no socket: executors, clock, disk and network are handed in.
 */
package io.metaq.broker.engine;
