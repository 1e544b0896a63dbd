/**
 * The resource adapter in real application servers. The tests are clients: what runs in the server
 * is in {@code app}, the broker runs in the JVM of the tests.
 */
package io.metaq.containers;
