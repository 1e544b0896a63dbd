/**
 * A whole broker in one object, for embedding and for tests; puts store, core, engine and server
 * together.
 */
package io.metaq.broker;
