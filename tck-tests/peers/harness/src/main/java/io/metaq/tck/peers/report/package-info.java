/**
 * From the figures of all rounds to what people read: medians, ratios, tables, a JSON file, plots.
 */
package io.metaq.tck.peers.report;
