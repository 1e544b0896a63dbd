/**
 * Contract tests of the adapter, without an application server, against a broker in the same
 * process.
 */
package io.metaq.ra;
