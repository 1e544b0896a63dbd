/** Chapter 7: sending, synchronously and asynchronously, and the options of a send. */
package io.metaq.tck.send;
