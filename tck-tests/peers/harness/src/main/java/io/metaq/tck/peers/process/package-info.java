/**
 * Processes on this machine: the brokers, their load generators, and what both use up according to
 * the kernel. Beside them the probe of the bare disk.
 */
package io.metaq.tck.peers.process;
