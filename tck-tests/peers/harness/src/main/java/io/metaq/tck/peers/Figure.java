package io.metaq.tck.peers;

/**
 * What is measured, under the name it has in the JSON file and between the processes.
 *
 * <p>Times are microseconds unless the name says otherwise; "message" is a delivery for a topic and
 * a transaction for XA, the thing that RATE counts.
 */
public enum Figure {
  /** Messages a second that arrived. */
  RATE,
  /** A send until it returned or was confirmed, half of them within. */
  SEND_P50,
  SEND_P99,
  /** From just before the send, or its due time, to the listener; a whole XA transaction. */
  END_P50,
  END_P99,
  /** Messages of the window, by which CPU and forces are divided. */
  MESSAGES,
  BROKER_CPU,
  CLIENT_CPU,
  /** Forces of the disk, as the kernel counts them for the whole device, per message. */
  FORCES,
  /** Heap of the broker after a collection, in MB. */
  HEAP_MB,
  /** What one waiting message, or one queue, adds to the heap, in bytes. */
  HEAP_EACH,
  /** Messages that had not arrived in the end. */
  UNDELIVERED,
  /** Messages that waited for the restart. */
  WAITING,
  FILL_RATE,
  /** From the start of the broker's process to the first message, in milliseconds. */
  FIRST_MS,
  DRAIN_RATE,
  QUEUES,
  MB_PER_SECOND
}
