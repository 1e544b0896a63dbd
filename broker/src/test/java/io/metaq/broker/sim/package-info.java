/**
 * The seeded simulator: engine, core and store on a simulated disk, clock and threads, driven by
 * scripted clients, crashed at will and judged by a model. Everything follows from the seed.
 */
package io.metaq.broker.sim;
