/**
 * Reads {@code server.ini}: every key with its default, range and meaning, and every fault of a
 * file in one report. Nothing here starts anything; the result is immutable values.
 */
package io.metaq.broker.config;
