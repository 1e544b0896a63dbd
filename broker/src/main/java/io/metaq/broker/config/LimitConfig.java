package io.metaq.broker.config;

/**
 * How much a destination may hold.
 *
 * @param maxMessages messages not yet acknowledged by every subscription; -1 for no limit
 * @param maxBytes bytes of those messages; -1 for no limit
 * @param maxMessageSize bytes of one message body
 * @param nonPersistentMaxBytes bytes of non-persistent messages held in memory
 * @param policy what a send meets at a limit
 */
public record LimitConfig(
    long maxMessages,
    long maxBytes,
    long maxMessageSize,
    long nonPersistentMaxBytes,
    LimitPolicy policy) {}
