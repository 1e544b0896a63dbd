package io.metaq.broker.store;

import java.nio.ByteBuffer;

/**
 * An intact record read from a partition log.
 *
 * @param seq its dense sequence number
 * @param offset its absolute byte offset
 * @param bytes the whole record, header and body, from position to limit; read-only
 */
public record LogRecord(long seq, long offset, ByteBuffer bytes) {}
