package io.metaq.broker.core.tx;

import io.metaq.wire.TransactionFrames.XaVerb;

/**
 * A completion call that came while a session of another connection is still associated: its
 * one-way {@code end} may be under way, so the call waits for it until the deadline.
 */
record HeldCall(int connection, int correlation, XaVerb verb, long deadline) {}
