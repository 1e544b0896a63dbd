/**
 * Coordination with other brokers through ZooKeeper, and the ZooKeeper that a single broker can
 * bring along in its own process.
 */
package io.metaq.broker.cluster;
