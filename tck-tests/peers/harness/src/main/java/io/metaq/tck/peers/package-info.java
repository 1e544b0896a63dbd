/**
 * MetaQ and its peers, measured side by side: which workloads there are, the rounds through them,
 * and the command that starts it all. How the load is made, how processes are run and how results
 * are shown stand in packages of their own.
 */
package io.metaq.tck.peers;
