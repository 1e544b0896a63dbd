/**
 * The network side of the broker, on Netty: tells the protocols of the port apart, turns bytes into
 * frames for the engine and the engine's frames into bytes, and keeps slow, stuck and hostile
 * clients from costing anyone else.
 */
package io.metaq.broker.server;
