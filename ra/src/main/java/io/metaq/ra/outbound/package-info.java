/**
 * Connections for applications: the managed connection, its pooled life, and the handles
 * applications hold.
 */
package io.metaq.ra.outbound;
