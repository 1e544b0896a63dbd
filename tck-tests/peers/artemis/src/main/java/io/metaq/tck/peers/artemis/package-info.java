/**
 * Starts ActiveMQ Artemis as a process, for the comparison; its jars are on no class path of ours.
 */
package io.metaq.tck.peers.artemis;
