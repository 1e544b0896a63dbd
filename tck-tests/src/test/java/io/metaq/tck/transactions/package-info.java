/**
 * What must hold of transactions, judged from outside: XA over the real client, lost connections at
 * every call, a transaction manager with a database beside the broker, and processes killed.
 */
package io.metaq.tck.transactions;
