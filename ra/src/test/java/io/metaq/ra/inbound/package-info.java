/**
 * Contract tests of the inbound side: deliveries, failures, pauses, reconnects and the end of
 * activations.
 */
package io.metaq.ra.inbound;
