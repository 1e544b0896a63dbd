package io.metaq.jms;

/**
 * How a message is sent.
 *
 * @param timeToLive milliseconds, 0 = for ever
 * @param deliveryDelay milliseconds
 */
record SendOptions(
    int deliveryMode,
    int priority,
    long timeToLive,
    long deliveryDelay,
    boolean withoutId,
    boolean withoutTimestamp) {}
