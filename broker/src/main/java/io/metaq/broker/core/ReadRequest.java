package io.metaq.broker.core;

import java.nio.ByteBuffer;
import java.util.function.Predicate;

/**
 * Asks for records of a partition log that are not in memory. The reader goes from {@code from}
 * towards {@code end} (exclusive), collects the records that are wanted and match, and stops when a
 * bound is reached. All below {@code end} is committed; what the log writer has not yet written is
 * in the core's cache and asked for only by mistake: the reader then stops there.
 *
 * @param token names the request in its {@link ReadResult}
 * @param wanted ascending sequences to look at, or null for every one
 * @param filter decides over a whole record, on the reader's thread (it keeps no state), or null
 *     for all
 * @param maxRecords most records to return
 * @param maxBytes stop when the returned records exceed this
 * @param maxScanned most records to look at
 */
public record ReadRequest(
    long token,
    long destinationId,
    int partition,
    long from,
    long end,
    long[] wanted,
    Predicate<ByteBuffer> filter,
    int maxRecords,
    int maxBytes,
    int maxScanned) {}
