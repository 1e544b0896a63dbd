/**
 * Chapters 9 to 11: reliability, the domain-specific interfaces, exceptions, facilities for
 * servers.
 */
package io.metaq.tck.facilities;
