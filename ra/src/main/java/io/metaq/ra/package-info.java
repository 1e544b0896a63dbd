/**
 * Jakarta Connectors 2.1 resource adapter: what an application server needs to hand out connections
 * ({@code outbound}), to feed message-driven beans ({@code inbound}) and to finish in-doubt
 * transactions.
 */
package io.metaq.ra;
