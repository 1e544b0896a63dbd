package io.metaq.jms;

import io.metaq.body.Body;
import io.metaq.wire.MessageBlock;

/**
 * A message as it stood when it was sent; later changes to the message object do not touch it.
 *
 * @param block headers and properties
 * @param payload the body as it travels, compressed where the block says so; may be in a file
 */
public record OutgoingMessage(MessageBlock block, Body payload) {}
