package io.metaq.tck.peers.report;

import io.metaq.tck.peers.Settings;
import io.metaq.tck.peers.process.Product;
import java.time.LocalDate;
import java.util.Map;

/**
 * What a reader has to know of a run to believe its figures.
 *
 * @param day when it was
 * @param machine processors, memory, system, Java
 * @param versions of the products that took part
 */
public record Run(
    LocalDate day, String machine, Map<Product, String> versions, Settings settings) {}
