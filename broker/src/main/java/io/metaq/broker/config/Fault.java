package io.metaq.broker.config;

/**
 * One thing wrong with a configuration.
 *
 * @param line line of the file, from 1; 0 when the fault belongs to no line
 * @param text what is wrong and what would be right
 */
public record Fault(int line, String text) {}
