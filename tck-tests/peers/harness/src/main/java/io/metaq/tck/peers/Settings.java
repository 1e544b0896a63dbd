package io.metaq.tck.peers;

/**
 * How long and how much is measured.
 *
 * @param rounds how often every workload meets every provider
 * @param seconds of measuring in each
 * @param warmup seconds before it
 * @param waiting messages of W8
 * @param queues of W11
 */
public record Settings(int rounds, double seconds, double warmup, int waiting, int queues) {}
