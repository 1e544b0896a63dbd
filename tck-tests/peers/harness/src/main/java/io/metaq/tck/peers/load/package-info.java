/**
 * The load generator. It runs in a process of its own on the class path of one provider, uses the
 * Jakarta Messaging API only, and is told over its standard input what to do next.
 */
package io.metaq.tck.peers.load;
