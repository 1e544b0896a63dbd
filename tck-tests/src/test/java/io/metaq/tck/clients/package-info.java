/**
 * The clients that applications really use, over a broker process that is killed and started again
 * under them.
 */
package io.metaq.tck.clients;
