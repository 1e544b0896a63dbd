package io.metaq.broker.core.tx;

/**
 * A session as a member of a branch. {@code connection} is the socket, not the connection id: what
 * a session did on a socket that is lost is rolled back, so its next socket is somebody else.
 */
public record SessionRef(int connection, int sessionId) {}
