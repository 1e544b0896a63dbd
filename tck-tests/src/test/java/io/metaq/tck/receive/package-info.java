/** Chapter 8: consumers, subscriptions, synchronous and asynchronous receipt. */
package io.metaq.tck.receive;
