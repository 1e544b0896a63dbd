/**
 * The broker's state machine: destinations, subscriptions, connections and their transactions. It
 * is handed frames, time and finished reads, answers through {@link io.metaq.broker.core.Effects},
 * and writes every durable change as an {@link io.metaq.broker.core.Entry} that it applies with the
 * same code live and in recovery. No I/O, threads, clock or chance in here.
 */
package io.metaq.broker.core;
