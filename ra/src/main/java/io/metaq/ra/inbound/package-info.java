/**
 * Message inflow: activations of message-driven beans, their endless reconnect and the delivery of
 * messages to endpoints.
 */
package io.metaq.ra.inbound;
