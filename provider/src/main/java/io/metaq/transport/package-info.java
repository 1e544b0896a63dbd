/**
 * Connections to brokers: addresses and options, sockets, requests and their answers, liveness, and
 * the reconnect that an API above survives. Knows frames but no messaging API, so that every client
 * of ours can stand on it.
 */
package io.metaq.transport;
