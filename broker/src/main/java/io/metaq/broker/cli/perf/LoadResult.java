package io.metaq.broker.cli.perf;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * What came of a run.
 *
 * @param elapsed length of the window measured
 * @param sent messages sent within it
 * @param received messages received within it
 * @param undelivered messages that had not arrived some time after the last send
 * @param sendTimes nanoseconds of a send, or of a transaction of sends
 * @param journeyTimes nanoseconds from a send to its receipt
 * @param usage what the window used
 */
public record LoadResult(
    Duration elapsed,
    long sent,
    long received,
    long undelivered,
    Histogram sendTimes,
    Histogram journeyTimes,
    Usage usage) {}
