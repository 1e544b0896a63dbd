package io.metaq.broker.core;

/**
 * How many transactions there are in which state: for metrics and operators.
 *
 * @param local open local transactions
 * @param active branches that are not prepared
 * @param oldestPreparedMillis how long the oldest of the prepared ones has waited, 0 without any
 * @param heuristic decisions of operators that no coordinator has forgotten
 */
public record TransactionFigures(
    int local, int active, int prepared, long oldestPreparedMillis, int heuristic) {}
