/**
 * The binary protocol that client and broker share: frames, their codec, and the message block that
 * travels and is stored unchanged. Works on {@link java.nio.ByteBuffer} only; no class is ever
 * named or loaded from what arrives.
 */
package io.metaq.wire;
