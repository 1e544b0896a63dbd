package io.metaq.transport;

import java.util.UUID;

/**
 * What a connection is opened with.
 *
 * @param uri addresses and options
 * @param user or null
 * @param password or null
 * @param clientId the id to claim at login, or null
 * @param connectionId names the connection across its sockets
 */
public record ConnectionSettings(
    MetaqUri uri,
    String user,
    String password,
    String clientId,
    UUID connectionId,
    SocketConnector connector) {
  @Override
  public String toString() {
    return "ConnectionSettings["
        + uri
        + ", user "
        + user
        + ", clientId "
        + clientId
        + ", "
        + connectionId
        + "]";
  }
}
