/**
 * Contract tests of the outbound side: what a pool does with connections, and components with
 * handles.
 */
package io.metaq.ra.outbound;
