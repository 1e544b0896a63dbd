/**
 * Jakarta Messaging 3.1: connections, sessions, producers and consumers, messages and destinations,
 * over the transport. What the specification demands of a provider and a broker cannot do for it is
 * here; the rest of the semantics is the broker's.
 */
package io.metaq.jms;
