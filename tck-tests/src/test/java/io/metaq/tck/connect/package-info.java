/**
 * Chapter 6: connections, client identifiers, sessions, transactions, order and acknowledgement.
 */
package io.metaq.tck.connect;
